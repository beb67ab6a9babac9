import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toyRun } from '../../runner/testing/toy-run';
import type { Json } from '../identity/json';
import type { CaseRecord, StoredRun } from '../run';
import { type ComparedRun, compareRuns } from './compare';
import { casePairs } from './pairs';
import { differingPlaces } from './places';
import { comparisonSentence } from './sentence';

const compared = (source: StoredRun, root: string | null = null): ComparedRun => ({
  source,
  provider: source.header.provider,
  root_digest: (root as ComparedRun['root_digest']) ?? source.header.root_digest,
  record_digest: null,
});
const compare = (a: StoredRun, b: StoredRun) => compareRuns(compared(a), compared(b));

async function casesOf(run: StoredRun): Promise<CaseRecord[]> {
  const all: CaseRecord[] = [];
  for await (const record of run.cases()) all.push(record);
  return all;
}

function withCases(run: StoredRun, change: (cases: CaseRecord[]) => readonly CaseRecord[]): StoredRun {
  return {
    ...run,
    cases: async function* (arm) {
      yield* change(await casesOf(run)).filter((record) => arm === undefined || record.arm === arm);
    },
  };
}

describe('two runs', () => {
  it('of the same plan and replies have equal findings', async () => {
    const told = await compare(await toyRun(2), await toyRun(2));
    expect(told.findings).toBe('equal');
    expect(told.cases).toMatchObject({ a: 4, b: 4, both: 4, equal: 4 });
    expect(told.plan).toEqual({ total: 0, items: [] });
    expect(told.identities.every(({ equal }) => equal)).toBe(true);
    expect(comparisonSentence({ ...told, records: 'different' })).toBe(
      'The findings are equal: both runs have the same root digest over 4 cases. The records differ: time, latencies or another circumstance that is no finding.',
    );
    expect(comparisonSentence({ ...told, records: 'equal' })).toContain('one run twice');
  });

  it('of different plans: the member of the plan is named, and cases that only one has', async () => {
    const told = await compare(await toyRun(2), await toyRun(3));
    expect(told.findings).toBe('different');
    expect(told.plan).toEqual({ total: 1, items: [{ path: '$.cases', a: '2', b: '3' }] });
    expect(told.identities.filter(({ equal }) => !equal).map(({ what }) => what)).toEqual([
      'plan id',
      'root digest',
    ]);
    expect(told.cases.only_a.total).toBe(0);
    expect(told.cases.only_b).toEqual({
      total: 2,
      items: [
        { arm: 'once', ordinal: 2, a: null, b: 'correct', first: null },
        { arm: 'twice', ordinal: 2, a: null, b: 'correct', first: null },
      ],
    });
    expect(comparisonSentence(told)).toBe(
      'The findings differ: the root digests are not the same. The plans differ: 4 cases in common, all equal; 2 cases only in B.',
    );
  });

  it('that differ in outcomes, in evidence and in whole arms', async () => {
    const run = await toyRun(2);
    const other = withCases(run, ([a, b, c, d]) => {
      if (!a || !b || !c || !d) throw new Error('four cases');
      const evidence = { ...a.evidence, replies: ['9', '8'] };
      return [{ ...a, outcome: 'wrong' }, { ...b, evidence }, { ...c, arm: 'third' }, d];
    });
    const { cases, tallies } = await compareRuns(compared(run), compared(other, `sha256:${'0'.repeat(64)}`));
    expect(cases).toMatchObject({ a: 4, b: 4, both: 3, equal: 1 });
    expect(cases.outcome.items).toEqual([{ arm: 'once', ordinal: 0, a: 'correct', b: 'wrong', first: null }]);
    expect(cases.evidence.items).toMatchObject([{ arm: 'once', ordinal: 1, a: 'correct', b: 'correct' }]);
    expect(cases.evidence.items[0]?.first?.path).toMatch(/^\$\./);
    expect(cases.only_a.items).toMatchObject([{ arm: 'twice', ordinal: 0, a: 'correct', b: null }]);
    expect(cases.only_b.items).toMatchObject([{ arm: 'third', ordinal: 0, a: null, b: 'correct' }]);
    expect(tallies.items).toEqual([
      { arm: 'once', outcome: 'correct', a: 2, b: 1 },
      { arm: 'once', outcome: 'wrong', a: 0, b: 1 },
      { arm: 'twice', outcome: 'correct', a: 2, b: 1 },
      { arm: 'third', outcome: 'correct', a: 0, b: 1 },
    ]);
  });

  it('of which one is unfinished: no equality is claimed', async () => {
    const run = await toyRun(2);
    const open: ComparedRun = {
      ...compared(withCases(run, (cases) => cases.slice(0, 3))),
      root_digest: null,
    };
    const told = await compareRuns(compared(run), open);
    expect(told.findings).toBe('unfinished');
    expect(comparisonSentence(told)).toBe(
      'A run that is not complete has no root digest, so the findings cannot be called equal yet. The plans are equal: 3 cases in common, all equal; 1 case only in A.',
    );
  });

  it('that differ in everything are told in bounded space, with true totals', async () => {
    const run = await toyRun(1);
    const many = (outcome: string): StoredRun => ({
      ...run,
      plan: { ...run.plan, frozen: { list: Array.from({ length: 5000 }, (_, i) => `${outcome} ${i}`) } },
      cases: async function* () {
        for (let ordinal = 0; ordinal < 3000; ordinal += 1)
          yield { arm: 'one', ordinal, outcome, evidence: {}, detail: {} };
      },
    });
    const told = await compare(many('x'), many('y'));
    expect(told.plan).toMatchObject({ total: 5000, items: { length: 200 } });
    expect(told.cases.outcome).toMatchObject({ total: 3000, items: { length: 200 } });
  });
});

describe('pairs of cases', () => {
  const run = (keys: readonly string[]) => {
    let reads = 0;
    return {
      reads: () => reads,
      cases: async function* (arm?: string): AsyncIterable<CaseRecord> {
        reads += 1;
        for (const key of keys) {
          const [name = '', ordinal] = key.split(' ');
          if (arm === undefined || arm === name)
            yield { arm: name, ordinal: Number(ordinal), outcome: 'x', evidence: {}, detail: {} };
        }
      },
    };
  };
  const pairsOf = async (a: readonly string[], b: readonly string[]) => {
    const [one, two] = [run(a), run(b)];
    const pairs: string[] = [];
    const named = (record: CaseRecord | null) => (record === null ? '' : `${record.arm} ${record.ordinal}`);
    for await (const pair of casePairs(one, two)) pairs.push(`${named(pair.a)}|${named(pair.b)}`);
    return { pairs, reads: two.reads() };
  };

  it('of one plan are read once', async () => {
    const keys = ['a 0', 'a 1', 'b 0'];
    expect(await pairsOf(keys, keys)).toEqual({ pairs: ['a 0|a 0', 'a 1|a 1', 'b 0|b 0'], reads: 1 });
  });

  it('every case of both comes exactly once, whatever the arms and their order', async () => {
    const keysOf = (arms: readonly (readonly [string, readonly number[]])[]) =>
      arms.flatMap(([arm, ordinals]) => [...ordinals].sort((x, y) => x - y).map((n) => `${arm} ${n}`));
    const side = fc.uniqueArray(
      fc.tuple(
        fc.constantFrom('a', 'b', 'c', 'd'),
        fc.uniqueArray(fc.nat({ max: 5 }), { minLength: 1, maxLength: 4 }),
      ),
      { selector: ([arm]) => arm, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(side, side, async (left, right) => {
        const [a, b] = [keysOf(left), keysOf(right)];
        const { pairs } = await pairsOf(a, b);
        expect(pairs.map((pair) => pair.split('|')[0]).filter(Boolean)).toEqual(a);
        expect(
          pairs
            .map((pair) => pair.split('|')[1])
            .filter(Boolean)
            .sort(),
        ).toEqual([...b].sort());
        for (const pair of pairs) {
          const [x, y] = pair.split('|');
          if (x !== '' && y !== '') expect(x).toBe(y);
          else expect(a.includes(x || (y ?? '')) && b.includes(x || (y ?? ''))).toBe(false);
        }
      }),
    );
  });
});

describe('places where two values differ', () => {
  const places = (a: Json, b: Json) => [...differingPlaces(a, b)];

  it('are named by JSONPath with both sides', () => {
    const a = { prompt: { text: 'x' }, arms: [1, 2], 'a b': { "it's": 1 }, same: [{}] };
    const b = { prompt: { text: 'y' }, arms: [1, 3, 4], 'a b': { "it's": 2 }, same: [{}], more: null };
    expect(places(a, b)).toEqual([
      { path: '$.prompt.text', a: '"x"', b: '"y"' },
      { path: '$.arms[1]', a: '2', b: '3' },
      { path: '$.arms[2]', a: null, b: '4' },
      { path: "$['a b']['it\\'s']", a: '1', b: '2' },
      { path: '$.more', a: null, b: 'null' },
    ]);
    expect(places([1], { 0: 1 })).toEqual([{ path: '$', a: '[1]', b: '{"0":1}' }]);
  });

  it('of long texts are quoted around the first difference', () => {
    const [one, two] = [`${'a'.repeat(5000)}X${'b'.repeat(900)}`, `${'a'.repeat(5000)}Y`];
    const [place] = places(one, two);
    expect(place?.a).toMatch(/^…a{80}Xb+… \(5903 characters\)$/);
    expect(place?.b).toBe(`…${'a'.repeat(80)}Y" (5003 characters)`);
  });
});
