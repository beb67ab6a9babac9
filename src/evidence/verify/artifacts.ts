import type { Bundle } from '../bundle/reader';
import { bundleArtifacts } from '../bundle/records';
import type { Findings } from './findings';

/**
 * `artifacts.jsonl` is the list of what the run kept: each artifact once, in ascending digest order, each a file of
 * the bundle by digest, size and media type; and the other way round, every picture and every file under `artifacts/`
 * is on the list.
 */
export async function checkArtifacts(bundle: Bundle, findings: Findings): Promise<number> {
  const files = new Map(bundle.manifest.files.map((file) => [file.sha256 as string, file]));
  const listed = new Set<string>();
  let before = '';
  let count = 0;
  for await (const { sha256, bytes, media_type } of bundleArtifacts(bundle)) {
    count += 1;
    const where = `artifacts.jsonl line ${count}`;
    if (listed.has(sha256))
      findings.fail('artifact_repeated', where, 'The artifact is listed twice.', 'once', sha256);
    else if (sha256 < before) {
      findings.fail(
        'artifact_order',
        where,
        'Artifacts are listed by ascending digest.',
        `after ${before}`,
        sha256,
      );
    }
    listed.add(sha256);
    before = sha256;
    const file = files.get(sha256);
    if (file === undefined) {
      findings.fail('artifact_missing', where, 'No file of the bundle is this artifact.', sha256, 'none');
      continue;
    }
    if (file.bytes !== bytes) {
      findings.fail(
        'artifact_missing',
        where,
        'The file of this digest has another size.',
        `${file.bytes}`,
        `${bytes}`,
      );
    }
    if (file.media_type !== media_type) {
      const message = 'The file of this digest is of another media type.';
      findings.fail('artifact_media_type', `${where} media_type`, message, file.media_type, media_type);
    }
  }
  for (const { path, sha256, role } of bundle.manifest.files) {
    const kept = role === 'image' || path.startsWith('artifacts/');
    if (!kept || listed.has(sha256)) continue;
    const message = 'The bundle has a picture or artifact that artifacts.jsonl does not list.';
    findings.fail('artifact_unlisted', path, message, `a line for ${sha256}`, 'none');
  }
  return count;
}
