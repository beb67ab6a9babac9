import { type BundleContents, bundleContents, OURS } from '../bundle/contents';
import type { OpenedBundle } from '../bundle/open';
import { recordDigestOf } from '../bundle/packing';
import { canonicalJson } from '../identity/canonical';
import type { Sha256Id } from '../identity/json';
import { createSha256Stream } from '../identity/sha256';
import type { StoredRun } from '../run';
import type { BundleVerifier } from './verifier';

/** Clock, latency, machine, raw replies: what the root digest leaves out. */
const CIRCUMSTANCES: ReadonlySet<string> = new Set([
  OURS.details,
  OURS.exchanges,
  OURS.environment,
  OURS.runtime,
]);

/**
 * In what the record of a bundle differs from that of the stored run of the same plan and root digest: null for in
 * nothing. Only what does not follow from the two is compared, so a file that names its pictures without carrying them
 * is the same record as one that carries them. Gives both record digests; the stored run's is what its export has.
 */
export async function recordDifference(
  bundle: OpenedBundle,
  stored: StoredRun,
  experiment: BundleVerifier | undefined,
): Promise<{ readonly expected: string; readonly got: Sha256Id } | null> {
  const place = await firstDifference(bundle, stored);
  if (place === null) return null;
  const { files } = experiment ?? {};
  const whole = files === undefined ? null : bundleContents(stored, (run) => files(run));
  return { expected: (await digestOf(whole)) ?? `another ${place}`, got: bundle.manifest.record_digest };
}

async function firstDifference({ manifest }: OpenedBundle, stored: StoredRun): Promise<string | null> {
  const { id, kind, label, model, seed, base_url } = stored.header.provider;
  const provider = canonicalJson({ id, kind, label, model, seed, base_url });
  if (provider !== canonicalJson({ ...manifest.provider })) return 'provider';
  const told = new Map(manifest.files.map(({ path, sha256 }) => [path, sha256]));
  for await (const { path, content } of bundleContents(stored, nothing).files()) {
    if (!CIRCUMSTANCES.has(path)) continue;
    const hash = await createSha256Stream();
    for await (const chunk of content()) hash.update(chunk);
    if (hash.digest() !== told.get(path)) return path;
  }
  return null;
}

/** A run that came without its pictures has no export, so its record has no digest. */
async function digestOf(contents: BundleContents | null): Promise<Sha256Id | null> {
  if (contents === null) return null;
  try {
    return await recordDigestOf(contents);
  } catch {
    return null;
  }
}

async function* nothing(): AsyncIterable<never> {}
