import type { BundleDirectory } from '../../bundle/directory';
import { MANIFEST_PATH, manifestId, recordDigest } from '../../bundle/manifest';
import type { BundleManifest } from '../../bundle/reader';
import { canonicalId, canonicalJson } from '../../identity/canonical';
import { sha256Large } from '../../identity/sha256';
import { rootOf } from '../../root';

/** The files of a bundle, as a folder holds them. */
export type Files = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

const utf8 = new TextEncoder();
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

export function manifestOf(files: Files): BundleManifest {
  return JSON.parse(text(files.get(MANIFEST_PATH))) as BundleManifest;
}

/**
 * What a careful forger makes of changed files: every length and digest, plan id, root digest, record digest and
 * manifest id is computed anew. `raw` is a manifest's text that is to stay as it is written.
 */
export async function forged(
  files: Files,
  manifest: BundleManifest,
  rewrite: (text: string) => string = (same) => same,
): Promise<BundleDirectory> {
  const listed = await Promise.all(
    manifest.files.map(async (file) => {
      const content = files.get(file.path);
      return content === undefined
        ? file
        : { ...file, bytes: content.length, sha256: await sha256Large(content) };
    }),
  );
  const cases = files.get('cases.jsonl') ?? new Uint8Array(0);
  const plan_id = canonicalId(manifest.plan);
  const named = {
    ...manifest,
    files: listed,
    plan_id,
    root_digest: rootOf({
      experiment: manifest.experiment,
      plan_id,
      case_count: cases.filter((byte) => byte === 10).length,
      cases_sha256: await sha256Large(cases),
    }),
  };
  const recorded = { ...named, record_digest: await recordDigest(named) };
  const { manifest_id: _, ...unnamed } = recorded;
  const whole = { ...unnamed, manifest_id: await manifestId(unnamed) };
  const all = new Map(files);
  all.set(MANIFEST_PATH, utf8.encode(rewrite(`${canonicalJson(whole as never)}\n`)));
  return folder(all);
}

function folder(files: Files): BundleDirectory {
  return {
    list: async () => [...files.keys()],
    read: async (path) => files.get(path) ?? new Uint8Array(0),
    write: async () => {
      throw new Error('read only');
    },
  };
}
