import { caseLine, detailLine, environmentFile } from './bundle';
import { type Entry, elsewhere, entry, inBundle } from './entry';
import {
  count,
  digits,
  flag,
  is,
  list,
  map,
  maybe,
  nothing,
  number,
  object,
  orNull,
  said,
  sha256,
  text,
} from './forms';
import { episode, frame, modelExchange, transition, transport } from './pong-controls/play';
import { comparison, evaluation, summary } from './pong-controls/results';
import { ends, program, protocol } from './pong-controls/terms';

const EXPERIMENT = 'pong-controls';

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
