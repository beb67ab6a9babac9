import * as v from 'valibot';
import { CELL_STATES } from '../src/experiments/image-signals/cells';
import { DEFINITION_FORM } from '../src/experiments/image-signals/definition';
import { RUBRIC } from '../src/experiments/image-signals/protocol';
import { LAYOUTS } from '../src/experiments/image-signals/scene';
import { anyObject, caseLine, detailLine, environmentFile } from './bundle';
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
  or,
  orNull,
  probability,
  provider,
  said,
  sha256,
  text,
  texts,
} from './forms';

const EXPERIMENT = 'image-signals';

/** left, top, right, bottom, the last two not included. */
const box = v.pipe(list(integer), v.length(4));
const passed = maybe(flag);
const mean = object({ roi: box, n: count, sum: integer, value: orNull(number), pass: passed });
const share = v.pipe(
  v.objectWithRest({ roi: box, total: count, value: orNull(number), pass: passed }, count),
  v.description('The member that is left counts the pixels of the predicate, under its name'),
);
const components = object({
  min_area: count,
  count,
  areas: list(count),
  boxes: list(box),
  components_total: count,
});
const signalValue = or(mean, components, share);
const sensitivity = map(or(mean, share));

const engine = object({ id: oneOf(['wasm-simd', 'webgpu']), version: text });
const warnings = list(object({ code: text, message: text }));
const fixed = {
  file: text,
  sha256: digits,
  width: count,
  height: count,
  rgb_sha256: digits,
  gates_passed: count,
  definition: text,
  reasons: said('Why a value is null, by signal', map(text)),
  rounding_sensitivity: object({
    double_mask: sensitivity,
    truncation: sensitivity,
    verdict_changes: texts,
  }),
};
/** The signals of the frozen cell, or those of one's own definition, each under its id with _ for -, and `MASK_total`. */
const rest = or(signalValue, count);
const measured = v.objectWithRest({ ...fixed, decoder: text, decoder_exact: flag, engine, warnings }, rest);
const failed = object({ file: text, sha256: orNull(digits), error: object({ code: text, message: text }) });
export const record = or(failed, measured);

const cell = object({
  arm: text,
  repetition: v.pipe(count, v.minValue(1)),
  steps: list(object({ state: oneOf(CELL_STATES), reason: text, evidence: orNull(anyObject) })),
});
const review = object({
  reviewer: v.pipe(text, v.minLength(1), v.maxLength(80)),
  image: digits,
  item: oneOf(RUBRIC),
  score: said('0 not met, 1 partly met, 2 met', oneOf([0, 1, 2])),
  note: text,
});
const agreement = object({
  item: oneOf(RUBRIC),
  reviewers: v.pipe(list(text), v.length(2)),
  pictures: count,
  equal: count,
  kappa: orNull(number),
});
const interval = object({ low: probability, high: probability });
const armSummary = object({
  arm: text,
  states: map(count),
  attempts: count,
  images: count,
  repeated_pixels: count,
  signals: list(
    object({
      signal: text,
      passes: count,
      of_attempts: count,
      of_images: count,
      interval: orNull(interval),
      values: list(orNull(number)),
      lowest: orNull(number),
      highest: orNull(number),
    }),
  ),
});

const scene = object({ layout: oneOf(LAYOUTS), seed: count, width: count, height: count });
const plan = object({
  schema: is('pixelproof-image-signals/1'),
  matrix: object({
    schema: is('pixelproof-matrix/1'),
    cell: text,
    prompt: text,
    prompt_sha256: digits,
    definition: DEFINITION_FORM,
    canvas: object({ width: count, height: count }),
    arms: list(
      object({
        id: text,
        kind: oneOf(['checkpoint', 'hosted', 'drawn']),
        label: text,
        blocked: orNull(text),
      }),
    ),
    repetitions: count,
    seeded: flag,
    rubric: list(oneOf(RUBRIC)),
    non_claims: texts,
  }),
  definition: DEFINITION_FORM,
  pictures: list(object({ arm: text, ordinal: count, file: text, sha256, scene: orNull(scene) })),
  cells: list(cell),
  reviews: list(review),
  provider,
  non_claims: texts,
});

const evidence = object({
  image_sha256: sha256,
  pixels_sha256: orNull(sha256),
  record: or(failed, v.objectWithRest(fixed, rest)),
});
const detail = or(object({ decoder: text, decoder_exact: flag, engine, warnings }), object({}));

const at = (name: string, path?: string) => [inBundle(EXPERIMENT, name, path)];

export const IMAGE_SIGNALS: readonly Entry[] = [
  entry(
    'image-signals-plan',
    at('pixelproof.json plan', 'PLAN'),
    'Plan of an image signals run',
    'The member plan of the manifest: pictures by digest, definition, matrix with every step of its cells, reviews.',
    plan,
  ),
  entry(
    'image-signals-case',
    at('cases.jsonl'),
    'Case of the image signals experiment',
    'A line of cases.jsonl: one picture, measured or not to be decoded.',
    caseLine(oneOf(['measured', 'undecodable']), evidence),
  ),
  entry(
    'image-signals-detail',
    at('details.jsonl'),
    'Detail of a case of the image signals experiment',
    'A line of details.jsonl: which decoder and engine.',
    detailLine(detail),
  ),
  entry(
    'image-signals-environment',
    at('environment.json'),
    'Environment of an image signals run',
    'When, where, and the engine that was chosen.',
    environmentFile(object({ engine: oneOf(['wasm-simd', 'webgpu']) })),
  ),
  entry(
    'image-signals-experiment',
    at('experiment.json'),
    'What was measured',
    'Cell, prompt and definition.',
    object({
      cell: text,
      definition: DEFINITION_FORM,
      non_claims: texts,
      prompt: text,
      prompt_sha256: digits,
    }),
  ),
  entry(
    'image-signals-record',
    at('records.jsonl'),
    'Record of a picture',
    'A line of records.jsonl, and an element of what `pixelproof signals --json` prints. Signals stand under their ids with _ for -.',
    record,
  ),
  entry(
    'image-signals-matrix',
    at('matrix.json'),
    'Matrix of arms and repetitions',
    'Every cell with its history, and what each arm came to.',
    object({ arms: list(armSummary), cells: list(cell), non_claims: texts }),
  ),
  entry(
    'image-signals-reviews',
    at('reviews.json'),
    'Scores of people',
    'Kept apart: no number of the report is computed from them.',
    object({ agreements: list(agreement), reviews: list(review) }),
  ),
  entry(
    'image-signals-report',
    at('report.json'),
    'Report of an image signals run',
    'Rates with Wilson intervals at 95 %.',
    object({
      kind,
      definition: text,
      pictures: count,
      measured: count,
      undecodable: count,
      signals: list(
        object({
          signal: text,
          passes: count,
          of_images: count,
          undefined_values: count,
          interval: orNull(interval),
        }),
      ),
      arms: list(armSummary),
      cells: list(cell),
      reviews: object({ scores: count, reviewers: count, agreements: list(agreement) }),
      non_claims: texts,
    }),
  ),
  entry(
    'signals-definition',
    [elsewhere('a definition of signals: `signals --definition`, the page’s editor')],
    'Definition of image signals',
    'Regions, colour predicates and thresholds of one’s own, as exact fractions. Some rules (each id once, predicates that are named exist) are beyond a schema.',
    DEFINITION_FORM,
  ),
];
