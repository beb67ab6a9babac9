import { PixelproofError } from '../../errors';
import { openZip } from '../../evidence/bundle/zip-reader';
import { sha256Large } from '../../evidence/identity/sha256';
import { type Finding, failure, pass } from '../../evidence/verify/finding';
import { type RunTree, subtree } from './tree';

/** A ZIP of a run or an episode, published or ours, as a tree. Throws `zip_*` and `bundle_*` codes for a damaged one. */
export async function openArchive(bytes: Uint8Array<ArrayBuffer>): Promise<RunTree> {
  const container = await openZip(bytes);
  return { paths: container.paths, read: (path) => container.bytes(path) };
}

/** What lies in a tree, wherever its folders begin: a whole run, or one episode. Throws `pong_record` for neither. */
export function rooted(tree: RunTree): { readonly kind: 'run' | 'episode'; readonly tree: RunTree } {
  const shallowest = (name: string): string | null => {
    const found = tree.paths.filter((path) => path === name || path.endsWith(`/${name}`));
    found.sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));
    const [first] = found;
    return first === undefined ? null : first.slice(0, Math.max(0, first.length - name.length - 1));
  };
  const run = shallowest('plan.json');
  if (run !== null) return { kind: 'run', tree: subtree(tree, run) };
  const episode = shallowest('manifest.json');
  if (episode !== null) return { kind: 'episode', tree: subtree(tree, episode) };
  throw new PixelproofError('pong_record', 'Here is neither a run nor an episode of the Pong controls.', {
    expected: 'plan.json or manifest.json',
    got: tree.paths.slice(0, 5).join(', ') || 'no files',
  });
}

/** Holds an archive against its manifest (`experiment-archive-v1`): the archive's own digest, and every file's. */
export async function* checkArchive(
  manifest: unknown,
  bytes: Uint8Array<ArrayBuffer>,
  tree: RunTree,
): AsyncGenerator<Finding> {
  const { kind, sha256, file_count, uncompressed_bytes, files } = (
    typeof manifest === 'object' && manifest !== null ? manifest : {}
  ) as Record<string, unknown>;
  const mismatch = (where: string, message: string, expected: unknown, got: unknown) =>
    failure('archive_mismatch', where, message, { expected: String(expected), got: String(got) });
  if (kind !== 'experiment-archive-v1' || !Array.isArray(files)) {
    yield mismatch('manifest', 'This is no manifest of an archive.', 'experiment-archive-v1', kind);
    return;
  }
  let [faults, total] = [0, 0];
  const own = (await sha256Large(bytes)).slice('sha256:'.length);
  if (own !== sha256) {
    faults += 1;
    yield mismatch('archive', 'The archive has another digest.', sha256, own);
  }
  const listed = new Set<string>();
  for (const entry of files as readonly { path: unknown; bytes: unknown; sha256: unknown }[]) {
    const path = String(entry.path);
    listed.add(path);
    const file = await tree.read(path);
    const digest = file === null ? 'no such file' : (await sha256Large(file)).slice('sha256:'.length);
    total += file?.length ?? 0;
    if (digest === entry.sha256 && file?.length === entry.bytes) continue;
    faults += 1;
    yield mismatch(path, 'The file is not the one that the manifest lists.', entry.sha256, digest);
  }
  for (const path of tree.paths) {
    if (listed.has(path)) continue;
    faults += 1;
    yield mismatch(path, 'The manifest does not list this file.', 'no such file', 'one');
  }
  if (file_count !== files.length || uncompressed_bytes !== total) {
    faults += 1;
    yield mismatch(
      'manifest',
      'Count and size are not those of the files.',
      `${file_count}, ${uncompressed_bytes}`,
      `${files.length}, ${total}`,
    );
  }
  if (faults === 0) yield pass('archive', 'archive', `${files.length} files as the manifest lists them.`);
}
