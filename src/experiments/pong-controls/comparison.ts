import { type PyFloat, type PyObject, pyFloat } from '../../evidence/identity/python-json';
import { httpSeconds, usageOf } from './evaluation';
import { numeric } from './json';
import type { ComparisonPlan, Scheduled } from './plan';
import { COMPARISON_INTERPRETATION } from './protocol';
import { pythonSum } from './python-sum';

/** Which arms' rewards are held against each other, seed by seed. */
const PAIRS = [
  ['jev-vertical', 'jev-original'],
  ['jev-vertical', 'python-4px'],
  ['python-4px', 'python-2px'],
] as const;

export interface ComparisonState {
  readonly status: 'incomplete' | 'complete';
  /** Evaluation records in schedule order. */
  readonly episodes: readonly PyObject[];
  /** All ledger entries of the run, those of an interrupted episode too. */
  readonly ledger: readonly PyObject[];
  readonly active: Scheduled | null;
  readonly failure: { readonly errorType: string; readonly interrupted: PyObject } | null;
}

/** The record of `comparison.json`, keys in the published order. */
export function comparisonJson(
  plan: Pick<ComparisonPlan, 'hash' | 'arms'>,
  { status, episodes, ledger, active, failure }: ComparisonState,
): PyObject {
  const ids = plan.arms.map(({ id }) => id);
  const pairs = [...PAIRS, ...ownPairs(ids)].filter(
    ([left, right]) => ids.includes(left) && ids.includes(right),
  );
  return {
    kind: 'pong-control-comparison-v1',
    status,
    plan_hash: plan.hash,
    episodes,
    interpretation: COMPARISON_INTERPRETATION,
    totals: Object.fromEntries(ids.map((id) => [id, totals(episodes.filter(({ arm }) => arm === id))])),
    paired_reward_differences: pairs.map(([left, right]) => paired(episodes, left, right)),
    api_attempts: ledger.length,
    http_status_counts: statusCounts(ledger),
    http_wall_seconds: httpSeconds(ledger),
    usage: usageOf(ledger),
    ...(active === null ? {} : { active_episode: { seed: active.seed, arm: active.arm } }),
    ...(failure === null ? {} : { error_type: failure.errorType, interrupted_episode: failure.interrupted }),
  };
}

/** A rule of one's own is held against the published 4 px rule. */
function ownPairs(ids: readonly string[]): (readonly [string, string])[] {
  return ids.filter((id) => id.startsWith('rule-')).map((id) => [id, 'python-4px']);
}

function totals(episodes: readonly PyObject[]): PyObject {
  const whole = (field: string): number =>
    episodes.reduce((sum, episode) => sum + (typeof episode[field] === 'number' ? episode[field] : 0), 0);
  const usages = episodes.map(({ usage }) => usage as PyObject);
  return {
    reward: pyFloat(numeric(pythonSum(episodes.map(({ reward }) => reward as PyFloat)))),
    points_scored: whole('points_scored'),
    points_lost: whole('points_lost'),
    raw_frames: whole('raw_frames'),
    reset_frames: whole('reset_frames'),
    decisions: whole('decisions'),
    api_attempts: whole('api_attempts'),
    wall_seconds: pyFloat(numeric(pythonSum(episodes.map(({ wall_seconds }) => wall_seconds as PyFloat)))),
    http_wall_seconds: pythonSum(
      episodes.map(({ http_wall_seconds }) => http_wall_seconds as PyFloat | number),
    ),
    absorbing_tail_frames: whole('absorbing_tail_frames'),
    native_terminations: episodes.filter(({ end_reason }) => end_reason === 'native_termination').length,
    usage: {
      input_tokens: usages.reduce((sum, usage) => sum + Number(usage.input_tokens), 0),
      output_tokens: usages.reduce((sum, usage) => sum + Number(usage.output_tokens), 0),
    },
  };
}

function paired(episodes: readonly PyObject[], left: string, right: string): PyObject {
  const rewardOf = (seed: number, arm: string): number | null => {
    const reward = episodes.find(
      (episode) => episode.seed === seed && episode.arm === arm,
    )?.evaluation_reward;
    return reward === undefined || reward === null ? null : numeric(reward as PyFloat);
  };
  const seeds = [...new Set(episodes.map(({ seed }) => Number(seed)))];
  const per_seed = seeds.flatMap((seed) => {
    const [a, b] = [rewardOf(seed, left), rewardOf(seed, right)];
    return a === null || b === null ? [] : [{ seed, gain: pyFloat(a - b) }];
  });
  return { left, right, difference: 'left minus right', per_seed };
}

function statusCounts(ledger: readonly PyObject[]): PyObject {
  const counts: Record<string, number> = {};
  for (const { status } of ledger) counts[String(status)] = (counts[String(status)] ?? 0) + 1;
  return counts;
}
