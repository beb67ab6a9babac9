import * as v from 'valibot';
import { OUTCOMES } from '../src/experiments/png-representation/case';
import { VARIANTS } from '../src/experiments/png-representation/variants';
import { anyObject, caseLine, detailLine, environmentFile } from './bundle';
import { type Entry, entry, inBundle } from './entry';
import {
  anything,
  count,
  digits,
  flag,
  integer,
  is,
  list,
  map,
  maybe,
  nothing,
  number,
  object,
  oneOf,
  or,
  orNull,
  probability,
  said,
  sha256,
  text,
} from './forms';

const EXPERIMENT = 'png-representation';
const variant = oneOf(VARIANTS);
const outcome = oneOf(OUTCOMES);
const action = oneOf(['FIRE', 'LEFT', 'RIGHT', 'STAY']);
const row = v.pipe(v.string(), v.regex(/^tank=[0-6]\|target=([0-6]|none)\|cooldown=[01]$/));
const stamp = v.pipe(v.string(), v.regex(/^\d{8}T\d{6}Z$/));
const renderMode = oneOf(['labelled', 'unlabelled']);

const state = {
  tank_column: v.pipe(integer, v.minValue(0), v.maxValue(6)),
  target_present: flag,
  target_column: said('-1 where there is no target', v.pipe(integer, v.minValue(-1), v.maxValue(6))),
  cooldown: oneOf([0, 1]),
};
const truth = object({ ...state, row_id: row });
const prediction = object({ ...state, row_id: row, confidence: probability });
/** By factor; empty where no reply was accepted. */
const factors = <S extends v.GenericSchema>(value: S) =>
  or(
    object({ tank_column: value, target_present: value, target_column: value, cooldown: value }),
    object({}),
  );

const recipe = object({
  version: is('arcade-png-intervention-recipe/v1'),
  variant_id: variant,
  recipe_id: sha256,
  base_render_mode: renderMode,
  operations: list(
    object({
      operation: text,
      operation_version: text,
      parameters: said(
        'Coordinates and colours, by the operation’s own names',
        map(or(integer, list(integer))),
      ),
    }),
  ),
  metadata: object({
    family: text,
    design: maybe(text),
    pixel_equivalent_to: maybe(variant),
    combined_cooldown: maybe(variant),
    combined_lane: maybe(variant),
  }),
});

/** In the plan a Python float is `{"$float": "0.0"}`, so that its text is kept; in the tree it is a number. */
const configuration = (float: v.GenericSchema) =>
  object({
    version: text,
    provider_kind: text,
    provider_version: nothing,
    model_name: text,
    model_digest: said('Of the model’s name', sha256),
    runtime_name: text,
    runtime_version: nothing,
    protocol_version: text,
    prompt_digest: sha256,
    context_length: nothing,
    seed: integer,
    inference_options: object({
      temperature: maybe(float),
      num_predict: maybe(count),
      structured_output: maybe(sha256),
    }),
    metadata: object({ backend: text, fixed_predict_render_mode: renderMode }),
    provider_configuration_id: sha256,
  });

const combined = object({ cooldown: variant, lane: variant });
const plan = object({
  experiment: is(EXPERIMENT),
  protocol_version: text,
  fixture: object({ name: oneOf(['smoke', 'canonical']), identity: text, case_mode: text }),
  states: list(object({ ordinal: count, row_id: row, action })),
  recipes: list(recipe),
  combined: orNull(combined),
  prompt: object({ mode: renderMode, sha256, text }),
  policy_artifact_id: sha256,
  provider: object({
    id: text,
    model: text,
    seed: integer,
    backend: text,
    run_model: text,
    provider_configuration_id: sha256,
    configuration: configuration(object({ $float: text })),
  }),
  confidence_threshold: probability,
  max_cases: orNull(count),
});

const evidence = object({
  row_id: row,
  truth,
  truth_action: action,
  outcome,
  prediction: orNull(prediction),
  predicted_action: orNull(action),
  rejection_reason: orNull(text),
  reply_text: orNull(text),
  reply_sha256: orNull(sha256),
  reply_error: orNull(text),
  image_sha256: sha256,
  operation_chain_digest: sha256,
  step_png_sha256: list(sha256),
  step_pixels_sha256: list(sha256),
});

const detail = object({
  case: said('The whole case in the published form, as text; null where it was not published', orNull(text)),
  case_id: sha256,
  frame_id: text,
  latency_us: orNull(count),
  matrix_blob_id: digits,
  provider_observation_digest: sha256,
  thumb_sha256: list(sha256),
  case_id_recomputes: maybe(flag),
  published_final_image_sha256: maybe(sha256),
  published_step_image_sha256: maybe(list(sha256)),
  synthetic_reply_text: maybe(orNull(text)),
});

const circumstances = object({
  stamp,
  timeout: number,
  base_url: orNull(text),
  compile_reports: flag,
  write_pngs: flag,
  combined_cooldown: orNull(variant),
  combined_lane: orNull(variant),
  variants_given: flag,
  resume: flag,
  max_in_flight: maybe(count),
  min_interval_ms: maybe(count),
});

const experiment = object({
  schema_version: text,
  python: is('pixelproof'),
  created: stamp,
  fixture_identity: text,
  case_mode: text,
  policy_artifact_id: sha256,
  provider_configuration_id: sha256,
  variants: list(variant),
  resumed_variants: list(variant),
  arguments: object({
    backend: text,
    base_url: orNull(text),
    combined_cooldown: orNull(variant),
    combined_lane: orNull(variant),
    compile_reports: flag,
    confidence_threshold: probability,
    fixture: oneOf(['smoke', 'canonical']),
    max_cases: orNull(count),
    model: text,
    output_dir: nothing,
    overwrite_output: flag,
    resume: flag,
    seed: integer,
    sqlite_path: nothing,
    store: is('memory'),
    timeout: number,
    variants: said('As one text with commas; null where none were named', orNull(text)),
    write_pngs: flag,
  }),
});

const comparisonRow = object({
  variant_id: variant,
  recipe_id: sha256,
  run_id: sha256,
  exact_count: count,
  action_correct_count: count,
  action_equivalent_count: count,
  action_changing_count: count,
  rejected_count: count,
  factor_counts: factors(count),
  latency_median_us: orNull(count),
  latency_p95_us: orNull(count),
});
const classification = object({
  label: oneOf(['advance', 'no_material_change', 'regression', 'incompatible']),
  reasoning: text,
});
const comparison = {
  compatibility_statement: text,
  classifications: map(classification),
  rows: list(comparisonRow),
};
/** As the command line prints it. */
export const shownComparison = object({ ...comparison, baseline: variant });

const summaryDto = object({
  version: text,
  summary_id: sha256,
  attempted_count: count,
  accepted_count: count,
  rejected_count: count,
  exact_count: count,
  action_equivalent_count: count,
  action_changing_count: count,
  action_correct_count: count,
  factor_correct_counts: factors(count),
  factor_denominators: factors(count),
  rejection_reason_counts: map(count),
  latency_sample_count: count,
  latency_total_us: orNull(count),
  latency_min_us: orNull(count),
  latency_max_us: orNull(count),
  latency_median_us: orNull(count),
  latency_p95_us: orNull(count),
});
const run = object({
  version: text,
  run_id: sha256,
  fixture_identity: text,
  case_mode: text,
  representation_mode: variant,
  policy_artifact_id: sha256,
  provider_configuration: configuration(number),
  case_ids: list(sha256),
  metadata: object({ backend: text, model: text, recipe_id: sha256 }),
  summary: summaryDto,
});

const summary = object({
  variant_id: variant,
  run_id: sha256,
  recipe_id: sha256,
  base_render_mode: renderMode,
  policy_artifact_id: sha256,
  attempted: count,
  accepted: count,
  rejected: count,
  exact_state_correct: count,
  exact_state_accuracy_over_attempted: probability,
  action_correct: count,
  action_accuracy_over_attempted: probability,
  action_equivalent_count: count,
  action_changing_count: count,
  factor_accuracy_over_accepted: factors(probability),
  rejection_reasons: map(count),
  latency_us: object({ min: orNull(count), max: orNull(count), median: orNull(count), p95: orNull(count) }),
});

const publishedCase = object({
  case_ordinal: count,
  case_id: sha256,
  frame_id: text,
  truth,
  truth_action: action,
  prediction: maybe(prediction),
  error: maybe(text),
  outcome,
  final_image_sha256: sha256,
  step_image_sha256: list(sha256),
});

const bareState = object(state);
const trace = object({
  action,
  artifact_id: sha256,
  candidates: object({ FIRE: number, LEFT: number, RIGHT: number, STAY: number }),
  evidence: anyObject,
  metric_id: action,
  row_id: row,
  source_metric_index: count,
  source_row_index: count,
  value: number,
  view_column: count,
  view_row: count,
});
const caseRecord = or(
  object({
    version: text,
    case_id: sha256,
    case_ordinal: count,
    frame_id: text,
    policy_artifact_id: sha256,
    provider_configuration_id: sha256,
    expected_state: bareState,
    expected_row_id: row,
    expected_action: action,
    expected_decision_trace: trace,
    accepted: flag,
    rejection_reason: orNull(text),
    predicted_state: orNull(bareState),
    predicted_row_id: orNull(row),
    predicted_action: orNull(action),
    predicted_decision_trace: orNull(trace),
    exact_state_match: flag,
    action_match: flag,
    factor_matches: factors(flag),
    outcome,
    provider_confidence_basis_points: orNull(count),
    provider_latency_us: orNull(count),
    provider_raw_response_digest: orNull(sha256),
    provider_raw_response_text: orNull(text),
    provider_response_metadata: said('The provider’s own', map(anything)),
    metadata: anyObject,
  }),
  object({ case_id: sha256, case_ordinal: count, frame_id: text, outcome, recomputable: is(false) }),
);

const report = object({
  subject_count: count,
  vpm_artifact_id: digits,
  compiled_report_artifact_id: sha256,
  adapted_report_id: sha256,
});

const seed = said('Up to 2^64 - 1: read it with a parser that keeps whole numbers', integer);
const seedNode = object({
  version: text,
  root_seed_digest: sha256,
  split: text,
  episode_ordinal: count,
  namespace: text,
  parent_identities: list(object({ name: text, identity: sha256 })),
  seed_digest: sha256,
  seed_int64: seed,
});
const bookkeeping = object({
  benchmark_identity: object({
    benchmark_version: text,
    contract_commit: text,
    generator_version: text,
    parent_audit_sha: text,
    parent_v3_sha: text,
    policy_artifact_id: sha256,
    reachability_tile_digest: sha256,
    reachability_tile_version: text,
    seed_digest: sha256,
    seed_material: text,
  }),
  episode_plan: object({
    version: text,
    seed_derivation_version: text,
    episode_id: text,
    split: text,
    ordinal: count,
    family_label: text,
    family_ordinal: count,
    episode_family: text,
    episode_disposition: text,
    denominator_class: text,
    final_observation_provenance: object({
      materialization_status: text,
      observation_payload_included: flag,
      provenance: text,
    }),
    mutation_kind: nothing,
    source_row_id: text,
    secondary_row_id: nothing,
    family_contract: anyObject,
    family_intervention: anyObject,
    derived_seed_identity: sha256,
    episode_seed: seed,
    frame_count: count,
    seed_lineage: object({ concrete_episode_seed: seedNode, root: seedNode }),
    frame_plans: list(object({ frame_index: count })),
    plan_digest: sha256,
  }),
});

const at = (name: string, path?: string) => [inBundle(EXPERIMENT, name, path)];
const ofVariant = (file: string) => at(`VARIANT/${file}`, `[a-z0-9-]+-v1/${file.replaceAll('.', '\\.')}`);

export const PNG_REPRESENTATION: readonly Entry[] = [
  entry(
    'png-representation-plan',
    at('pixelproof.json plan', 'PLAN'),
    'Plan of a PNG representation run',
    'The member plan of the manifest. Where Python writes a float, the plan has {"$float": TEXT}.',
    plan,
  ),
  entry(
    'png-representation-case',
    at('cases.jsonl'),
    'Case of the PNG representation experiment',
    'A line of cases.jsonl: one state in one variant.',
    caseLine(outcome, evidence),
  ),
  entry(
    'png-representation-detail',
    at('details.jsonl'),
    'Detail of a case of the PNG representation experiment',
    'A line of details.jsonl.',
    detailLine(detail),
  ),
  entry(
    'png-representation-environment',
    at('environment.json'),
    'Environment of a PNG representation run',
    'When, where, and the choices that enter no identity.',
    environmentFile(circumstances),
  ),
  entry(
    'png-representation-experiment',
    at('experiment.json'),
    'experiment.json in the published form',
    'What was run, with the arguments of the reference’s program.',
    experiment,
  ),
  entry(
    'png-representation-comparison',
    at('comparison.json'),
    'Comparison of the variants of a run',
    'Classified against the baseline variant by the published rule.',
    object(comparison),
  ),
  entry(
    'png-representation-recipe',
    ofVariant('recipe.json'),
    'Recipe of a variant',
    'Render mode and pixel operations; recipe_id covers all the rest.',
    recipe,
  ),
  entry(
    'png-representation-run',
    ofVariant('run.json'),
    'Evaluation run of a variant in the published form',
    'run_id covers all the rest.',
    run,
  ),
  entry(
    'png-representation-summary',
    ofVariant('summary.json'),
    'Summary of a variant',
    'Counts, shares and latencies.',
    summary,
  ),
  entry(
    'png-representation-published-case',
    ofVariant('cases.jsonl'),
    'Case in the published form',
    'A line of VARIANT/cases.jsonl.',
    publishedCase,
  ),
  entry(
    'png-representation-case-record',
    ofVariant('case-records.jsonl'),
    'Whole case in the published form',
    'A line of VARIANT/case-records.jsonl: what case_id covers, or a note that it was not published.',
    caseRecord,
  ),
  entry(
    'png-representation-report',
    ofVariant('report.json'),
    'Ids of a compiled report',
    'Made where compiled reports were asked for.',
    report,
  ),
  entry(
    'png-representation-bookkeeping',
    ofVariant('bookkeeping.json'),
    'Benchmark identity and episode plan of a variant',
    'What the reference derives from model, stamp and variant.',
    bookkeeping,
  ),
];
