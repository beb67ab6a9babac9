import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { PixelproofError } from '../src/errors';
import type { BundleDirectory } from '../src/evidence/bundle';
import { openArchive, type RunFiles, type RunTree, rooted } from '../src/experiments/pong-controls';
import { folderBundle } from './folder';

/** A folder that a run is writing. Documents are replaced by a rename, lines go straight to the file. */
export class FolderFiles implements RunFiles {
  readonly #root: string;
  readonly #open = new Map<string, number>();

  constructor(root: string) {
    this.#root = root;
  }

  #path(path: string): string {
    const full = join(this.#root, path);
    mkdirSync(dirname(full), { recursive: true });
    return full;
  }

  async document(path: string, text: string): Promise<void> {
    const full = this.#path(path);
    writeFileSync(`${full}.tmp`, text);
    renameSync(`${full}.tmp`, full);
  }

  append(path: string, text: string): void {
    let file = this.#open.get(path);
    if (file === undefined) {
      file = openSync(this.#path(path), 'a');
      this.#open.set(path, file);
    }
    writeSync(file, text);
  }

  async bytes(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    writeFileSync(this.#path(path), bytes);
  }

  close(): void {
    for (const file of this.#open.values()) closeSync(file);
    this.#open.clear();
  }
}

/** The files of a folder as they are now, dot files left out. */
export function folderTree(root: string): RunTree {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.')))
    .sort();
  const there = new Set(paths);
  return {
    paths,
    read: async (path) => (there.has(path) ? new Uint8Array(readFileSync(join(root, path))) : null),
  };
}

/** A run or an episode at a path: a folder or a ZIP. Throws `input_unreadable` and `pong_record`. */
export async function recordedAt(
  path: string,
): Promise<
  ReturnType<typeof rooted> & { readonly archive: Uint8Array<ArrayBuffer> | null; readonly whole: RunTree }
> {
  let archive: Uint8Array<ArrayBuffer> | null = null;
  let whole: RunTree;
  try {
    if (statSync(path).isDirectory()) whole = folderTree(path);
    else {
      archive = new Uint8Array(readFileSync(path));
      whole = await openArchive(archive);
    }
  } catch (cause) {
    if (cause instanceof PixelproofError) throw cause;
    throw new PixelproofError('input_unreadable', `${path} cannot be read.`, {
      got: cause instanceof Error ? cause.message : String(cause),
      cause,
    });
  }
  return { ...rooted(whole), archive, whole };
}

/** The folder as a bundle whose run files are there already: they are read for their digests, not written again. */
export function bundleAround(root: string, written: RunTree): BundleDirectory {
  const folder = folderBundle(root);
  const there = new Set(written.paths);
  return {
    ...folder,
    write: async (path, content) => {
      if (!there.has(path)) return folder.write(path, content);
      const parts: Uint8Array[] = [];
      for await (const part of content) parts.push(part);
      const own = await written.read(path);
      if (own !== null && Buffer.concat(parts).equals(own)) return;
      throw new Error(`${path} does not follow from the run's cases.`);
    },
  };
}
