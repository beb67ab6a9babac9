import { PixelproofError } from '../../errors';
import { BOOTSTRAP_RESAMPLES, bootstrapMean, type MeanInterval } from '../../numeric/bootstrap';
import type { Arm } from './arms';
import { PongEnvironment } from './environment';
import type { PongMachine } from './machine';
import { seenIn } from './observation';
import { isSeed } from './plan';
import { HOLD_FRAMES, type Split, splitOf } from './protocol';
import { type Rule, ruleAction, rulePolicyName } from './rule';

// Beyond the published protocol: coded rules over many seeds. Its own kind, never mixed with the published comparison.

/** The most seeds of one sweep. */
const MOST_SEEDS = 100_000;

export interface SweepArm {
  readonly id: string;
  readonly rule: Rule;
}

/** What is kept of an episode: nothing that grows with its length. */
export interface SweepEpisode {
  readonly seed: number;
  readonly arm: string;
  readonly reward: number;
  readonly points_scored: number;
  readonly points_lost: number;
  readonly raw_frames: number;
}

/**
 * The seeds of a text: numbers and ranges `A..B`, commas between. A range leaves its test seeds out; naming one is
 * refused. Throws `sweep_seeds`.
 */
export function sweepSeeds(text: string): { readonly seeds: readonly number[]; readonly left_out: number } {
  const refuse = (got: string) =>
    new PixelproofError('sweep_seeds', 'A sweep takes train and development seeds only, each once.', {
      expected: `numbers or ranges A..B, at most ${MOST_SEEDS} seeds, none that ends in 8 or 9 by itself`,
      got,
    });
  const seeds: number[] = [];
  let left_out = 0;
  for (const part of text.split(',').map((one) => one.trim())) {
    const match = /^(\d{1,15})(?:\.\.(\d{1,15}))?$/.exec(part);
    if (match === null) throw refuse(part);
    const [from, to] = [Number(match[1]), Number(match[2] ?? match[1])];
    if (to < from || to - from >= 2 * MOST_SEEDS) throw refuse(part);
    let taken = 0;
    for (let seed = from; seed <= to; seed += 1) {
      if (!isSeed(seed) || splitOf(seed) === 'test') {
        left_out += 1;
        continue;
      }
      taken += 1;
      seeds.push(seed);
    }
    if (taken === 0) throw refuse(`${part}, test seeds`);
  }
  if (seeds.length > MOST_SEEDS) throw refuse(`${seeds.length} seeds`);
  if (new Set(seeds).size !== seeds.length) throw refuse('a seed twice');
  return { seeds, left_out };
}

/** The arms of a sweep: coded rules only. Throws `sweep_arms` for a model arm. */
export function sweepArms(arms: readonly Arm[]): readonly SweepArm[] {
  return arms.map((arm) => {
    if (arm.kind === 'rule') return { id: arm.id, rule: arm.rule };
    throw new PixelproofError('sweep_arms', 'A sweep runs coded rules only.', {
      expected: 'python-2px, python-4px or a rule such as rule-6px',
      got: arm.id,
    });
  });
}

/** Plays one episode without files or digests. */
export function sweepEpisode(
  machine: PongMachine,
  arm: SweepArm,
  seed: number,
  frames: number,
): SweepEpisode {
  const environment = new PongEnvironment(machine);
  let { observation } = environment.reset(seed);
  let [reward, scored, lost, played] = [0, 0, 0, 0];
  for (let decision = 0; decision < frames / HOLD_FRAMES; decision += 1) {
    const step = environment.step(ruleAction(arm.rule, seenIn(observation.json).boxes));
    for (const one of step.rewards) {
      reward += one;
      if (one > 0) scored += 1;
      if (one < 0) lost += 1;
    }
    played += step.rewards.length;
    if (step.terminated || step.truncated) break;
    observation = step.observation;
  }
  return { seed, arm: arm.id, reward, points_scored: scored, points_lost: lost, raw_frames: played };
}

export interface SweepDistribution {
  readonly arm: string;
  readonly policy: string;
  readonly episodes: number;
  readonly mean: number;
  readonly standard_deviation: number;
  readonly minimum: number;
  readonly median: number;
  readonly maximum: number;
  readonly interval: MeanInterval | null;
  /** Episodes by net reward, ascending. */
  readonly counts: readonly { readonly reward: number; readonly episodes: number }[];
}

export interface SweepSummary {
  readonly kind: 'pixelproof-pong-sweep-v1';
  readonly protocol: string;
  readonly rom_sha256: string;
  readonly frames_per_episode: number;
  readonly seeds: number;
  readonly seeds_by_split: Readonly<Record<Split, number>>;
  readonly interval_method: string;
  readonly arms: readonly SweepDistribution[];
  /** Net reward of `left` minus `right`, seed by seed; wins, ties and losses are of `left`. */
  readonly paired: readonly {
    readonly left: string;
    readonly right: string;
    readonly interval: MeanInterval | null;
    readonly wins: number;
    readonly ties: number;
    readonly losses: number;
  }[];
}

/** Takes episodes in any order and keeps one small number of each. */
export class Sweep {
  readonly #arms: readonly SweepArm[];
  readonly #at: ReadonlyMap<number, number>;
  readonly #rewards: ReadonlyMap<string, Float64Array>;
  #done = 0;

  constructor(arms: readonly SweepArm[], seeds: readonly number[]) {
    this.#arms = arms;
    this.#at = new Map(seeds.map((seed, index) => [seed, index]));
    this.#rewards = new Map(arms.map(({ id }) => [id, new Float64Array(seeds.length).fill(Number.NaN)]));
  }

  get done(): number {
    return this.#done;
  }

  add({ seed, arm, reward }: SweepEpisode): void {
    const rewards = this.#rewards.get(arm);
    const at = this.#at.get(seed);
    if (rewards === undefined || at === undefined) return;
    rewards[at] = reward;
    this.#done += 1;
  }

  /** The summary over all seeds. Every arm must have been played on every seed. */
  summary(romSha256: string, frames: number): SweepSummary {
    const ids = this.#arms.map(({ id }) => id);
    const pairs = ids.flatMap((left, i) => ids.slice(0, i).map((right) => [left, right] as const));
    const rewards = (id: string): Float64Array => this.#rewards.get(id) ?? new Float64Array();
    const splits = { train: 0, development: 0, test: 0 };
    for (const seed of this.#at.keys()) splits[splitOf(seed)] += 1;
    return {
      kind: 'pixelproof-pong-sweep-v1',
      protocol:
        'A new protocol beside the published comparison: coded rules on many train and development seeds.',
      rom_sha256: romSha256,
      frames_per_episode: frames,
      seeds: this.#at.size,
      seeds_by_split: splits,
      interval_method: `95 % percentile bootstrap of the mean over seeds, ${BOOTSTRAP_RESAMPLES} resamples, MT19937 seed 5489`,
      arms: this.#arms.map((arm) => distribution(arm, rewards(arm.id))),
      paired: pairs.map(([left, right]) => {
        const [a, b] = [rewards(left), rewards(right)];
        const gains = Array.from(a, (reward, i) => reward - (b[i] ?? 0));
        return {
          left,
          right,
          interval: bootstrapMean(gains),
          wins: gains.filter((gain) => gain > 0).length,
          ties: gains.filter((gain) => gain === 0).length,
          losses: gains.filter((gain) => gain < 0).length,
        };
      }),
    };
  }
}

function distribution(arm: SweepArm, rewards: Float64Array): SweepDistribution {
  const sorted = rewards.toSorted();
  const count = sorted.length;
  const mean = sorted.reduce((sum, reward) => sum + reward, 0) / count;
  const squares = sorted.reduce((sum, reward) => sum + (reward - mean) ** 2, 0);
  const counts = new Map<number, number>();
  for (const reward of sorted) counts.set(reward, (counts.get(reward) ?? 0) + 1);
  const middle = count >> 1;
  const median =
    count % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
  return {
    arm: arm.id,
    policy: rulePolicyName(arm.rule),
    episodes: count,
    mean,
    standard_deviation: count < 2 ? 0 : Math.sqrt(squares / (count - 1)),
    minimum: sorted[0] ?? 0,
    median,
    maximum: sorted[count - 1] ?? 0,
    interval: bootstrapMean([...rewards]),
    counts: [...counts].map(([reward, episodes]) => ({ reward, episodes })),
  };
}
