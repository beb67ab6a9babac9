import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { PixelproofError } from '../src/errors';
import type { GivenFile } from '../src/experiments/vision-controls';

/** More than any screenshot; a larger file in the folder is something else. */
const MAX_PICTURE_BYTES = 64 * 1024 * 1024;
/** More than any fixture; its pictures are held while they are compared. */
const MAX_FOLDER_BYTES = 1024 * 1024 * 1024;
const PICTURE = /\.(png|jpe?g|webp)$/i;

export interface FixtureFolder {
  /** The text of `manifest.json`. */
  readonly manifest: string;
  readonly files: readonly GivenFile[];
}

/**
 * A fixture folder: its manifest, and every picture file in it under whatever name. Throws `input_unreadable` for a
 * folder that cannot be read or has no `manifest.json`, `input_not_text`, `input_too_large`.
 */
export async function readFixtureFolder(folder: string): Promise<FixtureFolder> {
  const manifest = await textOf(join(folder, 'manifest.json'));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && PICTURE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const files: GivenFile[] = [];
  let total = 0;
  for (const path of paths) {
    const { size } = await stat(path);
    total += size;
    if (total > MAX_FOLDER_BYTES) {
      throw new PixelproofError('input_too_large', `${folder} has more pictures than a fixture.`, {
        expected: `at most ${MAX_FOLDER_BYTES} bytes in all`,
        got: `more, at ${path}`,
      });
    }
    if (size > MAX_PICTURE_BYTES) {
      throw new PixelproofError('input_too_large', `${path} is too large for a picture of a fixture.`, {
        expected: `at most ${MAX_PICTURE_BYTES} bytes`,
        got: size,
      });
    }
    const name = relative(folder, path).split(sep).join('/');
    files.push({ name, bytes: new Uint8Array(await readFile(path)) });
  }
  return { manifest, files };
}

/** A text file of the disk. Throws `input_unreadable`, `input_not_text`, `input_too_large`. */
export async function textOf(path: string): Promise<string> {
  let bytes: Buffer;
  try {
    const { size } = await stat(path);
    if (size > MAX_PICTURE_BYTES) {
      throw new PixelproofError('input_too_large', `${path} is too large.`, {
        expected: `at most ${MAX_PICTURE_BYTES} bytes`,
        got: size,
      });
    }
    bytes = await readFile(path);
  } catch (cause) {
    if (cause instanceof PixelproofError) throw cause;
    throw new PixelproofError('input_unreadable', `${path} cannot be read.`, {
      got: cause instanceof Error ? cause.message : String(cause),
      cause,
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new PixelproofError('input_not_text', `${path} is not UTF-8 text.`, { cause });
  }
}
