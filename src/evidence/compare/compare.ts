import type { ProviderDescription } from '../../providers/provider';
import { canonicalJson } from '../identity/canonical';
import type { Sha256Id } from '../identity/json';
import type { CaseRecord, RunSource } from '../run';
import { type CasePair, casePairs } from './pairs';
import { differingPlaces, type Place, quoted } from './places';

/** A run as the comparison takes it. Digests are null of a run that is not complete. */
export interface ComparedRun {
  readonly source: RunSource;
  readonly provider: ProviderDescription;
  readonly root_digest: Sha256Id | null;
  readonly record_digest: Sha256Id | null;
}

/** At most so many of a list are kept; `total` counts them all. */
interface Bounded<T> {
  readonly total: number;
  readonly items: readonly T[];
}

/** What is said of both runs. `a` and `b` are plain texts, null where a run has none. */
interface IdentityRow {
  readonly what: string;
  readonly a: string | null;
  readonly b: string | null;
  readonly equal: boolean;
}

export interface ComparedCase {
  readonly arm: string;
  /** From 0, as everywhere in evidence. */
  readonly ordinal: number;
  /** The outcome in each run, null where it has no such case. */
  readonly a: string | null;
  readonly b: string | null;
  /** The first member of the evidence that differs, of a case that both runs have. */
  readonly first: Place | null;
}

interface TallyRow {
  readonly arm: string;
  readonly outcome: string;
  readonly a: number;
  readonly b: number;
}

/** Everything in which two runs differ, in bounded space whatever their size. It can be sent and written as JSON. */
export interface RunComparison {
  /** By root digest; `unfinished` where a run has none yet. */
  readonly findings: 'equal' | 'different' | 'unfinished';
  /** By record digest. */
  readonly records: 'equal' | 'different' | 'unfinished';
  readonly identities: readonly IdentityRow[];
  /** Members of the frozen plans. */
  readonly plan: Bounded<Place>;
  readonly cases: {
    readonly a: number;
    readonly b: number;
    readonly both: number;
    readonly equal: number;
    readonly only_a: Bounded<ComparedCase>;
    readonly only_b: Bounded<ComparedCase>;
    readonly outcome: Bounded<ComparedCase>;
    readonly evidence: Bounded<ComparedCase>;
  };
  /** In plan order of the arms as they were met. */
  readonly tallies: Bounded<TallyRow>;
}

const LIMIT = 200;
const TALLIES = 2000;

/**
 * Compares two runs, streaming over both. Cases are matched by arm and ordinal, so runs of different plans can be
 * compared too. Latencies and what else is circumstance are not compared: the record digest says whether they differ.
 */
export async function compareRuns(a: ComparedRun, b: ComparedRun): Promise<RunComparison> {
  const plan = new List<Place>(LIMIT);
  for (const place of differingPlaces(a.source.plan.frozen, b.source.plan.frozen)) plan.add(() => place);
  return {
    findings: relation(a.root_digest, b.root_digest),
    records: relation(a.record_digest, b.record_digest),
    identities: identities(a, b),
    plan: plan.bounded(),
    ...(await comparedCases(casePairs(a.source, b.source))),
  };
}

function relation(a: Sha256Id | null, b: Sha256Id | null): RunComparison['findings'] {
  if (a === null || b === null) return 'unfinished';
  return a === b ? 'equal' : 'different';
}

function identities(a: ComparedRun, b: ComparedRun): readonly IdentityRow[] {
  const said = ({ source: { plan, runtime }, provider, root_digest, record_digest }: ComparedRun) =>
    new Map<string, string | null>([
      ['experiment', plan.experiment],
      ['plan id', plan.plan_id],
      ['root digest', root_digest],
      ['record digest', record_digest],
      ['kind', plan.kind],
      ['provider', provider.label],
      ['model', provider.model],
      ['seed', provider.seed === null ? null : String(provider.seed)],
      ['address', provider.base_url],
      [
        'runtime',
        runtime === null ? null : [runtime.runtime_name, runtime.runtime_version ?? ''].join(' ').trim(),
      ],
      ['weights', runtime?.model_digest ?? null],
    ]);
  const other = said(b);
  return [...said(a)].flatMap(([what, mine]) => {
    const theirs = other.get(what) ?? null;
    return mine === null && theirs === null ? [] : [{ what, a: mine, b: theirs, equal: mine === theirs }];
  });
}

async function comparedCases(
  pairs: AsyncIterable<CasePair>,
): Promise<Pick<RunComparison, 'cases' | 'tallies'>> {
  const onlyA = new List<ComparedCase>(LIMIT);
  const onlyB = new List<ComparedCase>(LIMIT);
  const outcome = new List<ComparedCase>(LIMIT);
  const evidence = new List<ComparedCase>(LIMIT);
  const tallies = new Map<string, { arm: string; outcome: string; a: number; b: number }>();
  const count = (record: CaseRecord | null, side: 'a' | 'b'): void => {
    if (record === null) return;
    const key = JSON.stringify([record.arm, record.outcome]);
    const row = tallies.get(key) ?? { arm: record.arm, outcome: record.outcome, a: 0, b: 0 };
    row[side] += 1;
    tallies.set(key, row);
  };
  let [both, equal] = [0, 0];
  for await (const { a, b } of pairs) {
    count(a, 'a');
    count(b, 'b');
    if (a === null || b === null) {
      (a === null ? onlyB : onlyA).add(() => compared(a, b));
      continue;
    }
    both += 1;
    if (a.outcome !== b.outcome) outcome.add(() => compared(a, b));
    else if (canonicalJson(a.evidence) !== canonicalJson(b.evidence)) evidence.add(() => compared(a, b));
    else equal += 1;
  }
  const rows = new List<TallyRow>(TALLIES);
  for (const row of inArmOrder([...tallies.values()])) rows.add(() => row);
  return {
    cases: {
      a: both + onlyA.total,
      b: both + onlyB.total,
      both,
      equal,
      only_a: onlyA.bounded(),
      only_b: onlyB.bounded(),
      outcome: outcome.bounded(),
      evidence: evidence.bounded(),
    },
    tallies: rows.bounded(),
  };
}

function compared(a: CaseRecord | null, b: CaseRecord | null): ComparedCase {
  const { arm, ordinal } = (a ?? b) as CaseRecord;
  let first: Place | null = null;
  if (a !== null && b !== null)
    for (const place of differingPlaces(a.evidence, b.evidence)) {
      first = place;
      break;
    }
  const sides = quoted(a?.outcome ?? null, b?.outcome ?? null);
  return { arm, ordinal, a: sides.a, b: sides.b, first };
}

/** Outcomes of an arm stand together and in the order of their names; arms stay as they came. */
function inArmOrder<T extends { readonly arm: string; readonly outcome: string }>(
  rows: readonly T[],
): readonly T[] {
  const place = new Map<string, number>();
  for (const { arm } of rows) if (!place.has(arm)) place.set(arm, place.size);
  const of = (arm: string): number => place.get(arm) ?? 0;
  return rows.toSorted((x, y) => of(x.arm) - of(y.arm) || (x.outcome < y.outcome ? -1 : 1));
}

class List<T> {
  total = 0;
  readonly #most: number;
  readonly #items: T[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** What is past the bound is counted and not made. */
  add(make: () => T): void {
    this.total += 1;
    if (this.#items.length < this.#most) this.#items.push(make());
  }

  bounded(): Bounded<T> {
    return { total: this.total, items: this.#items };
  }
}
