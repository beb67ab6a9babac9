import type { JsonObject } from '../../evidence/identity/json';
import { pyToPlain } from '../../evidence/identity/python-json';
import type { CaseRecord, RunSource } from '../../runner/experiment';
import { OUTCOMES, type Outcome } from './case';
import { type Collected, collect, type VariantResult } from './collect';
import { type GateCase, interpretationGate, type Promotion, promotionGate } from './gates';
import type { PngPlan } from './plan';
import { PUBLISHED_EXPLANATIONS, published } from './published';
import { presentSummary, type RunDto } from './run';
import { FACTORS } from './states';

/** What a person has confirmed; the gates ask for it. */
export interface Confirmations {
  /** They looked at the action-changing cases and the rejection reasons. */
  readonly inspected: boolean;
  /** They reviewed the smoke result. */
  readonly reviewed: boolean;
}

/** What to say next to any result of this experiment. */
const CONFOUNDS = [
  'The fixed prompt speaks of green and red and of seven lanes, while cooldown-shape-v1 has no colour at all.',
  'Labelled geometry also lifts the tank and the bottom of the grid by 24 pixels; footer-only-v1 differs from unlabelled-v1 by that lift alone.',
] as const;
const LIMITS = [
  'eight synthetic states in the smoke fixture',
  'one model blob on one runtime',
  'no repetitions',
  'self-reported, uncalibrated confidence',
  'no natural images',
  'no claim across models and none about safety',
] as const;

/**
 * The report as plain JSON, also of an unfinished run: per variant counts, confusion and, once finished, its run and
 * summary; the comparison of finished variants; the interpretation gate and the promotion gate.
 */
export async function reportOf(source: RunSource<PngPlan>, confirmed: Confirmations): Promise<JsonObject> {
  const collected = await collect(source);
  const replay = source.plan.frozen.provider.id === 'replay' ? await published() : null;
  const runtime = replay?.runtime ?? source.runtime;
  const { kind } = source.plan;
  const runs = finishedRuns(collected);
  const gate = interpretationGate({
    kind,
    runs,
    cases: new Map(collected.variants.filter((each) => each.run !== null).map(gateCases)),
    runtime,
    inspected: confirmed.inspected,
  });
  return {
    kind,
    plan_id: source.plan.plan_id,
    fixture: source.plan.frozen.fixture,
    complete: collected.variants.every((each) => each.run !== null),
    variants: collected.variants.map(variantJson),
    comparison:
      collected.comparison === null
        ? null
        : {
            baseline: collected.comparison.baseline,
            compatibility_statement: collected.comparison.compatibility_statement,
            classifications: collected.comparison.classifications,
            rows: collected.comparison.rows.map((row) => pyToPlain(row)),
          },
    interpretation: { ...gate, checks: gate.checks.map((check) => ({ ...check })) },
    promotions: promotions(source.plan, collected, runs, confirmed).map((each) => ({ ...each })),
    confounds: CONFOUNDS,
    limits: LIMITS,
    runtime: runtime === null ? null : { ...runtime },
    published:
      replay === null
        ? null
        : {
            executed: replay.executed,
            explanations: PUBLISHED_EXPLANATIONS,
            checks: replay.checks.map((check) => ({ ...check })),
          },
  };
}

function finishedRuns(collected: Collected): RunDto[] {
  return collected.variants.map((each) => each.run).filter((run) => run !== null);
}

function variantJson({ variant, recipe, records, run, published: entry }: VariantResult): JsonObject {
  return {
    variant_id: variant,
    recipe_id: recipe.recipe_id,
    base_render_mode: recipe.base_render_mode,
    operations: recipe.operations.map((operation) => operation.operation),
    done: records.length,
    outcomes: Object.fromEntries(
      OUTCOMES.map((outcome) => [outcome, records.filter((record) => record.outcome === outcome).length]),
    ),
    confusion: confusion(records),
    run: run === null ? null : pyToPlain(run),
    summary: run === null ? null : pyToPlain(presentSummary(run, recipe)),
    /** Latency and run ids stand as published, not as measured here. */
    latency_recorded: entry !== null,
  };
}

/** For each factor, how often each true value was read as which: `{factor: {truth: {reading: count}}}`. */
function confusion(records: readonly CaseRecord[]): JsonObject {
  const table: Record<string, Record<string, Record<string, number>>> = {};
  for (const factor of FACTORS) {
    const rows: Record<string, Record<string, number>> = {};
    for (const { evidence } of records) {
      const truth = String((evidence.truth as JsonObject)[factor]);
      const read =
        evidence.prediction === null ? 'rejected' : String((evidence.prediction as JsonObject)[factor]);
      rows[truth] ??= {};
      const row = rows[truth];
      row[read] = (row[read] ?? 0) + 1;
    }
    table[factor] = rows;
  }
  return table;
}

function gateCases({ variant, records }: VariantResult): [string, GateCase[]] {
  return [
    variant,
    records.map((record) => ({
      ordinal: record.ordinal,
      png_sha256: String(record.evidence.image_sha256),
      outcome: record.outcome as Outcome,
      predicted_row_id:
        record.evidence.prediction === null
          ? null
          : String((record.evidence.prediction as JsonObject).row_id),
      rejection_reason:
        record.evidence.rejection_reason === null ? null : String(record.evidence.rejection_reason),
    })),
  ];
}

function promotions(
  plan: PngPlan,
  collected: Collected,
  runs: readonly RunDto[],
  confirmed: Confirmations,
): Promotion[] {
  const baseline = runs.find((run) => run.representation_mode === collected.comparison?.baseline);
  if (baseline === undefined || plan.frozen.fixture.name !== 'smoke') return [];
  const finished = runs.map((run) => run.representation_mode);
  return runs
    .filter((run) => run !== baseline)
    .map((candidate) =>
      promotionGate({ kind: plan.kind, baseline, candidate, finished, reviewed: confirmed.reviewed }),
    );
}
