/** Where a run writes its files. Paths are relative, with forward slashes. */
export interface RunFiles {
  /** Replaces a file whole: a reader sees the old text or the new one. */
  document(path: string, text: string): Promise<void>;
  /** Adds lines at the end of a file. */
  append(path: string, text: string): void | Promise<void>;
  bytes(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** The files of a run, or of one episode, as a reader has them. */
export interface RunTree {
  readonly paths: readonly string[];
  /** Null where there is no such file. */
  read(path: string): Promise<Uint8Array<ArrayBuffer> | null>;
}

const utf8 = new TextEncoder();

/** Files in memory: for a worker, for tests, and for a check that keeps nothing. */
export class MemoryFiles implements RunFiles, RunTree {
  readonly #files = new Map<string, Uint8Array<ArrayBuffer>[]>();

  get paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  async document(path: string, text: string): Promise<void> {
    this.#files.set(path, [utf8.encode(text)]);
  }

  append(path: string, text: string): void {
    const parts = this.#files.get(path);
    if (parts === undefined) this.#files.set(path, [utf8.encode(text)]);
    else parts.push(utf8.encode(text));
  }

  async bytes(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#files.set(path, [bytes.slice()]);
  }

  async read(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const parts = this.#files.get(path);
    if (parts === undefined) return null;
    const [only] = parts;
    if (parts.length === 1 && only !== undefined) return only;
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    this.#files.set(path, [whole]);
    return whole;
  }
}

/** A folder of a tree as a tree of its own. */
export function subtree(tree: RunTree, folder: string): RunTree {
  if (folder === '') return tree;
  const prefix = `${folder}/`;
  return {
    paths: tree.paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length)),
    read: (path) => tree.read(prefix + path),
  };
}

/** `python-2px/seed-36`: where an episode's files lie. */
export function episodeFolder(arm: string, seed: number): string {
  return `${arm}/seed-${seed}`;
}
