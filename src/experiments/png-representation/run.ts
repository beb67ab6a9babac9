import { PixelproofError } from '../../errors';
import type { Sha256Id } from '../../evidence/identity/json';
import {
  isPyObject,
  type PyObject,
  type PyValue,
  pyFloat,
  pythonCanonicalId,
} from '../../evidence/identity/python-json';
import type { CaseDto } from './case';
import { POLICY_ARTIFACT_ID } from './policy';
import { RUN_VERSION } from './protocol';
import { loadConfiguration, type ProviderConfiguration } from './provider-configuration';
import type { Recipe } from './recipes';
import { loadSummary, makeSummary, type SummaryDto } from './summary';

/** One variant's cases under one provider configuration. */
export type RunDto = PyObject & {
  readonly fixture_identity: string;
  readonly provider_configuration: ProviderConfiguration;
  readonly policy_artifact_id: string;
  readonly case_mode: string;
  /** The variant. */
  readonly representation_mode: string;
  readonly case_ids: readonly string[];
  readonly summary: SummaryDto;
  readonly metadata: PyObject;
  readonly run_id: Sha256Id;
};

export interface RunFrame {
  readonly fixture_identity: string;
  readonly case_mode: string;
  readonly configuration: ProviderConfiguration;
  readonly variant: string;
  /** `model` is the raw model argument even where the provider ignores it. */
  readonly metadata: { readonly model: string; readonly backend: string; readonly recipe_id: string };
}

/** Closes a run over its cases. Throws `run_closure` when they are not 0, 1, 2, … of this configuration. */
export function makeRun(frame: RunFrame, cases: readonly CaseDto[]): RunDto {
  for (const [ordinal, each] of cases.entries()) {
    requireEqual(`case ${ordinal}: case_ordinal`, ordinal, each.case_ordinal);
    requireEqual(
      `case ${ordinal}: provider_configuration_id`,
      frame.configuration.provider_configuration_id,
      each.provider_configuration_id,
    );
    requireEqual(`case ${ordinal}: policy_artifact_id`, POLICY_ARTIFACT_ID, each.policy_artifact_id);
  }
  const content = {
    version: RUN_VERSION,
    fixture_identity: frame.fixture_identity,
    provider_configuration: frame.configuration,
    policy_artifact_id: POLICY_ARTIFACT_ID,
    case_mode: frame.case_mode,
    representation_mode: frame.variant,
    case_ids: cases.map((each) => each.case_id),
    summary: makeSummary(cases),
    metadata: frame.metadata,
  };
  return { ...content, run_id: pythonCanonicalId(content) };
}

/**
 * Reads a stored run. Throws `run_id_mismatch`, `summary_id_mismatch` or `configuration_id_mismatch` for one that was
 * changed; with its cases given, also `run_closure` when they are not the run's cases or do not give its summary.
 */
export function loadRun(value: PyValue, cases: readonly CaseDto[] | null = null): RunDto {
  const { run_id, ...content } = isPyObject(value) ? value : {};
  const configuration = loadConfiguration(content.provider_configuration);
  const summary = loadSummary(content.summary);
  const id = pythonCanonicalId(content);
  if (run_id !== id) {
    throw new PixelproofError('run_id_mismatch', 'The run is not what its id says.', {
      expected: id,
      got: String(run_id),
    });
  }
  const run = value as RunDto;
  requireEqual('policy_artifact_id', POLICY_ARTIFACT_ID, run.policy_artifact_id);
  requireEqual('case count', summary.attempted_count, run.case_ids.length);
  if (cases === null) return run;
  requireEqual('case count', run.case_ids.length, cases.length);
  for (const [ordinal, each] of cases.entries()) {
    requireEqual(`case ${ordinal}: case_ordinal`, ordinal, each.case_ordinal);
    requireEqual(`case ${ordinal}: case_id`, run.case_ids[ordinal] ?? null, each.case_id);
    requireEqual(
      `case ${ordinal}: provider_configuration_id`,
      configuration.provider_configuration_id,
      each.provider_configuration_id,
    );
  }
  requireEqual('summary_id', makeSummary(cases).summary_id, summary.summary_id);
  return run;
}

function requireEqual(what: string, expected: PyValue, got: PyValue): void {
  if (expected === got) return;
  throw new PixelproofError('run_closure', `The run and its cases do not belong together: ${what}.`, {
    expected: `${what} ${String(expected)}`,
    got: String(got),
  });
}

/** The content of `summary.json`: accuracies are floats, null where nothing was attempted. */
export function presentSummary(run: RunDto, recipe: Recipe): PyObject {
  const { summary } = run;
  const rate = (count: number, of: number) => (of === 0 ? null : pyFloat(count / of));
  return {
    variant_id: run.representation_mode,
    recipe_id: recipe.recipe_id,
    base_render_mode: recipe.base_render_mode,
    run_id: run.run_id,
    policy_artifact_id: run.policy_artifact_id,
    attempted: summary.attempted_count,
    accepted: summary.accepted_count,
    rejected: summary.rejected_count,
    exact_state_correct: summary.exact_count,
    exact_state_accuracy_over_attempted: rate(summary.exact_count, summary.attempted_count),
    action_correct: summary.action_correct_count,
    action_accuracy_over_attempted: rate(summary.action_correct_count, summary.attempted_count),
    action_equivalent_count: summary.action_equivalent_count,
    action_changing_count: summary.action_changing_count,
    factor_accuracy_over_accepted: Object.fromEntries(
      Object.entries(summary.factor_denominators)
        .filter(([, of]) => of > 0)
        .map(([factor, of]) => [factor, rate(summary.factor_correct_counts[factor] ?? 0, of)]),
    ),
    latency_us: {
      median: summary.latency_median_us,
      p95: summary.latency_p95_us,
      min: summary.latency_min_us,
      max: summary.latency_max_us,
    },
    rejection_reasons: summary.rejection_reason_counts,
  };
}
