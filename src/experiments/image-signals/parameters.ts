import * as v from 'valibot';
import { PixelproofError } from '../../errors';
import type { JsonObject } from '../../evidence/identity/json';
import { CELL_STATES } from './cells';
import { RUBRIC } from './protocol';
import { SCORES } from './review';
import { LAYOUTS } from './scene';

/** The most pictures of one run: what a folder of generated pictures may hold, and what a browser still keeps. */
const MAX_PICTURES = 10_000;

const word = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'lower case letters, digits and -'));
const text = v.pipe(v.string(), v.maxLength(2000));
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const object = v.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'an object',
);
const cellPlace = v.strictObject({ arm: word, repetition: v.pipe(whole, v.minValue(1)) });
const scene = v.strictObject({
  layout: v.picklist(LAYOUTS),
  seed: whole,
  width: whole,
  height: whole,
});
const picture = v.strictObject({
  file: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(500))),
  /** Of the file's bytes: `sha256:` and 64 digits. A drawn scene needs none. */
  sha256: v.optional(v.pipe(v.string(), v.regex(/^sha256:[0-9a-f]{64}$/, 'sha256: and 64 digits'))),
  arm: v.optional(word),
  scene: v.optional(v.nullable(scene)),
  /** The cell of the matrix that it fills. */
  cell: v.optional(v.nullable(cellPlace)),
});
const cell = v.strictObject({
  arm: word,
  repetition: v.pipe(whole, v.minValue(1)),
  steps: v.array(
    v.strictObject({ state: v.picklist(CELL_STATES), reason: text, evidence: v.nullable(object) }),
  ),
});
const review = v.strictObject({
  reviewer: v.pipe(v.string(), v.minLength(1), v.maxLength(80)),
  image: v.string(),
  item: v.picklist(RUBRIC),
  score: v.picklist(SCORES),
  note: text,
});
const schema = v.object({
  pictures: v.pipe(v.array(picture), v.minLength(1), v.maxLength(MAX_PICTURES)),
  /** A definition of one's own; the frozen cell without it. */
  definition: v.optional(v.nullable(object)),
  cells: v.optional(v.nullable(v.array(cell))),
  reviews: v.optional(v.array(review)),
  engine: v.optional(v.picklist(['wasm-simd', 'webgpu'])),
});

export type Parameters = v.InferOutput<typeof schema>;

/** Throws `plan_parameters` with the path of the first fault. */
export function readParameters(given: JsonObject): Parameters {
  const parsed = v.safeParse(schema, given, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const issue = parsed.issues[0];
  throw new PixelproofError(
    'plan_parameters',
    `The plan is not valid at ${v.getDotPath(issue) ?? 'its top'}.`,
    { expected: issue.expected ?? issue.message, got: issue.received },
  );
}
