import * as v from 'valibot';
import { OWN_WORDS_FORM } from '../src/experiments/vision-controls/own';
import { SCORED_REPLY_FORM } from '../src/experiments/vision-controls/scored-reply';
import { caseLine, detailLine, environmentFile } from './bundle';
import { type Entry, elsewhere, entry, inBundle } from './entry';
import {
  count,
  digits,
  flag,
  integer,
  is,
  kind,
  list,
  map,
  maybe,
  number,
  object,
  oneOf,
  open,
  or,
  orNull,
  probability,
  provider,
  said,
  sha256,
  text,
  texts,
} from './forms';

const EXPERIMENT = 'vision-controls';
const condition = oneOf(['present', 'omitted', 'swapped']);
const gate = oneOf(['smoke', 'consumer']);
const level = orNull(oneOf(['A', 'B', 'C', 'D']));
const growthRule = oneOf(['gemma3', 'relative']);
const verdict = oneOf(['pass', 'fail', 'incomplete', 'refused']);

const plan = object({
  schema: is('pixelproof-vision-controls/1'),
  fixture: object({ name: text, manifest_sha256: sha256, manifest_text: text }),
  rows: texts,
  controls: list(
    object({
      unique_data_id: text,
      condition,
      image_unique_data_id: orNull(text),
      expected: orNull(flag),
    }),
  ),
  gate,
  template: text,
  harness: oneOf(['exact prefix', 'template by server']),
  growth_rule: growthRule,
  counts_are_whole: flag,
  state: text,
  leak_terms: texts,
  block: text,
  prompts: object({
    omitted_prefix_sha256: sha256,
    imaged_prefix_sha256: sha256,
    user_text_sha256: sha256,
  }),
  annotation: oneOf(['picture', 'text', 'none']),
  annotation_rows: texts,
  n_probs: count,
  constants: object({
    paired_margin_floor: number,
    noul_threshold: probability,
    minimum_token_growth: count,
    temperature: number,
  }),
  provider,
  non_claims: texts,
});

const reading = said(
  'The bounds of the probability where one control was only bounded',
  object({ low: probability, high: probability }),
);
const tokens = orNull(count);
const asked = { prefix_sha256: sha256, reply: SCORED_REPLY_FORM, tokens_evaluated: tokens };
const evidence = object({
  unique_data_id: text,
  visual_family: text,
  condition,
  image_unique_data_id: orNull(text),
  image_sha256: orNull(sha256),
  expected: orNull(flag),
  probability,
  polarity: flag,
  counts_as_semantic_hit: flag,
  semantic_hit: flag,
  reading,
  ...asked,
  annotation: object({
    category: maybe(
      object({ predicted: text, expected: text, confidence: probability, gold_match: flag, ...asked }),
    ),
    requires_login: maybe(
      object({ probability, polarity: flag, expected: flag, gold_match: flag, ...asked }),
    ),
  }),
});
const detail = object({
  attempts: said('Of each question of the case', list(count)),
  metadata: said('JSON in the dialect of Python, as text', texts),
  models: list(orNull(text)),
  seconds: list(orNull(number)),
});
const circumstances = object({
  timeout: number,
  max_in_flight: maybe(count),
  min_interval_ms: maybe(count),
});

const provenance = map(oneOf(['annotation', 'manual_visual']));
const manifest = open({
  manifest_version: is(1),
  issue: maybe(count),
  dataset_id: text,
  license: text,
  split: text,
  source: text,
  screenshot_index: count,
  visual_question: maybe(text),
  gold_provenance: provenance,
  notes: maybe(texts),
  own: maybe(OWN_WORDS_FORM),
  rows: list(
    open({
      unique_data_id: v.pipe(text, v.minLength(1)),
      stream_order: count,
      task_name: text,
      visual_family: v.pipe(text, v.minLength(1)),
      screenshot: open({
        file_name: v.pipe(text, v.minLength(1)),
        index: count,
        source_path: v.pipe(text, v.minLength(1)),
        mime_type: oneOf(['image/png', 'image/jpeg', 'image/webp']),
        sha256: digits,
        byte_count: v.pipe(count, v.minValue(1)),
        width: v.pipe(count, v.minValue(1)),
        height: v.pipe(count, v.minValue(1)),
      }),
      expected: map(or(text, flag)),
    }),
  ),
});

const hits = object({ counted: count, hits: count, uncounted: count });
const diagnostic = object({
  threshold: probability,
  gated: flag,
  summary: hits,
  mismatches: list(object({ row_id: text, condition })),
});
const attachment = object({
  checked: flag,
  min_growth: orNull(integer),
  ok: orNull(flag),
  rule: growthRule,
  growths: list(object({ row_id: text, condition, image_id: orNull(text), growth: integer })),
});
const pair = {
  row_id: text,
  family: text,
  present: probability,
  swapped: probability,
  margin: number,
  ordered: said('Null where bounds do not decide', orNull(flag)),
};
export const report = {
  kind,
  credit_level: level,
  gate,
  verdict,
  cause: orNull(text),
  families: texts,
  paired_ordering: list(
    object({
      ...pair,
      first_image_id: text,
      first_probability: probability,
      second_image_id: text,
      second_probability: probability,
    }),
  ),
  hits,
  attachment,
  threshold_diagnostic: diagnostic,
  conditions: list(object({ condition, controls: list(object({ row_id: text, probability })) })),
  repeats: list(object({ image_unique_data_id: orNull(text), count, low: probability, high: probability })),
  blind: object({ verdict, cause: orNull(text), hits, probability }),
  non_claims: texts,
};

/** What `vision gate` prints of a receipt. */
export const gateResult = object({
  verdict,
  cause: orNull(text),
  gate,
  paired_ordering: list(object(pair)),
  hits: orNull(hits),
  attachment: object({ checked: flag, min_growth: orNull(integer), ok: orNull(flag) }),
  threshold_diagnostic: orNull(diagnostic),
  stored_differences: list(object({ path: text, stored: v.unknown(), recomputed: v.unknown() })),
});

const at = (name: string, path?: string) => [inBundle(EXPERIMENT, name, path)];
const MANIFEST = [
  ...at('manifest.json'),
  elsewhere('manifest.json of a fixture folder: `vision check`, `vision run --fixture`'),
];
const RECEIPT = [...at('receipt.json'), elsewhere('a receipt that can be judged: `vision gate`')];

export const VISION_CONTROLS: readonly Entry[] = [
  entry(
    'vision-controls-plan',
    at('pixelproof.json plan', 'PLAN'),
    'Plan of a vision controls run',
    'The member plan of the manifest: fixture, matrix, prompts and gate.',
    plan,
  ),
  entry(
    'vision-controls-case',
    at('cases.jsonl'),
    'Case of the vision controls',
    'A line of cases.jsonl: one control. The arm of the line is the row.',
    caseLine(oneOf(['hit', 'miss', 'uncounted']), evidence),
  ),
  entry(
    'vision-controls-detail',
    at('details.jsonl'),
    'Detail of a case of the vision controls',
    'A line of details.jsonl: a list has an element for each question of the case.',
    detailLine(detail),
  ),
  entry(
    'vision-controls-environment',
    at('environment.json'),
    'Environment of a vision controls run',
    'When, where, and limits of asking.',
    environmentFile(circumstances),
  ),
  entry(
    'vision-manifest',
    MANIFEST,
    'Manifest of a vision fixture',
    'Rows with their pictures by digest and their gold labels. Some rules (two families, gold that fits them) are beyond a schema.',
    manifest,
  ),
  entry('vision-receipt', RECEIPT, 'Receipt of the vision controls', 'Written by hand; see the file.', null),
  entry(
    'vision-controls-report',
    at('report.json'),
    'Report of a vision controls run',
    'The verdict and what it rests on.',
    object(report),
  ),
];
