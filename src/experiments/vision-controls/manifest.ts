import type { Sha256Id } from '../../evidence/identity/json';
import { sha256 } from '../../evidence/identity/sha256';

type Provenance = 'annotation' | 'manual_visual';

/** A picture as a manifest names it. `sha256` is 64 bare digits over the file's bytes. */
export interface Screenshot {
  readonly file_name: string;
  readonly index: number;
  readonly source_path: string;
  readonly mime_type: string;
  readonly sha256: string;
  readonly byte_count: number;
  readonly width: number;
  readonly height: number;
}

export interface Row {
  readonly unique_data_id: string;
  readonly stream_order: number;
  readonly task_name: string;
  readonly visual_family: string;
  readonly screenshot: Screenshot;
  /** The gold labels: the two of the annotation, and the one about the picture under the visual question's name. */
  readonly expected: { readonly [question: string]: string | boolean };
}

export interface Manifest {
  readonly manifest_version: number;
  readonly issue?: number;
  readonly dataset_id: string;
  readonly license: string;
  readonly split: string;
  readonly source: string;
  readonly screenshot_index: number;
  readonly visual_question?: string;
  readonly gold_provenance: { readonly [question: string]: Provenance };
  readonly notes?: readonly string[];
  readonly rows: readonly Row[];
}

/**
 * The published form of a manifest file: two spaces, ASCII with lower-case escapes, keys in the order given, one line
 * feed at the end.
 */
export function manifestText(manifest: Manifest): string {
  const text = JSON.stringify(manifest, null, 2);
  const ascii = text.replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${ascii}\n`;
}

export function manifestDigest(manifest: Manifest): Sha256Id {
  return sha256(manifestText(manifest));
}
