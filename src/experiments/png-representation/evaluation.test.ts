import { describe, expect, test } from 'vitest';
import { type PyObject, pythonCanonicalId } from '../../evidence/identity/python-json';
import { loadCase, makeCase } from './case';
import { classify } from './classification';
import { compareRuns, comparisonCsv, comparisonMarkdown, validateComparableRuns } from './comparison';
import { scriptedConfiguration } from './provider-configuration';
import { loadRun, makeRun, type RunDto } from './run';
import { loadSummary, type SummaryDto } from './summary';

const code = (code: string) => expect.objectContaining({ code });
const truth = { tank_column: 3, target_column: 1, cooldown: 1 };
const frame = {
  ordinal: 0,
  frame_id: 'development:x:frame-00',
  provider_configuration_id: scriptedConfiguration(0).provider_configuration_id,
  truth,
};
const said = (tank: number, target: number | null, cooldown: number) => ({
  accepted: true as const,
  prediction: {
    state: { tank_column: tank, target_column: target, cooldown },
    factors: {
      tank_column: tank,
      target_present: target !== null,
      target_column: target ?? -1,
      cooldown,
    },
    row_id: `tank=${tank}|target=${target ?? 'none'}|cooldown=${cooldown}`,
    confidence: 0.9,
  },
  latency_us: 1000,
  text: 'x',
  metadata: {},
});
/** The same object with another content and an id that fits it: what only the derivation can refuse. */
function resealed(value: PyObject, idField: string, change: PyObject): PyObject {
  const { [idField]: _, ...content } = { ...value, ...change };
  return { ...content, [idField]: pythonCanonicalId(content) };
}

const runFrame = {
  fixture_identity: 'f',
  case_mode: 'm',
  configuration: scriptedConfiguration(0),
  variant: 'unlabelled-v1',
  metadata: { model: 'm', backend: 'fake', recipe_id: 'sha256:0123456789abcdef' },
};

describe('a case', () => {
  test('outcomes', () => {
    expect(makeCase(frame, said(3, 1, 1)).outcome).toBe('exact');
    expect(makeCase(frame, said(3, 0, 1)).outcome).toBe('action_equivalent');
    expect(makeCase(frame, said(1, 1, 1)).outcome).toBe('action_changing');
    const rejected = makeCase(frame, { accepted: false, reason: 'ValueError: x', kept: null });
    expect(rejected).toMatchObject({
      outcome: 'rejected',
      factor_matches: {},
      provider_raw_response_text: null,
      provider_confidence_basis_points: null,
    });
  });

  test('is refused when changed', () => {
    const dto = makeCase(frame, said(3, 0, 1));
    expect(loadCase(dto)).toBe(dto);
    expect(() => loadCase({ ...dto, outcome: 'exact' })).toThrow(code('case_id_mismatch'));
    expect(() => loadCase(null)).toThrow(code('case_shape'));
    for (const change of [
      { outcome: 'exact' },
      { exact_state_match: true },
      { predicted_action: 'FIRE' },
      { policy_artifact_id: 'sha256:0' },
      { provider_raw_response_digest: null },
    ]) {
      expect(() => loadCase(resealed(dto, 'case_id', change))).toThrow(code('case_derived_mismatch'));
    }
    for (const change of [{ accepted: false }, { rejection_reason: 'x' }, { expected_state: {} }]) {
      expect(() => loadCase(resealed(dto, 'case_id', change))).toThrow(code('case_shape'));
    }
  });
});

describe('a run', () => {
  const cases = [
    makeCase(frame, said(3, 1, 1)),
    makeCase({ ...frame, ordinal: 1, frame_id: 'b' }, { accepted: false, reason: 'r', kept: null }),
  ];
  test('loads with its cases', () => {
    const run = makeRun(runFrame, cases);
    expect(loadRun(run, cases)).toBe(run);
    expect(run.summary).toMatchObject({
      attempted_count: 2,
      factor_denominators: { cooldown: 1 },
      rejection_reason_counts: { r: 1 },
      latency_sample_count: 1,
      latency_median_us: 1000,
    });
  });

  test('is refused when changed', () => {
    const run = makeRun(runFrame, cases);
    expect(() => loadRun({ ...run, case_mode: 'x' })).toThrow(code('run_id_mismatch'));
    const summary = { ...run.summary, exact_count: 2 };
    expect(() => loadSummary(summary)).toThrow(code('summary_id_mismatch'));
    expect(() => loadRun({ ...run, summary })).toThrow(code('summary_id_mismatch'));
    expect(() =>
      loadRun(
        run,
        [cases[1], cases[0]].filter((each) => each !== undefined),
      ),
    ).toThrow(code('run_closure'));
    expect(() => loadRun(run, cases.slice(0, 1))).toThrow(code('run_closure'));
    const better = resealed(run.summary, 'summary_id', { exact_count: 2 });
    expect(() => loadRun(resealed(run, 'run_id', { summary: better }), cases)).toThrow(code('run_closure'));
    expect(() => makeRun(runFrame, cases.slice(1))).toThrow(code('run_closure'));
    const other = { ...runFrame, configuration: scriptedConfiguration(1) };
    expect(() => makeRun(other, cases)).toThrow(code('run_closure'));
  });

  test('with no accepted case', () => {
    const run = makeRun(runFrame, [makeCase(frame, { accepted: false, reason: 'r', kept: null })]);
    expect(run.summary).toMatchObject({
      factor_correct_counts: {},
      factor_denominators: {},
      latency_median_us: null,
      latency_total_us: null,
    });
  });
});

describe('comparison and classification', () => {
  const base = makeRun(runFrame, [makeCase(frame, said(3, 1, 1))]);
  const like = (variant: string, change: Partial<Record<keyof SummaryDto, unknown>> = {}): RunDto =>
    ({
      ...base,
      representation_mode: variant,
      summary: { ...base.summary, ...change } as SummaryDto,
    }) as RunDto;
  const before = like('unlabelled-v1', {
    exact_count: 3,
    action_changing_count: 1,
    rejected_count: 1,
    latency_median_us: 1000,
    factor_correct_counts: { cooldown: 4, tank_column: 4, target_column: 4, target_present: 4 },
  });
  const after = (variant: string, change: Partial<Record<keyof SummaryDto, unknown>>) =>
    classify(before, { ...like(variant, { ...before.summary, ...change }) });

  test.each([
    [
      'labelled-v1',
      { action_changing_count: 2, exact_count: 8 },
      'regression',
      'action_changing_count increased (1 -> 2)',
    ],
    ['labelled-v1', { rejected_count: 2, exact_count: 8 }, 'regression', 'rejected_count increased (1 -> 2)'],
    [
      'labelled-v1',
      { exact_count: 4, rejected_count: 0, latency_median_us: 900 },
      'advance',
      'declared target metric(s) improved: exact_count, rejected_count, latency_median_us',
    ],
    [
      'labelled-v1',
      { latency_median_us: 901 },
      'no_material_change',
      'compatible run with no regression and no declared target metric improvement',
    ],
    [
      'labelled-v1',
      { latency_median_us: null },
      'no_material_change',
      'compatible run with no regression and no declared target metric improvement',
    ],
    [
      'cooldown-dual-v1',
      { exact_count: 8 },
      'no_material_change',
      'compatible run with no regression and no declared target metric improvement',
    ],
    [
      'cooldown-dual-v1',
      { factor_correct_counts: { cooldown: 5 } },
      'advance',
      'declared target metric(s) improved: cooldown',
    ],
    [
      'cooldown-dual-v1',
      { factor_correct_counts: {} },
      'regression',
      'targeted factor(s) worsened: cooldown',
    ],
    [
      'lane-enhanced-v1',
      { factor_correct_counts: { tank_column: 3, target_column: 3 } },
      'regression',
      'targeted factor(s) worsened: tank_column, target_column',
    ],
    [
      'lane-enhanced-v1',
      { factor_correct_counts: { tank_column: 5, target_column: 5 } },
      'advance',
      'declared target metric(s) improved: tank_column, target_column',
    ],
    [
      'footer-only-v1',
      { rejected_count: 0 },
      'no_material_change',
      'compatible run with no regression and no declared target metric improvement',
    ],
  ])('%s with %j is %s', (variant, change, label, reasoning) => {
    expect(after(variant, change)).toEqual({ label, reasoning });
  });

  test('incomparable runs', () => {
    const other = { ...like('labelled-v1'), case_mode: 'other', fixture_identity: 'other' };
    const sentence = `runs ${base.run_id} and ${other.run_id} are not comparable: differing fixture_identity, case_mode`;
    expect(classify(base, other)).toEqual({ label: 'incompatible', reasoning: sentence });
    expect(() => validateComparableRuns([base, other])).toThrow(sentence);
    expect(() => validateComparableRuns([base, other])).toThrow(code('runs_not_comparable'));
    expect(() => validateComparableRuns([base])).not.toThrow();
    expect(() => validateComparableRuns([])).not.toThrow();
    expect(compareRuns([base, other]).classifications['labelled-v1']?.label).toBe('incompatible');
  });

  test('baseline without unlabelled-v1, and null latencies', () => {
    const nothing = { latency_median_us: null, latency_p95_us: null };
    const comparison = compareRuns([like('lane-enhanced-v1', nothing), like('cooldown-dual-v1', nothing)]);
    expect(comparison.baseline).toBe('cooldown-dual-v1');
    expect(comparisonCsv(comparison)).toMatch(/,1,,\r\n/);
    expect(comparisonMarkdown(comparison)).toMatch(/\| - \| - \| n\/a \|/);
    expect(() => compareRuns([])).toThrow(code('comparison_empty'));
  });
});
