import { PixelproofError } from '../../errors';
import type { PyObject } from '../../evidence/identity/python-json';
import { Pcg64 } from '../../numeric/pcg64';
import { SeedSequence } from '../../numeric/seed-sequence';
import { boxesFromRam } from './boxes';
import type { PongMachine } from './machine';
import { type Event, observationJson } from './observation';
import { ACTIONS, HOLD_FRAMES, NOOP_MAX } from './protocol';
import { type Track, Tracker } from './tracker';

export interface Observation {
  readonly json: PyObject;
  readonly track: Track;
}

export interface Frame {
  /** Counted from 1, reset NOOPs included. */
  readonly rawFrame: number;
  readonly reward: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
}

export interface Step {
  readonly rewards: readonly number[];
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly observation: Observation;
}

/** The 32-bit seed of sticky actions. Throws `pong_seed_clock` for the one pattern that means the clock. */
export function environmentSeed(words: readonly number[]): number {
  const seed = words[1] ?? 0;
  if (seed !== 0xffffffff) return seed;
  throw new PixelproofError('pong_seed_clock', 'This seed would start the environment from the clock.', {
    expected: 'any 32-bit seed but 4294967295',
    got: seed,
  });
}

/** NOOP frames at the start of an episode, 0 to 30. */
export function resetNoops(seed: number): number {
  return new Pcg64(seed).below(NOOP_MAX + 1);
}

/** One-player Pong as the protocol plays it: decisions of held frames, observations from RAM. */
export class PongEnvironment {
  readonly machine: PongMachine;
  #tracker = new Tracker();
  #rawFrame = 0;
  #lastAction: number | null = null;

  constructor(machine: PongMachine) {
    this.machine = machine;
  }

  /** Raw frames since the reset, NOOPs included. */
  get rawFrame(): number {
    return this.#rawFrame;
  }

  /**
   * Starts an episode from power-on. Throws `pong_reset_score` where a point or the end falls into the NOOP frames, and
   * `seed_invalid`.
   */
  reset(seed: number): { readonly observation: Observation; readonly resetFrames: number } {
    this.machine.reset(environmentSeed(new SeedSequence(seed).words(2)));
    this.#tracker = new Tracker();
    this.#rawFrame = 0;
    this.#lastAction = null;
    const resetFrames = resetNoops(seed);
    for (let i = 0; i < resetFrames; i += 1) {
      const { reward, terminated, truncated } = this.machine.step(0);
      this.#rawFrame += 1;
      if (reward === 0 && !terminated && truncated !== true) continue;
      throw new PixelproofError('pong_reset_score', 'A point was played before the first decision.', {
        expected: 'no reward and no end in the reset frames',
        got: `frame ${this.#rawFrame}: reward ${reward}`,
      });
    }
    return { observation: this.#observe([]), resetFrames };
  }

  /**
   * One decision: the action held for `frames` frames, 1 to 4, fewer where the game ends. `onFrame` sees the machine
   * after each frame. Throws `pong_action` and `pong_hold` before anything has run.
   */
  step(action: number, frames: number = HOLD_FRAMES, onFrame?: (frame: Frame) => void): Step {
    const chosen = ACTIONS.find(({ id }) => id === action);
    if (chosen === undefined) {
      throw new PixelproofError('pong_action', 'There is no such action in this experiment.', {
        expected: 'a whole number from 0 to 5',
        got: action,
      });
    }
    if (!Number.isInteger(frames) || frames < 1 || frames > HOLD_FRAMES) {
      throw new PixelproofError('pong_hold', 'A decision holds its action for 1 to 4 frames.', {
        got: frames,
      });
    }
    const rewards: number[] = [];
    const events: Event[] = [];
    let [terminated, truncated] = [false, false];
    for (let i = 0; i < frames && !terminated && !truncated; i += 1) {
      const result = this.machine.step(chosen.code);
      const { reward } = result;
      terminated = result.terminated;
      truncated = result.truncated === true;
      this.#rawFrame += 1;
      rewards.push(reward);
      if (reward !== 0) {
        events.push(reward > 0 ? 'point_scored' : 'point_lost');
        this.#tracker.forgetBall();
      }
      onFrame?.({ rawFrame: this.#rawFrame, reward, terminated, truncated });
    }
    this.#lastAction = action;
    return { rewards, terminated, truncated, observation: this.#observe(events) };
  }

  #observe(events: readonly Event[]): Observation {
    const track = this.#tracker.observe(this.#rawFrame, boxesFromRam(this.machine.ram));
    return { track, json: observationJson(track, this.#lastAction, events) };
  }
}
