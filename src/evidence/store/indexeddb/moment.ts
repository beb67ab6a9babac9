import { BATCH, type Moment } from '../store';
import type { Database } from './schema';

const READ = ['runs', 'plans', 'tallies', 'exchanges', 'links'] as const;

/** A run at one moment, from one transaction; null where there is none. Of its artifacts no bytes are read. */
export async function momentOf(database: Database, run: string): Promise<Moment | null> {
  const tx = database.transaction(READ);
  const header = await tx.objectStore('runs').get(run);
  if (header === undefined) return null;
  const ofRun = IDBKeyRange.bound([run], [run, []]);
  const finished = IDBKeyRange.bound([run], [run, header.done], false, true);
  const exchanges = tx.objectStore('exchanges');
  const [stored, tallies, settled, open, links] = await Promise.all([
    tx.objectStore('plans').get(run),
    inParts(
      run,
      [run],
      (range) => tx.objectStore('tallies').getAll(range, BATCH),
      ({ arm, outcome }) => [run, arm, outcome],
    ),
    exchanges.count(finished),
    inParts(
      run,
      [run, header.done],
      (range) => exchanges.getAll(range, BATCH),
      ({ position, index, serial }) => [run, position, index, serial],
    ),
    tx.objectStore('links').getAllKeys(ofRun),
  ]);
  if (stored === undefined) return null;
  const { plan, environment, runtime } = stored;
  return {
    header,
    plan,
    environment,
    runtime,
    tallies: tallies.map(({ arm, outcome, count }) => ({ arm, outcome, count })),
    settled,
    open: open.map(({ position, arm, ordinal, index, exchange }) => ({
      position,
      key: { arm, ordinal },
      index,
      exchange,
    })),
    artifacts: links.map(([, sha256]) => sha256),
  };
}

/** Records of a run after a key, a batch at a time: an episode may have more attempts than one answer should hold. */
async function inParts<T>(
  run: string,
  first: IDBValidKey,
  read: (range: IDBKeyRange) => Promise<readonly T[]>,
  keyOf: (record: T) => IDBValidKey,
): Promise<readonly T[]> {
  const all: T[] = [];
  for (let from = first; ; ) {
    const part = await read(IDBKeyRange.bound(from, [run, []], true));
    all.push(...part);
    const last = part.at(-1);
    if (last === undefined || part.length < BATCH) return all;
    from = keyOf(last);
  }
}
