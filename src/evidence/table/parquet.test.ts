import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { toyRun } from '../../runner/testing/toy-run';
import { canonicalJson } from '../identity/canonical';
import type { Json, JsonObject } from '../identity/json';
import type { CaseRecord } from '../run';
import { parquetTable } from './parquet';

async function read(cases: readonly CaseRecord[], about: Record<string, string> = {}) {
  const bytes = await parquetTable(async function* () {
    yield* cases;
  }, about);
  const rows = await parquetReadObjects({ file: bytes.buffer });
  return { rows, metadata: parquetMetadata(bytes.buffer) };
}

const record = (ordinal: number, evidence: JsonObject, detail: JsonObject = {}): CaseRecord => ({
  arm: 'a',
  ordinal,
  outcome: 'exact',
  evidence,
  detail,
});

describe('a table of cases', () => {
  it('has a row a case in plan order and says which run it is of', async () => {
    const cases: CaseRecord[] = [];
    for await (const one of (await toyRun(2)).cases()) cases.push(one);
    const { rows, metadata } = await read(cases, { experiment: 'toy', root_digest: 'sha256:1' });
    expect(rows.map(({ arm, ordinal, outcome }) => [arm, ordinal, outcome])).toEqual(
      cases.map(({ arm, ordinal, outcome }) => [arm, ordinal, outcome]),
    );
    expect(metadata.key_value_metadata).toEqual([
      { key: 'experiment', value: 'toy' },
      { key: 'root_digest', value: 'sha256:1' },
    ]);
  });

  it('gives each value a column of its kind, and null where a case has none', async () => {
    const { rows } = await read([
      record(0, {
        read: { tank: 3, sure: 0.5, ok: true },
        list: [1, 'x'],
        mixed: 1,
        big: 2 ** 40,
        late: null,
      }),
      record(1, { read: { tank: null, sure: 1, ok: false }, mixed: 'one', big: 1 }, { 'odd name': 'é😀' }),
    ]);
    expect(rows).toEqual([
      {
        arm: 'a',
        ordinal: 0,
        outcome: 'exact',
        evidence_read_tank: 3,
        evidence_read_sure: 0.5,
        evidence_read_ok: true,
        evidence_list: [1, 'x'],
        evidence_mixed: 1,
        evidence_big: 1_099_511_627_776n,
        evidence_late: null,
        detail_odd_name: null,
      },
      {
        arm: 'a',
        ordinal: 1,
        outcome: 'exact',
        evidence_read_tank: null,
        evidence_read_sure: 1,
        evidence_read_ok: false,
        evidence_list: null,
        evidence_mixed: 'one',
        evidence_big: 1n,
        evidence_late: null,
        detail_odd_name: 'é😀',
      },
    ]);
  });

  it('keeps names apart that differ only where Parquet readers do not look', async () => {
    const { rows } = await read([record(0, { 'a b': 1, a_b: 2, 'A-b': 3 })]);
    expect(Object.keys(rows[0] ?? {}).slice(3)).toEqual(['evidence_a_b', 'evidence_a_b_2', 'evidence_A_b_3']);
  });

  it('has no column for an object that some cases do not have, but for its parts', async () => {
    const { rows } = await read([record(0, { read: null }), record(1, { read: { tank: 3 } })]);
    expect(rows.map(({ arm, ordinal, outcome, ...values }) => values)).toEqual([
      { evidence_read_tank: null },
      { evidence_read_tank: 3 },
    ]);
  });

  it('of no case is a table all the same', async () => {
    expect((await read([])).rows).toEqual([]);
  });

  it('loses no value of any record', async () => {
    const leaf = fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string(),
      fc.boolean(),
    );
    const object = fc.dictionary(fc.string({ maxLength: 4 }), leaf, { maxKeys: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(object, { minLength: 1, maxLength: 6 }), async (all) => {
        const { rows } = await read(all.map((evidence, at) => record(at, evidence)));
        for (const [at, evidence] of all.entries()) {
          const values = Object.entries(rows[at] ?? {})
            .filter(([name, value]) => name.startsWith('evidence_') && value !== null)
            .map(([, value]) => canonicalJson(plain(value)));
          expect(values.sort()).toEqual(
            Object.values(evidence)
              .map((value) => canonicalJson(value as Json))
              .sort(),
          );
        }
      }),
      { numRuns: 60 },
    );
  });
});

function plain(value: unknown): Json {
  return (typeof value === 'bigint' ? Number(value) : value) as Json;
}
