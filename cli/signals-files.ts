import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PixelproofError } from '../src/errors';

/** Larger files are no pictures that are read here: 64 million pixels of 8 bytes, and room for metadata. */
const MAX_FILE_BYTES = 1024 * 1024 * 1024;

/**
 * The files a person named, folders walked in name order, so that the same folder gives the same output. Names that begin
 * with a dot are left out inside folders. A path that is not there is passed on: reading it says so.
 */
export async function* filesOf(paths: readonly string[]): AsyncGenerator<string> {
  for (const path of paths) {
    const info = await stat(path).catch(() => null);
    if (info?.isDirectory()) yield* walk(path);
    else yield path;
  }
}

async function* walk(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (entry.isFile() || entry.isSymbolicLink()) yield path;
  }
}

/** Throws `file_unreadable` or `file_too_large`. */
export async function readPicture(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const info = await stat(path);
    // A device never ends, and a pipe that nobody writes to never begins.
    if (!info.isFile()) {
      throw new PixelproofError('file_unreadable', 'The file cannot be read.', {
        expected: 'a file',
        got: info.isDirectory() ? 'a folder behind a link' : 'a device, a pipe or a socket',
      });
    }
    const { size } = info;
    if (size > MAX_FILE_BYTES) {
      throw new PixelproofError('file_too_large', 'The file is larger than any picture that is read here.', {
        expected: `at most ${MAX_FILE_BYTES} bytes`,
        got: `${size} bytes`,
      });
    }
    return new Uint8Array(await readFile(path));
  } catch (cause) {
    if (cause instanceof PixelproofError) throw cause;
    throw new PixelproofError('file_unreadable', 'The file cannot be read.', {
      got: cause instanceof Error ? cause.message : String(cause),
      cause,
    });
  }
}
