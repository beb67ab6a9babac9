import type { CaseRecord, RunSource } from '../run';

/** A case of one run beside the case of the same arm and ordinal of another; null where one run has none. */
export interface CasePair {
  readonly a: CaseRecord | null;
  readonly b: CaseRecord | null;
}

/**
 * The cases of two runs side by side, streaming: in the order of `a`, then those of arms that only `b` has. Runs of one
 * plan, or of plans whose common arms stand in one order, are read once; an arm of `b` that stands elsewhere is read for
 * itself.
 */
export async function* casePairs(
  a: Pick<RunSource, 'cases'>,
  b: Pick<RunSource, 'cases'>,
): AsyncIterable<CasePair> {
  const main = await sideOf(b.cases());
  const seen = new Set<string>();
  let apart = false;
  let arm: string | null = null;
  let others = main;
  for await (const record of a.cases()) {
    if (record.arm !== arm) {
      if (arm !== null) yield* rest(others, arm);
      arm = record.arm;
      seen.add(arm);
      if (main.next?.arm === arm) others = main;
      else {
        apart = true;
        others = await sideOf(b.cases(arm));
      }
    }
    const inArm = () => (others.next?.arm === arm ? others.next : null);
    for (let next = inArm(); next !== null && next.ordinal < record.ordinal; next = inArm()) {
      yield { a: null, b: next };
      await others.advance();
    }
    const same = inArm()?.ordinal === record.ordinal ? others.next : null;
    yield { a: record, b: same };
    if (same !== null) await others.advance();
  }
  if (arm !== null) yield* rest(others, arm);
  if (!apart && main.next === null) return;
  for await (const record of b.cases()) if (!seen.has(record.arm)) yield { a: null, b: record };
}

/** A stream of cases with one of them in view. */
interface Side {
  next: CaseRecord | null;
  advance(): Promise<void>;
}

async function sideOf(cases: AsyncIterable<CaseRecord>): Promise<Side> {
  const iterator = cases[Symbol.asyncIterator]();
  const side: Side = {
    next: null,
    advance: async () => {
      const result = await iterator.next();
      side.next = result.done === true ? null : result.value;
    },
  };
  await side.advance();
  return side;
}

async function* rest(side: Side, arm: string): AsyncIterable<CasePair> {
  for (; side.next?.arm === arm; await side.advance()) yield { a: null, b: side.next };
}
