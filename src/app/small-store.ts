import { deleteDB, openDB } from 'idb';
import { keepsNothing } from './memory-session';

/** A few values by name, in an IndexedDB database of their own. No evidence is in it, and no evidence code opens it. */
export interface SmallStore<T> {
  /** Everything there is. Makes no database where there is none, and gives nothing where storage is denied or not wanted. */
  load(): Promise<ReadonlyMap<string, T>>;
  /** Rejects where the browser keeps nothing. */
  put(name: string, value: T): Promise<void>;
  /** The last value takes the database with it. */
  remove(name: string): Promise<void>;
}

const VALUES = 'values';

export function smallStore<T>(database: string): SmallStore<T> {
  const open = () => openDB(database, 1, { upgrade: (fresh) => void fresh.createObjectStore(VALUES) });
  // A tab that keeps nothing begins as a first visit does, and leaves what others kept as it is.
  const exists = async () => {
    if (keepsNothing()) return false;
    const all = await indexedDB.databases?.();
    return all === undefined || all.some(({ name }) => name === database);
  };
  return {
    async load() {
      try {
        if (!(await exists())) return new Map();
        const db = await open();
        const [names, values] = await Promise.all([db.getAllKeys(VALUES), db.getAll(VALUES)]);
        db.close();
        return new Map(names.map((name, at) => [String(name), values[at] as T]));
      } catch {
        return new Map();
      }
    },
    async put(name, value) {
      if (keepsNothing()) throw new DOMException('This tab keeps nothing.', 'NotAllowedError');
      const db = await open();
      await db.put(VALUES, value, name);
      db.close();
    },
    async remove(name) {
      if (!(await exists())) return;
      const db = await open();
      await db.delete(VALUES, name);
      const left = await db.count(VALUES);
      db.close();
      if (left === 0) await deleteDB(database);
    },
  };
}
