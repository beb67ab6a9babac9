import { PixelproofError } from '../../errors';
import { LIMITS } from './limits';

const SEGMENT = /^[A-Za-z0-9._-]+$/;

/** Throws `bundle_path` unless the path is relative, ASCII and safe to create on any file system. */
function requirePath(path: string): void {
  const segments = path.split('/');
  const safe =
    path.length <= LIMITS.pathLength &&
    segments.every((segment) => SEGMENT.test(segment) && segment !== '.' && segment !== '..');
  if (!safe) {
    throw new PixelproofError(
      'bundle_path',
      'A file name in a bundle is relative and has letters, digits, dots, hyphens and underscores only.',
      { got: path },
    );
  }
}

/**
 * The paths of one bundle. `add` throws `bundle_path`, and `bundle_duplicate` where two files would be one on some
 * file system: the same name, a name that differs in case only, or a file where another needs a folder.
 */
export class PathSet {
  /** Lower-case names of files, and of the folders that they are in. */
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  add(path: string): void {
    requirePath(path);
    const name = path.toLowerCase();
    const folders = name.split('/').slice(0, -1);
    const parents = folders.map((_, index) => folders.slice(0, index + 1).join('/'));
    if (this.#files.has(name) || this.#folders.has(name) || parents.some((one) => this.#files.has(one))) {
      throw new PixelproofError('bundle_duplicate', 'Two files of the bundle would have the same name.', {
        got: path,
      });
    }
    this.#files.add(name);
    for (const parent of parents) this.#folders.add(parent);
  }
}
