import { artifactPlace, type Listed, OURS, ourFile } from '../bundle/contents';
import type { Bundle } from '../bundle/reader';
import { bundleArtifacts, bundleRun } from '../bundle/records';
import type { Findings } from './findings';
import type { BundleVerifier } from './verifier';

/**
 * The manifest lists the files that the run writes: these paths in this order, each with its media type and its role,
 * which says what a difference between two bundles means.
 */
export async function checkListing(
  bundle: Bundle,
  verifier: Pick<BundleVerifier, 'files' | 'keepsUnfinishedTree'>,
  findings: Findings,
): Promise<void> {
  const { files } = bundle.manifest;
  let place = 0;
  for await (const expected of listed(bundle, verifier)) {
    const got = files[place];
    place += 1;
    const where = `pixelproof.json files ${place}`;
    const message = 'The manifest does not list this file as the run writes it.';
    if (got?.path !== expected.path) {
      // From here on every file would stand in the wrong place.
      findings.fail('file_listing', `${where} path`, message, expected.path, got?.path ?? 'none');
      return;
    }
    for (const field of ['media_type', 'role'] as const) {
      if (got[field] !== expected[field])
        findings.fail('file_listing', `${where} ${field}`, message, expected[field], got[field]);
    }
  }
}

async function* listed(
  bundle: Bundle,
  verifier: Pick<BundleVerifier, 'files' | 'keepsUnfinishedTree'>,
): AsyncIterable<Listed> {
  const { complete, files } = bundle.manifest;
  for (const path of Object.values(OURS)) yield ourFile(path);
  // A tree that an unfinished run has begun is its experiment's to judge.
  if (verifier.files === undefined || (!complete && verifier.keepsUnfinishedTree === true)) return;
  // A picture that is named by its digest only may be needed to tell its own place; artifacts.jsonl has its type.
  if (files.some(({ inlined }) => !inlined)) return;
  const held = new Set<string>();
  const byPath = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  if (complete) {
    for await (const file of verifier.files(await bundleRun(bundle))) {
      held.add(byPath.get(file.path) ?? '');
      yield file;
    }
  }
  for await (const { sha256, media_type } of bundleArtifacts(bundle)) {
    if (held.has(sha256)) continue;
    held.add(sha256);
    yield artifactPlace(sha256, media_type);
  }
}
