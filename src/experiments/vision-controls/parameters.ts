import * as v from 'valibot';
import { PixelproofError } from '../../errors';
import type { JsonObject } from '../../evidence/identity/json';
import { NATIVE_TEMPLATES } from './prompt';
import { GATES } from './protocol';
import { REVISIONS } from './published-fixture';

/** Characters of a manifest: a thousand rows. */
const MAX_MANIFEST = 2_000_000;

const schema = v.object({
  /** A published revision, our demo set, or the text of a manifest file. */
  fixture: v.optional(
    v.union([
      v.picklist([...REVISIONS, 'demo']),
      v.pipe(v.string(), v.startsWith('{'), v.maxLength(MAX_MANIFEST)),
    ]),
  ),
  /** Only these rows, in this order; the swap rule holds among them. All rows without it. */
  rows: v.optional(v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(1000))),
  gate: v.optional(v.picklist(GATES)),
  /** The turn wrapper that an exact harness requires. */
  template: v.optional(v.picklist(NATIVE_TEMPLATES)),
  /** The annotation leg: with the row's own picture, from the text alone, or not at all. */
  annotation: v.optional(v.picklist(['picture', 'text', 'none'])),
  /** Rows whose annotation is asked; all without it. */
  annotation_rows: v.optional(v.array(v.string())),
  /** Candidates to list in a reply. */
  n_probs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(1_048_576))),
  /** Calls under way at once, and milliseconds between two starts, at one server. */
  max_in_flight: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(64))),
  min_interval_ms: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(600_000))),
  /** Seconds for each call. */
  timeout: v.optional(v.pipe(v.number(), v.minValue(0.001), v.maxValue(86_400))),
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
