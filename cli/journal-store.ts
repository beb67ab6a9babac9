import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PixelproofError } from '../src/errors';
import type { Json, Sha256Id } from '../src/evidence/identity/json';
import type { Artifact, RunHeader } from '../src/evidence/run';
import { MemoryStore } from '../src/evidence/store/memory';
import type { EndedAttempt, FinishedCase, HeaderChange, NewRun } from '../src/evidence/store/store';
import type { RuntimeEvidence } from '../src/providers/provider';

type Entry =
  | { readonly op: 'create'; readonly run: NewRun }
  | { readonly op: 'runtime'; readonly run: string; readonly runtime: RuntimeEvidence }
  | { readonly op: 'update'; readonly run: string; readonly change: HeaderChange }
  | { readonly op: 'journal'; readonly run: string; readonly attempts: readonly EndedAttempt[] }
  | { readonly op: 'commit'; readonly run: string; readonly cases: readonly LoggedCase[] }
  | { readonly op: 'keep'; readonly run: string; readonly artifacts: LoggedCase['artifacts'] }
  | { readonly op: 'seal'; readonly run: string; readonly root: Sha256Id };

type LoggedCase = Omit<FinishedCase, 'artifacts'> & {
  readonly artifacts: readonly { readonly sha256: Sha256Id; readonly media_type: string }[];
};

/**
 * The journal of the command line: one line of JSON a change, flushed to the disk before the change is
 * acknowledged, and one file an artifact. Opening it plays the lines back. A last line that a killed process left
 * unfinished was never acknowledged and is cut off.
 */
export class JournalStore extends MemoryStore {
  readonly #folder: string;
  #log = -1;

  private constructor(folder: string) {
    super();
    this.#folder = folder;
  }

  /** Throws `journal_damaged` when a line other than the last cannot be read. */
  static async open(folder: string): Promise<JournalStore> {
    const store = new JournalStore(folder);
    mkdirSync(join(folder, 'artifacts'), { recursive: true });
    const file = join(folder, 'journal.jsonl');
    if (existsSync(file)) await store.#replay(file);
    store.#log = openSync(file, 'a');
    return store;
  }

  async #replay(file: string): Promise<void> {
    const bytes = readFileSync(file);
    const end = bytes.lastIndexOf(0x0a) + 1;
    if (end < bytes.length) truncateSync(file, end);
    const lines = bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
    for (const [number, line] of lines.entries()) {
      try {
        await this.#apply(JSON.parse(line) as Entry);
      } catch (cause) {
        throw new PixelproofError('journal_damaged', `Line ${number + 1} of ${file} cannot be read.`, {
          got: line,
          cause,
        });
      }
    }
  }

  async #apply(entry: Entry): Promise<void> {
    switch (entry.op) {
      case 'create':
        await super.create(entry.run);
        return;
      case 'runtime':
        return super.setRuntime(entry.run, entry.runtime);
      case 'update':
        await super.update(entry.run, entry.change);
        return;
      case 'journal':
        return super.journal(entry.run, entry.attempts);
      case 'commit':
        await super.commit(
          entry.run,
          entry.cases.map((one) => ({
            ...one,
            artifacts: one.artifacts.map((a) => ({ ...a, bytes: this.#read(a.sha256) })),
          })),
        );
        return;
      case 'keep':
        return super.keep(
          entry.run,
          entry.artifacts.map((a) => ({ ...a, bytes: this.#read(a.sha256) })),
        );
      case 'seal':
        await super.seal(entry.run, entry.root);
    }
  }

  override async create(run: NewRun): Promise<RunHeader> {
    const header = await super.create(run);
    this.#append({ op: 'create', run: { ...run, created_at: header.created_at } });
    return header;
  }

  override async setRuntime(run: string, runtime: RuntimeEvidence): Promise<void> {
    await super.setRuntime(run, runtime);
    this.#append({ op: 'runtime', run, runtime });
  }

  override async update(run: string, change: HeaderChange): Promise<RunHeader> {
    const header = await super.update(run, change);
    this.#append({ op: 'update', run, change });
    return header;
  }

  override async journal(run: string, attempts: readonly EndedAttempt[]): Promise<void> {
    await super.journal(run, attempts);
    this.#append({ op: 'journal', run, attempts });
  }

  override async commit(run: string, cases: readonly FinishedCase[]): Promise<RunHeader> {
    const header = await super.commit(run, cases);
    for (const { artifacts } of cases) {
      for (const { sha256, bytes } of artifacts) await writeFile(this.#path(sha256), bytes, { flush: true });
    }
    const logged = cases.map((one) => ({
      ...one,
      artifacts: one.artifacts.map(({ sha256, media_type }) => ({ sha256, media_type })),
    }));
    this.#append({ op: 'commit', run, cases: logged });
    return header;
  }

  override async keep(run: string, artifacts: readonly Artifact[]): Promise<void> {
    await super.keep(run, artifacts);
    for (const { sha256, bytes } of artifacts) await writeFile(this.#path(sha256), bytes, { flush: true });
    const logged = artifacts.map(({ sha256, media_type }) => ({ sha256, media_type }));
    this.#append({ op: 'keep', run, artifacts: logged });
  }

  override async seal(run: string, root: Sha256Id): Promise<RunHeader> {
    const header = await super.seal(run, root);
    this.#append({ op: 'seal', run, root });
    return header;
  }

  override close(): void {
    if (this.#log !== -1) closeSync(this.#log);
    this.#log = -1;
    super.close();
  }

  #path(sha256: string): string {
    return join(this.#folder, 'artifacts', sha256.replace(':', '-'));
  }

  #read(sha256: string): Uint8Array<ArrayBuffer> {
    return new Uint8Array(readFileSync(this.#path(sha256)));
  }

  #append(entry: Entry): void {
    writeSync(this.#log, `${JSON.stringify(entry as unknown as Json)}\n`);
    fsyncSync(this.#log);
  }
}
