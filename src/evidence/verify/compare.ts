import { canonicalJson } from '../identity/canonical';
import type { Json } from '../identity/json';
import type { CaseKey, CaseRecord, RunSource } from '../run';

/** One thing in which two runs differ. `a` and `b` are canonical JSON, null where one side has nothing there. */
export interface RunDifference {
  readonly what: 'identity' | 'case_only_in_a' | 'case_only_in_b' | 'outcome' | 'evidence';
  /** `plan.prompt.text`, `unlabelled-v1 case 3`, `unlabelled-v1 case 3: evidence.reply`. */
  readonly where: string;
  readonly key: CaseKey | null;
  readonly a: string | null;
  readonly b: string | null;
}

/** At most so many places are named of one plan or of one case that differ everywhere. */
const PLACES = 50;

/**
 * What differs between two runs, streaming: first identities (experiment, plan, runtime), then cases in the order
 * of `a`, then the arms that only `b` has. Cases are matched by arm and ordinal.
 */
export async function* compareRuns(a: RunSource, b: RunSource): AsyncIterable<RunDifference> {
  const identity = (run: RunSource): Json => ({
    experiment: run.plan.experiment,
    plan_id: run.plan.plan_id,
    kind: run.plan.kind,
    plan: run.plan.frozen,
    runtime: run.runtime === null ? null : { ...run.runtime },
  });
  for (const [where, left, right] of places(identity(a), identity(b))) {
    yield { what: 'identity', where, key: null, a: left, b: right };
  }
  const seen = new Set<string>();
  let arm: string | null = null;
  let others: Side | null = null;
  for await (const record of a.cases()) {
    if (record.arm !== arm) {
      if (others !== null) yield* onlyIn('case_only_in_b', others);
      arm = record.arm;
      seen.add(arm);
      others = await sideOf(b.cases(arm));
    }
    if (others === null) break;
    while (others.next !== null && others.next.ordinal < record.ordinal) {
      yield only('case_only_in_b', others.next);
      await others.advance();
    }
    if (others.next?.ordinal === record.ordinal) {
      yield* differences(record, others.next);
      await others.advance();
    } else {
      yield only('case_only_in_a', record);
    }
  }
  if (others !== null) yield* onlyIn('case_only_in_b', others);
  for await (const record of b.cases()) if (!seen.has(record.arm)) yield only('case_only_in_b', record);
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

async function* onlyIn(what: 'case_only_in_b', side: Side): AsyncIterable<RunDifference> {
  for (; side.next !== null; await side.advance()) yield only(what, side.next);
}

function named({ arm, ordinal }: CaseKey): string {
  return `${arm} case ${ordinal + 1}`;
}

function only(what: 'case_only_in_a' | 'case_only_in_b', record: CaseRecord): RunDifference {
  const { arm, ordinal, outcome } = record;
  const text = canonicalJson(outcome);
  const inA = what === 'case_only_in_a';
  return { what, where: named(record), key: { arm, ordinal }, a: inA ? text : null, b: inA ? null : text };
}

function* differences(a: CaseRecord, b: CaseRecord): Iterable<RunDifference> {
  const key = { arm: a.arm, ordinal: a.ordinal };
  if (a.outcome !== b.outcome) {
    const [left, right] = [canonicalJson(a.outcome), canonicalJson(b.outcome)];
    yield { what: 'outcome', where: named(a), key, a: left, b: right };
  }
  for (const [where, left, right] of places({ evidence: a.evidence }, { evidence: b.evidence })) {
    yield { what: 'evidence', where: `${named(a)}: ${where}`, key, a: left, b: right };
  }
}

type Place = readonly [where: string, a: string | null, b: string | null];

/** The innermost places where two JSON values differ, without recursion, in the order of `a`'s keys. */
function* places(a: Json, b: Json): Iterable<Place> {
  const waiting: [string, Json | undefined, Json | undefined][] = [['', a, b]];
  let found = 0;
  for (let next = waiting.pop(); next !== undefined && found < PLACES; next = waiting.pop()) {
    const [where, left, right] = next;
    const [from, to] = [textOf(left), textOf(right)];
    if (from === to) continue;
    if (isContainer(left) && isContainer(right) && Array.isArray(left) === Array.isArray(right)) {
      const [mine, theirs] = [new Map(Object.entries(left)), new Map(Object.entries(right))];
      const keys = [...new Set([...mine.keys(), ...theirs.keys()])].reverse();
      for (const key of keys) {
        waiting.push([where === '' ? key : `${where}.${key}`, mine.get(key), theirs.get(key)]);
      }
    } else {
      found += 1;
      yield [where, from, to];
    }
  }
}

function isContainer(value: Json | undefined): value is readonly Json[] | { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null;
}

function textOf(value: Json | undefined): string | null {
  return value === undefined ? null : canonicalJson(value);
}
