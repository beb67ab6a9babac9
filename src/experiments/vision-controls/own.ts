import * as v from 'valibot';
import { PixelproofError } from '../../errors';
import type { JsonObject } from '../../evidence/identity/json';
import { type Manifest, manifestText } from './manifest';
import { readManifest } from './manifest-read';
import {
  DEMO_DATASET_ID,
  DEMO_PROFILE,
  type OwnWords,
  ownProfile,
  type Profile,
  PUBLISHED_PROFILE,
} from './profile';
import { MANIFEST_VERSION } from './protocol';

const text = (most: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(most));
/** The member `own` of a manifest. */
export const OWN_WORDS_FORM = v.strictObject({
  families: v.strictTuple([text(80), text(80)]),
  question: text(400),
  when_true: v.pipe(v.string(), v.trim(), v.maxLength(400)),
  state: text(2000),
  terms: v.pipe(v.array(text(80)), v.maxLength(100)),
});

/** A picture of a person's own, as it enters a manifest. */
export interface OwnPicture {
  /** 0 for the first family, the one that the question is about; 1 for the other. */
  readonly family: 0 | 1;
  /** The file's own name: shown, never used as a path. */
  readonly file_name: string;
  readonly mime_type: string;
  /** 64 bare digits over the file's bytes. */
  readonly sha256: string;
  readonly byte_count: number;
  readonly width: number;
  readonly height: number;
}

/** A manifest whose words stand beside the rows, so that it says by itself what was asked. */
export type OwnManifest = Manifest & { readonly own: OwnWords };

/**
 * The manifest of a person's own families: the published form, rows in file order, `stream_order` the place. Throws
 * `own_words` for a name, question or state that is empty or too long, and what `readManifest` throws.
 */
export function ownManifest(words: OwnWords, pictures: readonly OwnPicture[]): OwnManifest {
  const own = readWords(words as unknown as JsonObject);
  const profile = ownProfile(own);
  const manifest: OwnManifest = {
    manifest_version: MANIFEST_VERSION,
    dataset_id: profile.dataset_id,
    license: profile.license,
    split: 'own',
    source: 'own',
    screenshot_index: 0,
    visual_question: profile.visual.name,
    gold_provenance: { [profile.visual.name]: 'manual_visual' },
    notes: ['Pictures, families and question are a person’s own.'],
    own,
    rows: pictures.map(({ family, file_name, mime_type, sha256, byte_count, width, height }, index) => ({
      unique_data_id: `own-${index + 1}-${sha256.slice(0, 8)}`,
      stream_order: index,
      task_name: '',
      visual_family: profile.families[family],
      screenshot: {
        file_name,
        index: 0,
        source_path: file_name,
        mime_type,
        sha256,
        byte_count,
        width,
        height,
      },
      expected: { [profile.visual.name]: family === 0 },
    })),
  };
  parseManifest(manifestText(manifest));
  return manifest;
}

/** Reads a manifest of any data set that this experiment knows. Throws as `readManifest`, and `own_words`. */
export function parseManifest(manifest: string): { readonly manifest: Manifest; readonly profile: Profile } {
  return readManifest(manifest, (root) => {
    if (root.own !== undefined) return ownProfile(readWords(root.own));
    return root.dataset_id === DEMO_DATASET_ID ? DEMO_PROFILE : PUBLISHED_PROFILE;
  });
}

function readWords(value: unknown): OwnWords {
  const parsed = v.safeParse(OWN_WORDS_FORM, value);
  if (parsed.success && parsed.output.families[0].toLowerCase() !== parsed.output.families[1].toLowerCase())
    return parsed.output;
  const [where, expected] = parsed.success
    ? ['families', 'two different names']
    : [v.getDotPath(parsed.issues[0]) ?? 'own', parsed.issues[0].message];
  throw new PixelproofError(
    'own_words',
    `Two different family names, a question and a neutral state are needed; ${where} is not usable.`,
    { expected, got: value },
  );
}
