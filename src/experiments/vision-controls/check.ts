import { PixelproofError } from '../../errors';
import type { Json, JsonObject } from '../../evidence/identity/json';
import { sha256 } from '../../evidence/identity/sha256';
import { controlMatrix } from './controls';
import { leakIn } from './leak';
import { parseManifest } from './own';
import { assignPictures, type GivenFile, requirePicture } from './pictures';
import { fixtureName } from './plan';

/** A row's picture among the files handed over. */
interface PictureCheck {
  readonly unique_data_id: string;
  readonly file_name: string;
  readonly status: 'ok' | 'missing' | 'altered';
  /** The name under which the file was found. */
  readonly found_as: string | null;
  /** Why it is not `ok`: `picture_missing`, or a code of `requirePicture`. */
  readonly code: string | null;
  readonly message: string | null;
}

export interface FixtureCheck {
  readonly ok: boolean;
  /** Null for a manifest that was rejected. */
  readonly manifest: JsonObject | null;
  readonly pictures: readonly PictureCheck[];
  /** Files that belong to no row. */
  readonly foreign: readonly { readonly name: string; readonly sha256: string }[];
  readonly leak_ban: JsonObject | null;
  readonly controls: readonly Json[];
  /** The first fault of a rejected manifest. */
  readonly error: JsonObject | null;
}

/** Checks a fixture whole: manifest by the published rules, each picture by digest, the leak ban on state and tasks. */
export async function checkFixture(manifestFile: string, files: readonly GivenFile[]): Promise<FixtureCheck> {
  let parsed: ReturnType<typeof parseManifest>;
  try {
    parsed = parseManifest(manifestFile);
  } catch (error) {
    if (!(error instanceof PixelproofError)) throw error;
    const { code, message, expected = null, got = null } = error;
    return {
      ok: false,
      manifest: null,
      pictures: [],
      foreign: [],
      leak_ban: null,
      controls: [],
      error: { code, message, expected, got },
    };
  }
  const { manifest, profile } = parsed;
  const { assigned, foreign } = await assignPictures(manifest, files);
  const pictures: PictureCheck[] = [];
  for (const { unique_data_id, screenshot } of manifest.rows) {
    const found = assigned.find((one) => one.unique_data_id === unique_data_id);
    const bytes = files.find(({ name }) => name === found?.name)?.bytes;
    const fault = bytes === undefined ? null : await faultOf(() => requirePicture(screenshot, bytes));
    const named = foreign.find(({ name }) => name === screenshot.file_name);
    pictures.push({
      unique_data_id,
      file_name: screenshot.file_name,
      status:
        found !== undefined && fault === null
          ? 'ok'
          : found === undefined && named === undefined
            ? 'missing'
            : 'altered',
      found_as: found?.name ?? named?.name ?? null,
      code:
        fault?.code ??
        (found !== undefined ? null : named === undefined ? 'picture_missing' : 'picture_changed'),
      message:
        fault?.message ??
        (named === undefined || found !== undefined
          ? null
          : `${named.name} has the digest ${named.sha256} instead of sha256:${screenshot.sha256}.`),
    });
  }
  const tasks = manifest.rows.map(({ unique_data_id, task_name }) => ({
    unique_data_id,
    term: leakIn(task_name, profile.leak_terms),
  }));
  const state_term = leakIn(profile.state, profile.leak_terms);
  const banHolds = state_term === null && (!profile.tasks_leak || tasks.every(({ term }) => term !== null));
  const name = fixtureName(manifestFile);
  return {
    ok: banHolds && pictures.every(({ status }) => status === 'ok'),
    manifest: {
      sha256: sha256(manifestFile),
      bytes: new TextEncoder().encode(manifestFile).length,
      revision: name === 'manifest' ? null : name,
      dataset_id: manifest.dataset_id,
      rows: manifest.rows.length,
      families: profile.families,
      visual_question: profile.visual.name,
    },
    pictures,
    foreign,
    leak_ban: {
      ok: banHolds,
      code: banHolds ? null : state_term === null ? 'task_no_leak' : 'state_leak',
      terms: profile.leak_terms,
      state: profile.state,
      state_term,
      tasks,
    },
    controls: controlMatrix(manifest.rows, profile).map((control) => ({ ...control })),
    error: null,
  };
}

async function faultOf(check: () => Promise<void>): Promise<PixelproofError | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (error instanceof PixelproofError) return error;
    throw error;
  }
}
