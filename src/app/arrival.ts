/** A key of the history entry: storage was just emptied or switched, so it cannot say what was done. */
export const ARRIVED = 'pixelproof-arrived';

/** Why a page loaded itself anew. */
export type Arrival = 'reset' | 'keeps-nothing' | 'keeps-again';
const ARRIVALS: readonly unknown[] = ['reset', 'keeps-nothing', 'keeps-again'] satisfies readonly Arrival[];

function isArrival(value: unknown): value is Arrival {
  return ARRIVALS.includes(value);
}

/** What this page was loaded anew for, said once; null for any other load. */
export function arrival(): Arrival | null {
  const state: unknown = history.state;
  if (typeof state !== 'object' || state === null) return null;
  const why: unknown = Reflect.get(state, ARRIVED);
  if (!isArrival(why)) return null;
  history.replaceState(null, '', location.hash);
  return why;
}
