import type { CaseQuery, Tally } from '../store';
import type { Database, StoredCase } from './schema';

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

/** One page. A cursor skips to the offset over keys alone, so no record before the page is read. */
export async function pageOfCases(database: Database, run: string, query: CaseQuery): Promise<StoredCase[]> {
  const { arm, outcome, offset, limit } = query;
  if (limit <= 0) return [];
  if (arm === undefined && outcome === undefined)
    return caseRange(database, run, undefined, offset - 1, limit);
  const store = database.transaction('cases').store;
  const index =
    arm !== undefined && outcome !== undefined
      ? store.index('arm_outcome')
      : arm !== undefined
        ? store.index('arm')
        : store.index('outcome');
  const prefix = [run, ...(arm === undefined ? [] : [arm]), ...(outcome === undefined ? [] : [outcome])];
  const range = IDBKeyRange.bound(prefix, [...prefix, []]);
  let cursor = await index.openKeyCursor(range);
  if (cursor !== null && offset > 0) cursor = await cursor.advance(offset);
  if (cursor === null) return [];
  return index.getAll(IDBKeyRange.bound(cursor.key, [...prefix, []]), limit);
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
