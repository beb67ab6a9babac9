import { describe, expect, test } from 'vitest';
import type { Ask } from '../../runner/experiment';
import { caseOfRecord, pngRepresentation, replayDescription, reportOf } from './index';
import { exchange, OLLAMA, runInMemory, SCRIPTED, treeOf } from './testing/memory-run';

const code = (code: string) => expect.objectContaining({ code });

describe('a plan', () => {
  const plan = (parameters: Record<string, unknown>, provider = SCRIPTED) =>
    pngRepresentation.plan(parameters as never, provider);

  test.each([
    ['plan_unknown_parameter', { fixtures: 'smoke' }],
    ['plan_fixture', { fixture: 'tiny' }],
    ['plan_variants', { variants: [] }],
    ['plan_variants', { variants: ['nope'] }],
    ['plan_variants', { variants: ['labelled-v1', 'labelled-v1'] }],
    ['plan_variants', { variants: 'labelled-v1' }],
    [
      'plan_combined',
      { variants: ['combined-v1'], combined_cooldown: 'cooldown-dual-v1', combined_lane: 'lane-enhanced-v1' },
    ],
    [
      'plan_combined',
      { variants: ['cooldown-dual-v1', 'combined-v1'], combined_cooldown: 'cooldown-dual-v1' },
    ],
    ['plan_max_cases', { max_cases: 0 }],
    ['plan_max_cases', { max_cases: 1.5 }],
    ['plan_seed', { seed: 0.5 }],
    ['plan_threshold', { confidence_threshold: 1.01 }],
    ['plan_threshold', { confidence_threshold: -0.1 }],
    ['plan_timeout', { timeout: 0 }],
    ['plan_stamp', { stamp: '2026-01-01' }],
    ['plan_text', { model: '' }],
    ['plan_flag', { write_pngs: 1 }],
  ])('%s refuses %j', async (expected, parameters) => {
    await expect(plan(parameters)).rejects.toThrow(code(expected));
  });

  test('the provider decides model and seed, and a replay what can be replayed', async () => {
    await expect(plan({ model: 'other' }, OLLAMA)).rejects.toThrow(code('plan_model'));
    await expect(plan({ seed: 5 }, OLLAMA)).rejects.toThrow(code('plan_seed'));
    for (const parameters of [
      { fixture: 'canonical' },
      { max_cases: 7 },
      { variants: ['footer-only-v1'] },
      { confidence_threshold: 0.5 },
    ]) {
      await expect(plan(parameters, replayDescription())).rejects.toThrow(code('plan_replay'));
    }
  });

  test('what identifies is frozen, what does not is not', async () => {
    const first = await plan({}, OLLAMA);
    const later = await plan(
      {
        stamp: '20300101T000000Z',
        timeout: 5,
        base_url: 'http://other',
        compile_reports: true,
        write_pngs: false,
      },
      { ...OLLAMA, base_url: 'http://elsewhere' },
    );
    expect(later.plan_id).toBe(first.plan_id);
    expect(first.circumstances.stamp).toMatch(/^\d{8}T\d{6}Z$/);
    expect((await plan({})).circumstances.stamp).toBe('20260101T000000Z');
    for (const other of [
      { fixture: 'canonical' },
      { max_cases: 2 },
      { confidence_threshold: 0.5 },
      { variants: ['labelled-v1'] },
    ]) {
      expect((await plan(other, OLLAMA)).plan_id).not.toBe(first.plan_id);
    }
    expect((await plan({ max_cases: 3 })).case_count).toBe(18);
    await expect(pngRepresentation.materialise(first, { arm: 'labelled-v1', ordinal: 8 })).rejects.toThrow(
      code('case_unknown'),
    );
  });
});

describe('judging', () => {
  const answers =
    (reply: string, more = {}): (() => Ask) =>
    () =>
    async () =>
      exchange(reply, {
        latency_us: 2000,
        response_metadata_text: '{"backend":"ollama","wall_ms":2.0}',
        ...more,
      });
  const lines = (tank: number, confidence: number) =>
    `TANK_COLUMN: ${tank}\nTARGET_COLUMN: NONE\nCOOLDOWN: READY\nCONFIDENCE: ${confidence}`;
  const small = { variants: ['unlabelled-v1'], max_cases: 1, stamp: '20260101T000000Z' };

  test('metadata keeps the kind of its numbers', async () => {
    const run = await runInMemory(small, OLLAMA, answers(lines(0, 80)));
    const [record] = run.records;
    expect(record).toMatchObject({ outcome: 'exact', detail: { latency_us: 2000 } });
    expect(record?.detail.case).toContain('"provider_response_metadata":{"backend":"ollama","wall_ms":2.0}');
    expect(JSON.stringify(record?.evidence)).not.toContain('20260101');
  });

  test('the root’s part of a case depends on neither stamp nor latency', async () => {
    const a = await runInMemory(small, OLLAMA, answers(lines(0, 80)));
    const b = await runInMemory(
      { ...small, stamp: '20300101T000000Z' },
      OLLAMA,
      answers(lines(0, 80), { latency_us: 7 }),
    );
    expect(b.records.map((each) => each.evidence)).toEqual(a.records.map((each) => each.evidence));
    expect(b.records[0]?.detail.case_id).not.toBe(a.records[0]?.detail.case_id);
  });

  test('below the threshold a case is refused and keeps what came with it', async () => {
    const run = await runInMemory({ ...small, confidence_threshold: 0.9 }, OLLAMA, answers(lines(0, 80)));
    const dto = run.records[0] === undefined ? null : caseOfRecord(run.records[0]);
    expect(dto).toMatchObject({
      outcome: 'rejected',
      rejection_reason: 'confidence_below_threshold',
      provider_confidence_basis_points: 8000,
      provider_latency_us: 2000,
      provider_raw_response_text: lines(0, 80),
    });
    const line = JSON.parse((await treeOf(run)).get('unlabelled-v1/cases.jsonl') ?? '') as Record<
      string,
      unknown
    >;
    expect(line.prediction).toMatchObject({ tank_column: 0, confidence: 0.8 });
    expect(line).not.toHaveProperty('error');
    expect(
      await runInMemory({ ...small, confidence_threshold: 0.8 }, OLLAMA, answers(lines(0, 80))),
    ).toMatchObject({
      records: [{ outcome: 'exact' }],
    });
  });

  test('a refused reply keeps nothing but its reason', async () => {
    const run = await runInMemory(small, OLLAMA, answers('no idea'));
    const reason = "ValueError: model text is missing tank column: 'no idea'";
    expect(run.records[0]).toMatchObject({
      outcome: 'rejected',
      evidence: { reply_text: 'no idea', rejection_reason: reason, prediction: null },
      detail: { latency_us: null },
    });
    const blank = await runInMemory(small, OLLAMA, answers('  ', { reply_error: 'RuntimeError: empty' }));
    expect(blank.records[0]).toMatchObject({ evidence: { rejection_reason: 'RuntimeError: empty' } });
    const report = await pngRepresentation.report(blank);
    expect(report.variants).toMatchObject([
      { outcomes: { rejected: 1 }, confusion: { cooldown: { '0': { rejected: 1 } } } },
    ]);
  });

  test('a failed call is no case', async () => {
    const failed = { cause: { code: 'provider_timeout', message: 'late' } };
    await expect(runInMemory(small, OLLAMA, () => async () => exchange(null, failed))).rejects.toThrow(
      code('exchange_without_reply'),
    );
  });
});

describe('the gates', () => {
  const asks =
    (reply: (image: Uint8Array) => string): (() => Ask) =>
    () =>
    async (_i, question) =>
      exchange(reply(question.image));
  const right = 'TANK_COLUMN: 0\nTARGET_COLUMN: NONE\nCOOLDOWN: READY\nCONFIDENCE: 90';
  const parameters = { variants: ['labelled-v1', 'unlabelled-v1', 'semantic-labelled-v1'], max_cases: 1 };
  const runtime = { runtime_name: 'ollama', runtime_version: '1', model_digest: 'abc', details: null };
  const verdicts = (report: unknown) =>
    (
      report as {
        interpretation: { checks: { id: string; verdict: string }[]; attribution_allowed: boolean };
      }
    ).interpretation;

  test('all five pass', async () => {
    const run = {
      ...(await runInMemory(
        parameters,
        OLLAMA,
        asks(() => right),
      )),
      runtime,
    };
    const gate = verdicts(await reportOf(run, { inspected: true, reviewed: true }));
    expect(gate.checks.map((check) => [check.id, check.verdict])).toEqual([
      ['model_identity', 'pass'],
      ['one_protocol', 'pass'],
      ['same_pictures', 'pass'],
      ['same_outcomes', 'pass'],
      ['inspection', 'pass'],
    ]);
    expect(gate.attribution_allowed).toBe(true);
  });

  test('each check can stay open or fail', async () => {
    let calls = 0;
    const moody = asks(() => (calls++ === 0 ? right : right.replace('READY', 'BLOCKED')));
    const run = { ...(await runInMemory(parameters, OLLAMA, moody)), runtime: null };
    const gate = verdicts(await reportOf(run, { inspected: false, reviewed: false }));
    expect(gate.checks.map((check) => check.verdict)).toEqual(['unknown', 'pass', 'pass', 'fail', 'unknown']);
    expect(gate.attribution_allowed).toBe(false);
    const one = { variants: ['labelled-v1'], max_cases: 1 };
    const alone = { ...(await runInMemory(one, OLLAMA, moody)), runtime: null };
    const open = verdicts(await reportOf(alone, { inspected: true, reviewed: true }));
    expect(open.checks.map((check) => check.verdict)).toEqual([
      'unknown',
      'unknown',
      'unknown',
      'unknown',
      'pass',
    ]);
  });

  test('promotion needs a review and an advance', async () => {
    let calls = 0;
    const better = asks(() => (calls++ === 0 ? right : right.replace('TANK_COLUMN: 0', 'TANK_COLUMN: 1')));
    const run = await runInMemory(parameters, OLLAMA, better);
    const promotions = async (reviewed: boolean) =>
      (await reportOf(run, { inspected: true, reviewed })).promotions as unknown as {
        variant: string;
        allowed: boolean;
        reasons: string[];
      }[];
    expect(await promotions(true)).toMatchObject([
      { variant: 'labelled-v1', allowed: true, reasons: [] },
      { variant: 'semantic-labelled-v1', allowed: false },
    ]);
    expect((await promotions(false)).map((each) => each.allowed)).toEqual([false, false]);
  });

  test('an unfinished run reports what is there', async () => {
    const run = await runInMemory(
      parameters,
      OLLAMA,
      asks(() => right),
    );
    const report = await pngRepresentation.report({
      ...run,
      cases: async function* (arm) {
        for (const record of run.records)
          if (record.arm === 'labelled-v1' && record.arm === arm) yield record;
      },
    });
    expect(report).toMatchObject({ complete: false, comparison: { baseline: 'labelled-v1' } });
    const nothing = await pngRepresentation.report({ ...run, cases: async function* () {} });
    expect(nothing).toMatchObject({ complete: false, comparison: null, promotions: [] });
  });

  test('a stored case without its record is refused', async () => {
    const run = await runInMemory(
      parameters,
      OLLAMA,
      asks(() => right),
    );
    const broken = run.records.map((record) => ({ ...record, detail: {} }));
    await expect(
      pngRepresentation.report({
        ...run,
        cases: async function* () {
          yield* broken;
        },
      }),
    ).rejects.toThrow(code('case_shape'));
  });
});
