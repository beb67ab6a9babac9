import { openIndexedDbStore, openStore } from '../../src/evidence/store/indexeddb/open';
import { DATABASE } from '../../src/evidence/store/indexeddb/schema';
import { MemoryStore } from '../../src/evidence/store/memory';
import type { RunStore, StoreEvent } from '../../src/evidence/store/store';

/** After these the connection is closed; the next call opens another. */
const ENDED: readonly string[] = ['store_outdated', 'store_terminated', 'store_reset'];

/** The store of one worker: opened with the first call that needs it. */
export class KeptStore {
  readonly #listeners: ((event: StoreEvent) => void)[] = [];
  /** What happened before anybody listened. */
  readonly #early: StoreEvent[] = [];
  #opened: Promise<RunStore> | null = null;
  #memory: RunStore | null = null;
  #always = false;

  onEvent(listener: (event: StoreEvent) => void): void {
    this.#listeners.push(listener);
    for (const event of this.#early.splice(0)) listener(event);
  }

  /**
   * Where runs go when nothing is kept: because the browser denies storage, or, with `always`, because a person asked
   * for that. Called before the first `open`.
   */
  inMemory(store: RunStore, always: boolean): void {
    this.#memory = store;
    this.#always = always;
  }

  /** A person wants it so. */
  get keepsNothing(): boolean {
    return this.#always;
  }

  open(): Promise<RunStore> {
    this.#memory ??= new MemoryStore();
    const memory = this.#memory;
    if (this.#always) return Promise.resolve(memory);
    this.#opened ??= openStore((event) => this.#tell(event), memory);
    this.#opened.catch(() => {
      this.#opened = null;
    });
    return this.#opened;
  }

  /**
   * How many runs a reset of the site ends: those that the browser stores, and those that only this tab has. Where this
   * tab keeps nothing it looks past its memory; it makes no database where there is none.
   */
  async everyRun(): Promise<{ readonly stored: number; readonly memory: number }> {
    const store = await this.open();
    const { total } = await store.list({ offset: 0, limit: 1 });
    if (this.#always) return { stored: await storedRuns(), memory: total };
    const { memory_only } = await store.usage();
    return memory_only ? { stored: 0, memory: total } : { stored: total, memory: 0 };
  }

  /** Lets go of the connection, so that the database can be deleted. */
  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    (await opened?.catch(() => null))?.close();
  }

  #tell(event: StoreEvent): void {
    if (ENDED.includes(event.code)) this.#opened = null;
    if (this.#listeners.length === 0) this.#early.push(event);
    for (const listener of this.#listeners) listener(event);
  }
}

/** Throws as `openIndexedDbStore`. */
async function storedRuns(): Promise<number> {
  const databases = await indexedDB.databases();
  if (!databases.some(({ name }) => name === DATABASE)) return 0;
  const store = await openIndexedDbStore(() => undefined);
  try {
    return (await store.list({ offset: 0, limit: 1 })).total;
  } finally {
    store.close();
  }
}
