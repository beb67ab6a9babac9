import * as v from 'valibot';
import { OUTCOMES } from '../../src/experiments/png-representation/case';
import { VARIANTS } from '../../src/experiments/png-representation/variants';
import {
  count,
  flag,
  integer,
  is,
  list,
  map,
  maybe,
  nothing,
  object,
  oneOf,
  or,
  probability,
  said,
  sha256,
  text,
} from '../forms';

// What a state, a recipe and a provider are, in the run's own files and in the published ones.

export const variant = oneOf(VARIANTS);
export const outcome = oneOf(OUTCOMES);
export const action = oneOf(['FIRE', 'LEFT', 'RIGHT', 'STAY']);
export const row = v.pipe(v.string(), v.regex(/^tank=[0-6]\|target=([0-6]|none)\|cooldown=[01]$/));
export const stamp = v.pipe(v.string(), v.regex(/^\d{8}T\d{6}Z$/));
export const renderMode = oneOf(['labelled', 'unlabelled']);

export const state = {
  tank_column: v.pipe(integer, v.minValue(0), v.maxValue(6)),
  target_present: flag,
  target_column: said('-1 where there is no target', v.pipe(integer, v.minValue(-1), v.maxValue(6))),
  cooldown: oneOf([0, 1]),
};
export const truth = object({ ...state, row_id: row });
export const prediction = object({ ...state, row_id: row, confidence: probability });
/** By factor; empty where no reply was accepted. */
export const factors = <S extends v.GenericSchema>(value: S) =>
  or(
    object({ tank_column: value, target_present: value, target_column: value, cooldown: value }),
    object({}),
  );

export const recipe = object({
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
export const configuration = (float: v.GenericSchema) =>
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
