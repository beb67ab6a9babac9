import type { ProviderDescription, ResultKind } from '../../providers/provider';
import type { JsonObject, Sha256Id } from '../identity/json';

/** One file as the manifest lists it. */
export interface ManifestFile {
  readonly path: string;
  readonly sha256: Sha256Id;
  readonly bytes: number;
  readonly media_type: string;
  readonly role: 'evidence' | 'circumstance' | 'image';
  /** False where a JSON bundle names the file by digest without carrying its bytes. */
  readonly inlined: boolean;
}

/** What a bundle says of itself: the parsed `pixelproof.json`. Files in the order in which the container has them. */
export interface BundleManifest {
  readonly format: string;
  readonly experiment: string;
  readonly plan_id: Sha256Id;
  readonly root_digest: Sha256Id;
  /** What a record digest is taken over: `recordDigest` in manifest.ts. The same for every form of one run's bundle. */
  readonly record_digest: Sha256Id;
  /** The frozen plan, whole. */
  readonly plan: JsonObject;
  /** Cases the plan has. `cases.jsonl` has fewer when `complete` is false. */
  readonly case_count: number;
  readonly complete: boolean;
  readonly kind: ResultKind;
  readonly provider: ProviderDescription;
  /** Which rules laid out the container's bytes: `zip/1`, `json/1`, `directory/1`. */
  readonly container: string;
  readonly files: readonly ManifestFile[];
  /** SHA-256 of the RFC 8785 form of the manifest without this field. */
  readonly manifest_id: Sha256Id;
}

/** An opened bundle, from a zip, a JSON file or a folder. Reading a file checks its digest and length. */
export interface Bundle {
  readonly manifest: BundleManifest;
  readonly container: 'zip' | 'json' | 'directory';
  paths(): readonly string[];
  has(path: string): boolean;
  /** Throws `bundle_file_missing`, `bundle_not_inlined`, `bundle_digest` or `bundle_length`. */
  read(path: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Throws also `bundle_utf8`. */
  text(path: string): Promise<string>;
  /** Lines of a JSON Lines file, parsed, streaming. Throws also `json_*` and `bundle_lines`. */
  lines(path: string): AsyncIterable<JsonObject>;
}
