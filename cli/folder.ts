import { createWriteStream, existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PixelproofError } from '../src/errors';
import { type BundleDirectory, COMPANION_PATHS, openBundle } from '../src/evidence/bundle';

/** Where an unfinished run keeps its journal, inside the output folder. */
export const JOURNAL = '.journal';

/** A folder of the disk as a bundle. Dot files are no part of it. */
export function folderBundle(root: string): BundleDirectory {
  return {
    list: async () => {
      const entries = await readdir(root, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
        .filter((path) => !path.split('/').some((part) => part.startsWith('.')))
        .sort();
    },
    read: async (path) => new Uint8Array(await readFile(join(root, path))),
    write: async (path, content) => {
      const file = join(root, path);
      await mkdir(dirname(file), { recursive: true });
      await pipeline(Readable.from(content), createWriteStream(file));
    },
  };
}

/** What an output folder must be before a run begins there. */
export interface OutputChoice {
  readonly resume: boolean;
  readonly force: boolean;
}

/**
 * Makes the output folder ready. An existing one is only replaced with `force`, and only when a run of ours lies in
 * it; `resume` needs one. Throws `output_exists`, `output_foreign`, `output_missing`, `output_unwritable`.
 */
export async function prepareOutput(root: string, { resume, force }: OutputChoice): Promise<void> {
  const there = existsSync(root);
  if (there && !statSync(root).isDirectory()) {
    throw new PixelproofError('output_foreign', `${root} is a file, not a folder.`);
  }
  const names = there ? await readdir(root) : [];
  const ours = names.includes('pixelproof.json') || names.includes(JOURNAL);
  if (resume) {
    if (!ours) throw new PixelproofError('output_missing', `There is no run in ${root} to go on with.`);
    return;
  }
  if (names.length > 0 && !force) {
    throw new PixelproofError(
      'output_exists',
      `${root} is not empty; --force replaces it, --resume goes on with it.`,
    );
  }
  if (names.length > 0 && !ours) {
    throw new PixelproofError(
      'output_foreign',
      `${root} holds something else than a run; it is not replaced.`,
    );
  }
  const foreign = names.length > 0 ? await foreignEntry(root, names) : null;
  if (foreign !== null) {
    throw new PixelproofError(
      'output_foreign',
      `${root} holds something else beside a run; it is not replaced.`,
      {
        got: foreign,
      },
    );
  }
  await writing(root, async () => {
    if (names.length > 0) await rm(root, { recursive: true });
    await makeFolder(root === '' ? root : resolve(root));
  });
}

/**
 * Creates a folder and those above it, one by one: Node's recursive `mkdir` never returns where a file system answers
 * "no such entry" to a folder that cannot be made, as /proc does.
 */
async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const folder of missing) await mkdir(folder);
}

/** What `--force` must not take away with a run. While the journal lies there, the files beside it are half-written. */
async function foreignEntry(root: string, names: readonly string[]): Promise<string | null> {
  const hidden = names.find((name) => name.startsWith('.') && name !== JOURNAL);
  if (hidden !== undefined || names.includes(JOURNAL)) return hidden ?? null;
  const folder = folderBundle(root);
  try {
    const { files } = (await openBundle(folder)).manifest;
    const listed = new Set(['pixelproof.json', ...COMPANION_PATHS, ...files.map((file) => file.path)]);
    return (await folder.list()).find((path) => !listed.has(path)) ?? null;
  } catch (error) {
    if (error instanceof PixelproofError) return `pixelproof.json: ${error.message}`;
    throw error;
  }
}

/** Does what writes at a path that a person named. Throws `output_unwritable`. */
export async function writing(path: string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (cause) {
    throw new PixelproofError('output_unwritable', `${path || 'An empty path'} cannot be written.`, {
      got: cause instanceof Error ? cause.message : String(cause),
      cause,
    });
  }
}
