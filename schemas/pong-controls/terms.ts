import * as v from 'valibot';
import {
  count,
  digits,
  flag,
  integer,
  is,
  map,
  maybe,
  number,
  object,
  oneOf,
  open,
  orNull,
  probability,
  said,
  text,
} from '../forms';

// What several files of a Pong run speak of.

export const ACTIONS = ['NOOP', 'FIRE', 'RIGHT', 'LEFT', 'RIGHTFIRE', 'LEFTFIRE'] as const;
export const actionName = oneOf(ACTIONS);
export const action = said('Number of the action, 0 to 5', v.pipe(integer, v.minValue(0), v.maxValue(5)));
export const usage = object({ input_tokens: count, output_tokens: count });
/** As a reply states it: another backend may say more, or nothing. */
export const statedUsage = orNull(open({ input_tokens: maybe(count), output_tokens: maybe(count) }));
export const seconds = v.pipe(number, v.minValue(0));

export const protocol = object({
  hold_frames: count,
  sticky: probability,
  observation: text,
  noop_max: count,
  game: text,
  mode: integer,
  difficulty: integer,
  frameskip: count,
  full_action_space: flag,
  extractor: text,
  rom_sha256: digits,
  versions: said('Of what played: of this program, or the published ones', map(text)),
  protocol_hash: digits,
});
export const program = object({
  name: v.pipe(text, v.minLength(1), v.maxLength(100)),
  guidance: v.pipe(text, v.minLength(1), v.maxLength(2000)),
  schema_version: is('action-choice-program-v1'),
});
export const ends = oneOf(['decision_limit', 'native_termination', 'environment_truncation', 'error']);
