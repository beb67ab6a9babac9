import * as v from 'valibot';
import { anyObject } from '../bundle';
import {
  count,
  digits,
  flag,
  integer,
  is,
  list,
  maybe,
  nothing,
  number,
  object,
  oneOf,
  or,
  orNull,
  probability,
  said,
  text,
} from '../forms';
import { ACTIONS, action, actionName, program, protocol, seconds, statedUsage } from './terms';

// The files of an episode, written while it is played: what was seen, asked, decided and shown.

const box = v.pipe(list(integer), v.length(4));
const pair = v.pipe(list(number), v.length(2));
const observation = object({
  schema_version: is('atari-object-observation-v1'),
  extractor_version: text,
  game: text,
  observation_source: text,
  coordinates: object({
    width_px: count,
    height_px: count,
    origin: text,
    x_positive: text,
    y_positive: text,
    bbox_format: text,
    velocity_unit: text,
  }),
  control: object({
    requested_hold_frames: count,
    sticky_action_probability: probability,
    last_requested_action_id: orNull(action),
    last_executed_action_id: nothing,
  }),
  objects: list(
    object({
      id: oneOf(['player', 'opponent', 'ball']),
      kind: oneOf(['paddle', 'ball']),
      present: flag,
      bbox: orNull(box),
      velocity: orNull(pair),
      velocity_valid: flag,
      sample_interval_raw_frames: orNull(count),
      age_since_last_seen_raw_frames: orNull(count),
    }),
  ),
  history: list(
    object({
      offset_raw_frames: integer,
      boxes: object({ player: orNull(box), opponent: orNull(box), ball: orNull(box) }),
    }),
  ),
  events_observed: list(oneOf(['point_scored', 'point_lost'])),
  candidate_actions: list(
    object({
      id: action,
      ale_meaning: actionName,
      effect: oneOf(['up', 'down', 'hold']),
      hold_raw_frames: count,
    }),
  ),
});

const byName = object(
  Object.fromEntries(ACTIONS.map((name) => [name, probability])) as Record<
    (typeof ACTIONS)[number],
    typeof probability
  >,
);
const prediction = or(
  object({ policy: text }),
  object({
    backend: text,
    requested_model: text,
    response_model: orNull(text),
    program_hash: digits,
    usage: maybe(statedUsage),
    elapsed_seconds: seconds,
    exchange_id: count,
    prediction_type: is('action-choice'),
    selection_rule: text,
    chosen_action: action,
    action_probabilities: object({
      '0': probability,
      '1': probability,
      '2': probability,
      '3': probability,
      '4': probability,
      '5': probability,
    }),
    choice_answer: object({
      choice: actionName,
      reported_choice: actionName,
      choice_matches_probabilities: flag,
      probabilities: byName,
      reported_probabilities: byName,
      confidence: probability,
    }),
  }),
);
export const transition = object({
  decision: count,
  observation,
  action,
  prediction,
  rewards: list(number),
  raw_frames: count,
  next_observation: observation,
  terminated: flag,
  truncated: flag,
});
export const frame = object({
  decision: count,
  raw_frame: count,
  requested_action_id: action,
  ram_bytes: v.pipe(list(v.pipe(integer, v.minValue(0), v.maxValue(255))), v.length(128)),
  rgb_sha256: digits,
  reward: number,
  terminated: flag,
  truncated: flag,
});

export const transport = object({
  attempt: count,
  requested_model: text,
  status: or(count, is('transport_error')),
  elapsed_seconds: seconds,
  response_model: maybe(orNull(text)),
  usage: maybe(statedUsage),
});
export const modelExchange = object({
  exchange_id: count,
  request: said('As it was sent; its form is the backend’s', anyObject),
  response: said('As it came, keys redacted; null for a failed attempt', orNull(anyObject)),
  transport,
});

export const episode = object({
  kind: is('pong-play-v1'),
  protocol,
  seed: count,
  split: text,
  policy: text,
  max_decisions: count,
  point_limit: nothing,
  video_clock: text,
  question_program: maybe(program),
});
