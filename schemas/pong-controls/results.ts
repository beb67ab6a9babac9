import {
  count,
  digits,
  flag,
  is,
  list,
  map,
  maybe,
  number,
  object,
  oneOf,
  orNull,
  probability,
  text,
} from '../forms';
import { action, ends, seconds, usage } from './terms';

// What came of an episode and of the comparison of all.

export const summary = {
  status: oneOf(['complete', 'incomplete']),
  reward: number,
  decisions: count,
  raw_frames: count,
  points_scored: count,
  points_lost: count,
  terminated: flag,
  truncated: flag,
  backend: text,
  end_reason: ends,
  reset_frames: count,
  wall_seconds: seconds,
  simulated_seconds: seconds,
  error_type: maybe(text),
  api_attempts: maybe(count),
};
const horizon = {
  seed: count,
  arm: text,
  evaluation_complete: flag,
  evaluation_horizon_frames: count,
  absorbing_tail_frames: count,
  evaluation_reward: orNull(number),
};
export const evaluation = object({
  ...summary,
  ...horizon,
  http_wall_seconds: seconds,
  usage,
  rule_4px_agreement: object({
    decisions: count,
    different_actions: count,
    agreement_fraction: orNull(probability),
    first_differences: list(object({ decision: count, actual: action, rule: action })),
    interpretation: text,
  }),
  diagnostics: object({
    decisions: count,
    visible_ball_and_player_decisions: count,
    requests_opposing_instantaneous_vertical_gap: count,
    estimated_right_paddle_returns: count,
    provider_choice_disagreements: count,
    interpretation: text,
  }),
});
const totals = object({
  reward: number,
  points_scored: count,
  points_lost: count,
  raw_frames: count,
  reset_frames: count,
  decisions: count,
  api_attempts: count,
  wall_seconds: seconds,
  http_wall_seconds: seconds,
  absorbing_tail_frames: count,
  native_terminations: count,
  usage,
});
export const comparison = object({
  kind: is('pong-control-comparison-v1'),
  status: oneOf(['complete', 'incomplete']),
  plan_hash: digits,
  episodes: list(evaluation),
  interpretation: text,
  totals: map(totals),
  paired_reward_differences: list(
    object({
      left: text,
      right: text,
      difference: is('left minus right'),
      per_seed: list(object({ seed: count, gain: number })),
    }),
  ),
  api_attempts: count,
  http_status_counts: map(count),
  http_wall_seconds: seconds,
  usage,
  active_episode: maybe(object({ seed: count, arm: text })),
  error_type: maybe(text),
  interrupted_episode: maybe(object({ ...summary, ...horizon })),
});
