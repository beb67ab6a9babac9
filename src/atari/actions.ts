import { PixelproofError } from '../errors';

/** The eighteen actions in the order of the reference's action numbers. */
export const ACTIONS = [
  'NOOP',
  'FIRE',
  'UP',
  'RIGHT',
  'LEFT',
  'DOWN',
  'UPRIGHT',
  'UPLEFT',
  'DOWNRIGHT',
  'DOWNLEFT',
  'UPFIRE',
  'RIGHTFIRE',
  'LEFTFIRE',
  'DOWNFIRE',
  'UPRIGHTFIRE',
  'UPLEFTFIRE',
  'DOWNRIGHTFIRE',
  'DOWNLEFTFIRE',
] as const;

/** All eighteen numbers: a game's full action set. */
export const FULL_ACTION_SET: readonly number[] = ACTIONS.map((_, number) => number);

/** Throws `atari_action_out_of_range` unless `action` is one of the eighteen numbers. */
export function checkAction(action: number): void {
  if (!Number.isInteger(action) || action < 0 || action >= ACTIONS.length) {
    throw new PixelproofError('atari_action_out_of_range', 'There is no such action.', {
      expected: `an integer from 0 to ${ACTIONS.length - 1}`,
      got: action,
    });
  }
}
