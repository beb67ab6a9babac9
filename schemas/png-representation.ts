import { caseLine, detailLine, environmentFile } from './bundle';
import { type Entry, entry, inBundle } from './entry';
import {
  count,
  digits,
  flag,
  integer,
  is,
  list,
  maybe,
  number,
  object,
  oneOf,
  orNull,
  probability,
  said,
  sha256,
  text,
} from './forms';
import { bookkeeping } from './png-representation/bookkeeping';
import {
  caseRecord,
  comparison,
  experiment,
  publishedCase,
  report,
  run,
  summary,
} from './png-representation/published';
import {
  action,
  configuration,
  outcome,
  prediction,
  recipe,
  renderMode,
  row,
  stamp,
  truth,
  variant,
} from './png-representation/terms';

const EXPERIMENT = 'png-representation';

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
