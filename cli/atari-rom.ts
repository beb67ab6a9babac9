import { readFileSync } from 'node:fs';
import { GAME_NAMES, type Game, gameNamed } from '../src/atari';
import { PixelproofError } from '../src/errors';

/** Throws `file_unreadable`. */
export function readFileOf(path: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (cause) {
    throw new PixelproofError('file_unreadable', 'The file cannot be read.', { got: path, cause });
  }
}

/** Throws `atari_game_unknown`. */
export function gameOf(name: string): Game {
  const game = gameNamed(name);
  if (game === null) {
    throw new PixelproofError('atari_game_unknown', 'There are no rules for this game.', {
      expected: GAME_NAMES.join(', '),
      got: name,
    });
  }
  return game;
}
