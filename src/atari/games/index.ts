import type { Game } from './game';
import { pong } from './pong';

export type { Game, HeldEvent } from './game';

const GAMES: readonly Game[] = [pong];

/** Names of the games whose reward and end rules are known. */
export const GAME_NAMES: readonly string[] = GAMES.map((game) => game.name);

/** The rules of a game by name, null when it has none here. */
export function gameNamed(name: string): Game | null {
  return GAMES.find((game) => game.name === name) ?? null;
}
