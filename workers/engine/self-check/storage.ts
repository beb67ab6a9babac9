import { deleteDB, openDB } from 'idb';
import { type Fact, having } from '../../../src/lab/self-check/report';

/** Apart from everything that is kept. A check that was cut off leaves it, and the next one deletes it. */
const NAME = 'pixelproof-self-check';
const WRITTEN = new Uint8Array([1, 2, 3, 4]);

function roundTrip(id: string, read: Uint8Array | undefined, milliseconds: number): Fact {
  const same =
    read !== undefined && read.length === WRITTEN.length && WRITTEN.every((byte, at) => read[at] === byte);
  const rounded = Math.round(milliseconds);
  return {
    id,
    state: same ? 'yes' : 'no',
    value: { equal: same, milliseconds: rounded },
    says: same ? `in ${rounded} ms` : 'other bytes came back',
  };
}

/** Denied where the browser says so, which is an answer and no failure of the check. */
function denied(id: string, thrown: unknown): Fact {
  const name = thrown instanceof Error ? thrown.name : 'no such thing here';
  return { id, state: 'no', value: { denied: name }, says: `denied: ${name}` };
}

export async function indexedDbFact(): Promise<Fact> {
  const began = performance.now();
  try {
    await deleteDB(NAME);
    const database = await openDB(NAME, 1, { upgrade: (opened) => void opened.createObjectStore('bytes') });
    await database.put('bytes', WRITTEN, 'one');
    const read: unknown = await database.get('bytes', 'one');
    database.close();
    await deleteDB(NAME);
    return roundTrip('indexeddb', read instanceof Uint8Array ? read : undefined, performance.now() - began);
  } catch (thrown) {
    return denied('indexeddb', thrown);
  }
}

export async function opfsFact(): Promise<Fact> {
  const began = performance.now();
  try {
    const folder = await navigator.storage.getDirectory();
    const file = await folder.getFileHandle(NAME, { create: true });
    const access = await file.createSyncAccessHandle();
    access.write(WRITTEN);
    access.flush();
    access.close();
    const read = new Uint8Array(await (await file.getFile()).arrayBuffer());
    await folder.removeEntry(NAME);
    return roundTrip('opfs', read, performance.now() - began);
  } catch (thrown) {
    return denied('opfs', thrown);
  }
}

export async function locksFact(): Promise<Fact> {
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined) return having('locks', false);
  return having('locks', await locks.request(NAME, async () => true), 'taken and let go');
}
