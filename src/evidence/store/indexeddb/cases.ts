import type { Artifact } from '../../run';
import type { CaseQuery, FinishedCase, Tally } from '../store';
import type { Database, StoredCase, Writing } from './schema';

/** Cases of a run after a place: positions over the whole plan, or ordinals where an arm is named. */
export function caseRange(
  database: Database,
  run: string,
  arm: string | undefined,
  after: number,
  limit: number,
): Promise<StoredCase[]> {
  if (arm === undefined) {
    return database.getAll('cases', IDBKeyRange.bound([run, after], [run, []], true), limit);
  }
  const range = IDBKeyRange.bound([run, arm, after], [run, arm, []], true);
  return database.getAllFromIndex('cases', 'arm', range, limit);
}

/**
 * One page of `total` that match. An arm's cases are neighbours in plan order, so their place is computed; with an
 * outcome, a cursor skips to the offset over keys alone. No record before the page is read.
 */
export async function pageOfCases(
  database: Database,
  run: string,
  query: CaseQuery,
  total: number,
): Promise<StoredCase[]> {
  const { arm, outcome, offset, limit } = query;
  const wanted = Math.min(limit, total - offset);
  if (wanted <= 0) return [];
  if (outcome === undefined) {
    const first = arm === undefined ? [] : await caseRange(database, run, arm, -1, 1);
    return caseRange(database, run, undefined, (first[0]?.position ?? 0) + offset - 1, wanted);
  }
  const store = database.transaction('cases').store;
  const index = arm === undefined ? store.index('outcome') : store.index('arm_outcome');
  const prefix = arm === undefined ? [run, outcome] : [run, arm, outcome];
  const range = IDBKeyRange.bound(prefix, [...prefix, []]);
  let cursor = await index.openKeyCursor(range);
  if (cursor !== null && offset > 0) cursor = await cursor.advance(offset);
  if (cursor === null) return [];
  return index.getAll(IDBKeyRange.bound(cursor.key, [...prefix, []]), wanted);
}

/** How many cases match, from the tallies. */
export function countOf(tallies: readonly Tally[], { arm, outcome }: CaseQuery): number {
  let total = 0;
  for (const tally of tallies) {
    if (arm !== undefined && tally.arm !== arm) continue;
    if (outcome !== undefined && tally.outcome !== outcome) continue;
    total += tally.count;
  }
  return total;
}

/**
 * Puts cases, tallies and artifacts into a transaction. Requests go out together and are awaited together: one
 * after the other they cost ten times as much.
 */
export async function writeCases(tx: Writing, run: string, cases: readonly FinishedCase[]): Promise<void> {
  const requests: Promise<unknown>[] = [];
  const send = sender(requests);
  const tallies = new Map<string, { arm: string; outcome: string; count: number }>();
  const artifacts = new Map(
    cases.flatMap((one) => one.artifacts.map((artifact) => [artifact.sha256, artifact])),
  );
  for (const { position, record } of cases) {
    send(tx.objectStore('cases').add({ run, position, ...record }));
    const { arm, outcome } = record;
    const name = JSON.stringify([arm, outcome]);
    const tally = tallies.get(name) ?? { arm, outcome, count: 0 };
    tally.count += 1;
    tallies.set(name, tally);
  }
  for (const { arm, outcome, count } of tallies.values()) {
    const store = tx.objectStore('tallies');
    const add = async () => {
      const before = await store.get([run, arm, outcome]);
      await store.put({ run, arm, outcome, count: (before?.count ?? 0) + count });
    };
    send(add());
  }
  send(writeArtifacts(tx, run, artifacts.values()));
  await Promise.all(requests);
}

/** Where one request throws at once, nobody comes to await those that are out; they fail with their transaction. */
function sender(requests: Promise<unknown>[]) {
  return (request: Promise<unknown>): void => {
    request.catch(() => {});
    requests.push(request);
  };
}

/** Puts artifacts into a transaction, each of them once whoever keeps it. */
export async function writeArtifacts(tx: Writing, run: string, artifacts: Iterable<Artifact>): Promise<void> {
  const requests: Promise<unknown>[] = [];
  const send = sender(requests);
  for (const artifact of artifacts) {
    const store = tx.objectStore('artifacts');
    const keep = async () => {
      if ((await store.getKey(artifact.sha256)) === undefined) await store.add(artifact);
    };
    send(tx.objectStore('links').put({ run, sha256: artifact.sha256 }));
    send(keep());
  }
  await Promise.all(requests);
}
