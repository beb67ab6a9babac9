import { PixelproofError } from '../../src/errors';
import type { BundleInput } from '../../src/evidence/bundle';
import type { FolderFile } from '../api';

/** A folder that a person gave, as a bundle: each file is read when its turn comes. Throws `bundle_too_large`. */
export function folderBundle(files: readonly FolderFile[], limit: number): BundleInput {
  const size = files.reduce((sum, { blob }) => sum + blob.size, 0);
  if (size > limit) {
    throw new PixelproofError(
      'bundle_too_large',
      'The folder is too large to open here; use the command line.',
      { expected: `at most ${limit} bytes`, got: size },
    );
  }
  const blobs = new Map(files.map(({ path, blob }) => [path, blob]));
  return {
    list: async () => [...blobs.keys()].sort(),
    read: async (path) => {
      try {
        return new Uint8Array(await (blobs.get(path) ?? new Blob([])).arrayBuffer());
      } catch (cause) {
        // It was moved or changed since it was dropped.
        throw new PixelproofError('file_unreadable', 'A file of the folder cannot be read.', {
          got: path,
          cause,
        });
      }
    },
  };
}
