import { describe, expect, it } from 'vitest';
import { toyRun } from '../../runner/testing/toy-run';
import type { CaseRecord, StoredRun } from '../run';
import { compareRuns, type RunDifference } from './compare';

async function difference(a: StoredRun, b: StoredRun): Promise<RunDifference[]> {
  const all: RunDifference[] = [];
  for await (const one of compareRuns(a, b)) all.push(one);
  return all;
}

function withCases(run: StoredRun, change: (cases: CaseRecord[]) => CaseRecord[]): StoredRun {
  return {
    ...run,
    cases: async function* (arm) {
      const all: CaseRecord[] = [];
      for await (const record of run.cases()) all.push(record);
      yield* change(all).filter((record) => arm === undefined || record.arm === arm);
    },
  };
}

describe('two runs', () => {
  it('that are the same do not differ', async () => {
    expect(await difference(await toyRun(2), await toyRun(2))).toEqual([]);
  });

  it('differ in identities and in cases', async () => {
    const all = await difference(await toyRun(2), await toyRun(3));
    expect(all.map(({ what, where, a, b }) => [what, where, a, b])).toEqual([
      ['identity', 'plan_id', expect.any(String), expect.any(String)],
      ['identity', 'plan.cases', '2', '3'],
      ['case_only_in_b', 'once case 3', null, '"correct"'],
      ['case_only_in_b', 'twice case 3', null, '"correct"'],
    ]);
  });

  it('differ in outcomes and evidence, and in whole arms', async () => {
    const run = await toyRun(2);
    const other = withCases(run, ([a, b, c, d]) => {
      if (!a || !b || !c || !d) throw new Error('four cases');
      const evidence = { ...a.evidence, replies: ['9', '8'] };
      return [{ ...a, outcome: 'wrong', evidence }, b, { ...c, arm: 'third' }, d];
    });
    const key = { arm: 'once', ordinal: 0 };
    expect(await difference(run, other)).toEqual([
      { what: 'outcome', where: 'once case 1', key, a: '"correct"', b: '"wrong"' },
      { what: 'evidence', where: 'once case 1: evidence.replies.0', key, a: '"0"', b: '"9"' },
      { what: 'evidence', where: 'once case 1: evidence.replies.1', key, a: null, b: '"8"' },
      {
        what: 'case_only_in_a',
        where: 'twice case 1',
        key: { arm: 'twice', ordinal: 0 },
        a: '"correct"',
        b: null,
      },
      {
        what: 'case_only_in_b',
        where: 'third case 1',
        key: { arm: 'third', ordinal: 0 },
        a: null,
        b: '"correct"',
      },
    ]);
  });

  it('that differ in everything are described in bounded space', async () => {
    const run = await toyRun(1);
    const wide = (n: number): StoredRun => ({
      ...run,
      plan: { ...run.plan, frozen: { list: Array.from({ length: 10_000 }, (_, i) => i * n) } },
    });
    expect(await difference(wide(2), wide(3))).toHaveLength(50);
  });
});
