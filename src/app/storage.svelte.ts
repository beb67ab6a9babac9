import { keepsNothing } from './memory-session';

/** Whether this browser keeps anything for this page. Private windows, sandboxed frames and settings can deny it. */
class Storage {
  /** True when nothing is kept because a person asked for it. */
  readonly asked = keepsNothing();
  /** True once it is known that runs live in memory only. */
  memoryOnly = $state(this.asked);

  constructor() {
    void this.#probe();
  }

  /** Asks without making anything: a listing of databases needs the same permission as opening one. */
  async #probe(): Promise<void> {
    try {
      const factory: IDBFactory | undefined = globalThis.indexedDB;
      if (factory === undefined || factory === null) this.memoryOnly = true;
      else await factory.databases?.();
    } catch {
      this.memoryOnly = true;
    }
  }
}

export const storage = new Storage();
