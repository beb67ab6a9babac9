import {
  isPyObject,
  type PyFloat,
  type PyObject,
  type PyValue,
  pyFloat,
} from '../../evidence/identity/python-json';
import { tokensOf } from './backends';
import { verticalGap } from './boxes';
import type { Seen } from './observation';
import { AGREEMENT_INTERPRETATION, DIAGNOSTICS_INTERPRETATION } from './protocol';
import { pythonSum } from './python-sum';
import { RULE_4PX, ruleAction } from './rule';

/** Differences from the rule that are named; all of them are counted. */
const NAMED_DIFFERENCES = 10;
const OPPOSING_GAP = 4;
const RETURN_FROM_X = 120;

/** What is counted of an episode while it goes: nothing is kept of a decision but these few numbers. */
export class EpisodeCounts {
  #decisions = 0;
  #different = 0;
  readonly #first: PyObject[] = [];
  #visible = 0;
  #opposing = 0;
  #returns = 0;
  #disagreements = 0;
  #direction: -1 | 1 | null = null;

  /** One decision: what was seen before it, what was done, what came of it. */
  add(seen: Seen, action: number, prediction: PyValue | undefined, rewards: readonly number[]): void {
    const rule = ruleAction(RULE_4PX, seen.boxes);
    if (rule !== action) {
      this.#different += 1;
      if (this.#first.length < NAMED_DIFFERENCES)
        this.#first.push({ decision: this.#decisions, actual: action, rule });
    }
    const gap = verticalGap(seen.boxes);
    if (gap !== null) {
      this.#visible += 1;
      const up = action === 2 || action === 4;
      const down = action === 3 || action === 5;
      if ((gap > OPPOSING_GAP && up) || (gap < -OPPOSING_GAP && down)) this.#opposing += 1;
    }
    this.#follow(seen);
    if (rewards.some((reward) => reward !== 0)) this.#direction = null;
    const answer = isPyObject(prediction) ? prediction.choice_answer : undefined;
    if (isPyObject(answer) && answer.choice_matches_probabilities === false) this.#disagreements += 1;
    this.#decisions += 1;
  }

  #follow({ boxes, ballVelocityX }: Seen): void {
    if (boxes.ball === null || ballVelocityX === null) {
      this.#direction = null;
      return;
    }
    if (ballVelocityX === 0) return;
    const direction = ballVelocityX > 0 ? 1 : -1;
    if (this.#direction === 1 && direction === -1 && boxes.ball[0] >= RETURN_FROM_X) this.#returns += 1;
    this.#direction = direction;
  }

  agreement(): PyObject {
    return {
      decisions: this.#decisions,
      different_actions: this.#different,
      agreement_fraction: pyFloat(
        this.#decisions === 0 ? 0 : (this.#decisions - this.#different) / this.#decisions,
      ),
      first_differences: this.#first,
      interpretation: AGREEMENT_INTERPRETATION,
    };
  }

  diagnostics(): PyObject {
    return {
      decisions: this.#decisions,
      visible_ball_and_player_decisions: this.#visible,
      requests_opposing_instantaneous_vertical_gap: this.#opposing,
      estimated_right_paddle_returns: this.#returns,
      provider_choice_disagreements: this.#disagreements,
      interpretation: DIAGNOSTICS_INTERPRETATION,
    };
  }
}

/**
 * The horizon rule over a summary: complete only for a native end or the full horizon. The tail after a native end has
 * no frames and no reward; an incomplete episode has no evaluation reward.
 */
export function horizonRule(summary: PyObject, horizon: number): PyObject {
  const { status, raw_frames, end_reason, terminated, reward } = summary;
  const frames = typeof raw_frames === 'number' ? raw_frames : 0;
  const native = end_reason === 'native_termination' && terminated === true;
  const full = end_reason === 'decision_limit' && frames === horizon;
  const complete = status === 'complete' && frames > 0 && frames <= horizon && (native || full);
  return {
    evaluation_complete: complete,
    evaluation_horizon_frames: horizon,
    absorbing_tail_frames: complete && native ? horizon - frames : 0,
    evaluation_reward: complete ? (reward ?? null) : null,
  };
}

/** Seconds of HTTP over ledger entries: the integer 0 when there was none. */
export function httpSeconds(ledger: readonly PyObject[]): number | PyFloat {
  return pythonSum(ledger.map((entry) => entry.elapsed_seconds as PyFloat));
}

/** Tokens over ledger entries. */
export function usageOf(ledger: readonly PyObject[]): PyObject {
  const tokens = ledger.map((entry) => tokensOf(entry.usage));
  return {
    input_tokens: tokens.reduce((sum, { input }) => sum + input, 0),
    output_tokens: tokens.reduce((sum, { output }) => sum + output, 0),
  };
}

export interface EvaluationParts {
  readonly seed: number;
  readonly arm: string;
  readonly summary: PyObject;
  readonly horizon: number;
  readonly ledger: readonly PyObject[];
  readonly counts: EpisodeCounts;
}

/** The record of `evaluation.json`, keys in the published order. */
export function evaluationJson({ seed, arm, summary, horizon, ledger, counts }: EvaluationParts): PyObject {
  return {
    seed,
    arm,
    ...summary,
    ...horizonRule(summary, horizon),
    http_wall_seconds: httpSeconds(ledger),
    usage: usageOf(ledger),
    rule_4px_agreement: counts.agreement(),
    diagnostics: counts.diagnostics(),
  };
}
