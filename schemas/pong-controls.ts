import * as v from 'valibot';
import { anyObject, caseLine, detailLine, environmentFile } from './bundle';
import { type Entry, elsewhere, entry, inBundle } from './entry';
import {
  count,
  digits,
  flag,
  integer,
  is,
  list,
  map,
  maybe,
  nothing,
  number,
  object,
  oneOf,
  open,
  or,
  orNull,
  probability,
  said,
  sha256,
  text,
} from './forms';

const EXPERIMENT = 'pong-controls';
const ACTIONS = ['NOOP', 'FIRE', 'RIGHT', 'LEFT', 'RIGHTFIRE', 'LEFTFIRE'] as const;
const actionName = oneOf(ACTIONS);
const action = said('Number of the action, 0 to 5', v.pipe(integer, v.minValue(0), v.maxValue(5)));
const usage = object({ input_tokens: count, output_tokens: count });
/** As a reply states it: another backend may say more, or nothing. */
const statedUsage = orNull(open({ input_tokens: maybe(count), output_tokens: maybe(count) }));
const seconds = v.pipe(number, v.minValue(0));

const protocol = object({
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
const program = object({
  name: v.pipe(text, v.minLength(1), v.maxLength(100)),
  guidance: v.pipe(text, v.minLength(1), v.maxLength(2000)),
  schema_version: is('action-choice-program-v1'),
});

const comparisonPlan = object({
  kind: is('pong-control-plan-v1'),
  source_revision: orNull(text),
  split: text,
  seeds: list(count),
  protocol,
  frames_per_episode: count,
  max_decisions: count,
  point_limit: nothing,
  requested_model: orNull(text),
  expected_response_model: maybe(text),
  max_http_attempts: count,
  max_decision_calls: count,
  schedule: list(object({ seed: count, arm: text })),
  arms: map(
    object({
      policy: text,
      program: orNull(program),
      program_hash: orNull(digits),
      deadband_pixels: orNull(count),
    }),
  ),
  selection_rule: text,
  primary_metric: text,
  termination_rule: text,
  inference_rule: text,
  candidate_only: maybe(flag),
});
const plan = object({
  experiment: is(EXPERIMENT),
  plan: comparisonPlan,
  plan_hash: digits,
  plan_text: said('The plan in the published form, of which plan_hash is the digest', text),
});

const ends = oneOf(['decision_limit', 'native_termination', 'environment_truncation', 'error']);
const evidence = object({
  arm: text,
  seed: count,
  policy: text,
  decisions: count,
  raw_frames: count,
  reset_frames: count,
  reward: number,
  points_scored: count,
  points_lost: count,
  frames_sha256: sha256,
  decisions_sha256: said('Of transitions.jsonl without the seconds of its calls', sha256),
});
const detail = object({
  summary: said('summary.json, as text', text),
  evaluation: said('evaluation.json, as text', text),
  ledger: said('api-ledger.json, as text; null where nobody was asked', orNull(text)),
  files: map(object({ sha256, media_type: text, bytes: count })),
});

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

const transport = object({
  attempt: count,
  requested_model: text,
  status: or(count, is('transport_error')),
  elapsed_seconds: seconds,
  response_model: maybe(orNull(text)),
  usage: maybe(statedUsage),
});
const modelExchange = object({
  exchange_id: count,
  request: said('As it was sent; its form is the backend’s', anyObject),
  response: said('As it came, keys redacted; null for a failed attempt', orNull(anyObject)),
  transport,
});

const episode = object({
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

const summary = {
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
const evaluation = object({
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

const at = (name: string, path?: string) => [inBundle(EXPERIMENT, name, path)];
const ofEpisode = (file: string) =>
  at(`ARM/seed-N/${file}`, `[A-Za-z0-9+-]+/seed-[0-9]+/${file.replaceAll('.', '\\.')}`);
const LEDGER = [...at('api-ledger.json'), ...ofEpisode('api-ledger.json')];

export const PONG_CONTROLS: readonly Entry[] = [
  entry(
    'pong-controls-plan',
    at('pixelproof.json plan', 'PLAN'),
    'Plan of a Pong controls run',
    'The member plan of the manifest: the comparison’s plan with its published text and hash.',
    plan,
  ),
  entry(
    'pong-controls-case',
    at('cases.jsonl'),
    'Case of the Pong controls',
    'A line of cases.jsonl: one episode. The arm of the line is the seed; the policy’s arm is in the evidence.',
    caseLine(ends, evidence),
  ),
  entry(
    'pong-controls-detail',
    at('details.jsonl'),
    'Detail of a case of the Pong controls',
    'A line of details.jsonl.',
    detailLine(detail),
  ),
  entry(
    'pong-controls-environment',
    at('environment.json'),
    'Environment of a Pong controls run',
    'When and where; `recording` is the digest of recorded answers.',
    environmentFile(object({ recording: maybe(text) })),
  ),
  entry(
    'pong-controls-comparison-plan',
    at('plan.json'),
    'Plan of a comparison in the published form',
    'plan.json: everything that is fixed before an episode begins.',
    comparisonPlan,
  ),
  entry(
    'pong-controls-episode',
    ofEpisode('manifest.json'),
    'Manifest of an episode',
    'Protocol, seed, policy and question.',
    episode,
  ),
  entry(
    'pong-controls-frame',
    ofEpisode('frames.jsonl'),
    'A controlled frame',
    'A line of frames.jsonl: the action asked for, 128 bytes of RAM, the digest of the picture.',
    frame,
  ),
  entry(
    'pong-controls-transition',
    ofEpisode('transitions.jsonl'),
    'A decision',
    'A line of transitions.jsonl: what was seen, what was decided and why, what came of it.',
    transition,
  ),
  entry(
    'pong-controls-model-exchange',
    ofEpisode('model-exchanges.jsonl'),
    'An HTTP attempt of an episode',
    'A line of model-exchanges.jsonl.',
    modelExchange,
  ),
  entry(
    'pong-controls-ledger',
    LEDGER,
    'Ledger of HTTP attempts',
    'api-ledger.json of an episode, or of the run.',
    list(transport),
  ),
  entry(
    'pong-controls-summary',
    ofEpisode('summary.json'),
    'What came of an episode',
    'Also of one that did not end.',
    object(summary),
  ),
  entry(
    'pong-controls-evaluation',
    ofEpisode('evaluation.json'),
    'An episode by the horizon rule',
    'Of an episode that ended.',
    evaluation,
  ),
  entry(
    'pong-controls-comparison',
    at('comparison.json'),
    'Comparison of the arms',
    'Totals, paired differences and costs; an interrupted run’s too.',
    comparison,
  ),
  entry(
    'pong-program',
    [elsewhere('a question program: `--baseline-program`, `--candidate-program`, the page’s editor')],
    'Question of a model arm',
    'What makes two model arms differ, and nothing else of them does.',
    program,
  ),
];
