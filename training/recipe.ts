import { Pcg64 } from '../src/numeric/pcg64';
import type { Shape } from './network';

/** Everything that decides what arcade-reader becomes. docs/providers.md and the model card quote it. */
export const RECIPE = {
  seed: 20261130,
  /** The only two renders that it ever sees: the historical ones. The other nine recipes test it. */
  variants: ['labelled-v1', 'unlabelled-v1'],
  /** Of `heldOut`: these states are in no training step, in neither render. */
  held_out: '(tank + target place + 2 * cooldown) mod 4 = 0, target place 0 for none and 1..7 for lanes 0..6',
  noise: {
    /** Pixels of the full picture, each way, edges repeated. */
    shift: 2,
    /** One factor a picture, uniform. */
    brightness: [0.9, 1.1],
    /** One whole number a channel of the reduced picture, uniform, both ends included. */
    pixel: 6,
  },
  channels: [8, 16, 16],
  epochs: 24,
  batch: 16,
  learning_rate: 0.01,
  momentum: 0.9,
  /** The rate is constant for this part of the steps and then falls in a straight line to a hundredth. */
  constant_part: 0.5,
  weight_decay: 0.0005,
  /** What of the answer is spread over all classes, so that it is never quite sure. */
  smoothing: 0.02,
} as const;

export const INPUT: Shape = { channels: 3, height: 64, width: 112 };
export const HEADS = [
  ['tank', 7],
  ['target', 8],
  ['cooldown', 2],
] as const;

/** Whether a state of the canonical order (0..111) is kept for measuring. 28 of 112 are. */
export function heldOut(index: number): boolean {
  const [tank, target, cooldown] = answersOf(index);
  return (tank + target + 2 * cooldown) % 4 === 0;
}

/** The classes of a state for the three heads: tank 0..6, target 0 for none and 1..7 for lanes, cooldown 0 or 1. */
export function answersOf(index: number): readonly [tank: number, target: number, cooldown: number] {
  return [Math.floor(index / 16), (index >> 1) % 8, index % 2];
}

/** Draws from 0 up to 1, of 32 bits. */
export function drawsOf(seed: number): {
  readonly below: (count: number) => number;
  readonly draw: () => number;
} {
  const generator = new Pcg64(seed);
  return { below: (count) => generator.below(count), draw: () => generator.next32() / 2 ** 32 };
}
