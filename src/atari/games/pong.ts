import { PixelproofError } from '../../errors';
import type { Game } from './game';

const CPU_SCORE = 13;
const PLAYER_SCORE = 14;
const MODE = 22;
const POINTS_TO_WIN = 21;

/** SELECT steps through the game's two modes, so a few presses always reach mode 0 on the real cartridge. */
const MOST_PRESSES = 16;

/**
 * One-player Pong (mode 0) by the reference environment's rules: the reward is the change of player's minus computer's
 * score, and 21 points end the game. They hold for any cartridge that keeps the same bytes in RAM.
 */
export const pong: Game = {
  name: 'pong',
  actions: [0, 1, 3, 4, 11, 12],
  startingActions: [],
  selectMode(console) {
    for (let presses = 0; console.ram[MODE] !== 0; presses += 1) {
      if (presses === MOST_PRESSES) {
        throw new PixelproofError('atari_mode_unreachable', 'SELECT does not bring the game to its mode 0.', {
          expected: `RAM[${MODE}] = 0`,
          got: console.ram[MODE],
        });
      }
      console.hold('select', 2);
      console.hold('noop', 1);
    }
    console.hold('reset', 4);
  },
  score: (ram) => (ram[PLAYER_SCORE] ?? 0) - (ram[CPU_SCORE] ?? 0),
  ended: (ram) => ram[CPU_SCORE] === POINTS_TO_WIN || ram[PLAYER_SCORE] === POINTS_TO_WIN,
};
