import { SHARD_FORM } from '../../cli/shard';
import {
  anything,
  count,
  digits,
  error,
  flag,
  integer,
  is,
  kind,
  list,
  map,
  object,
  oneOf,
  or,
  orNull,
  probability,
  said,
  sha256,
  text,
  texts,
} from '../forms';
import { shownComparison } from '../png-representation/published';
import { report as visionReport } from '../vision-controls';
import { failed } from './asked';

// What the commands of the PNG representation and of the vision controls print with --json.

const pictureDigests = { pixels_sha256: sha256, png_sha256: sha256, png_bytes: count };
export const render = object({
  variant_id: text,
  row_id: text,
  recipe_id: sha256,
  ...pictureDigests,
  operation_chain_digest: sha256,
  matrix_blob_id: digits,
  steps: list(
    object({
      index: count,
      operation: text,
      operation_version: text,
      parameters: map(anything),
      ...pictureDigests,
      thumb_sha256: sha256,
      parameter_digest: sha256,
      operation_digest: sha256,
    }),
  ),
});

export const parse = or(
  object({
    ok: is(true),
    prediction: object({
      tank_column: count,
      target_present: flag,
      target_column: integer,
      cooldown: oneOf([0, 1]),
      confidence: probability,
      row_id: text,
    }),
  }),
  object({ ok: is(false), reason: text }),
);

export const status = oneOf(['planned', 'running', 'cancelled', 'incomplete', 'complete']);
const ran = {
  out: text,
  status,
  plan_id: sha256,
  root_digest: said('Null until the run is complete', orNull(sha256)),
  done: count,
  total: count,
};
const gateVerdict = oneOf(['pass', 'fail', 'unknown']);
export const pngRun = object({
  ...ran,
  calls: count,
  unfinished_calls: count,
  error: orNull(failed),
  kind: orNull(kind),
  comparison: orNull(shownComparison),
  interpretation: orNull(
    object({
      checks: list(object({ id: text, question: text, verdict: gateVerdict, evidence: texts, reason: text })),
      attribution_allowed: flag,
      sentence: text,
    }),
  ),
  published: orNull(
    object({
      executed: text,
      explanations: map(text),
      checks: list(object({ what: text, expected: anything, got: anything, equal: flag })),
    }),
  ),
});
export const shardRun = object({
  out: text,
  index: SHARD_FORM.entries.index,
  count: SHARD_FORM.entries.count,
  status,
  plan_id: sha256,
  done: count,
  total: count,
  error: orNull(error),
});

export const visionRun = object({
  ...ran,
  ...visionReport,
  result: oneOf(['pass', 'fail', 'incomplete', 'skip', 'error', 'cancelled']),
  cause: orNull(text),
  calls: count,
  error: orNull(error),
  receipt: orNull(is('receipt.json')),
});

export const visionCheck = object({
  ok: flag,
  manifest: orNull(
    object({
      sha256,
      bytes: count,
      revision: orNull(text),
      dataset_id: text,
      rows: count,
      families: texts,
      visual_question: text,
    }),
  ),
  pictures: list(
    object({
      unique_data_id: text,
      file_name: text,
      status: oneOf(['ok', 'missing', 'altered']),
      found_as: orNull(text),
      code: orNull(text),
      message: orNull(text),
    }),
  ),
  foreign: list(object({ name: text, sha256 })),
  leak_ban: orNull(
    object({
      ok: flag,
      code: orNull(text),
      terms: texts,
      state: text,
      state_term: orNull(text),
      tasks: list(object({ unique_data_id: text, term: orNull(text) })),
    }),
  ),
  controls: list(
    object({
      unique_data_id: text,
      visual_family: text,
      condition: oneOf(['present', 'omitted', 'swapped']),
      image_unique_data_id: orNull(text),
      expected: orNull(flag),
      counts_as_semantic_hit: flag,
    }),
  ),
  error: orNull(error),
});
