/** The part of a console that an environment reset drives. */
interface Switches {
  /** The 128 bytes of RAM, live. */
  readonly ram: Uint8Array;
  /** Runs `frames` frames with an event held: a console switch, nothing, or an action number. */
  hold(event: HeldEvent, frames: number): void;
}

export type HeldEvent = 'noop' | 'reset' | 'select' | number;

/**
 * A game's rules over RAM. The core knows none of this: a new game is one file beside this one and a line in index.ts.
 */
export interface Game {
  readonly name: string;
  /** Numbers of the eighteen actions that mean something in the game. */
  readonly actions: readonly number[];
  /** What an environment reset does between holding RESET for the first and the second time. */
  selectMode(console: Switches): void;
  /** Actions of one frame each that start play after an environment reset. */
  readonly startingActions: readonly number[];
  /** The quantity whose change is a frame's reward. */
  score(ram: Uint8Array): number;
  ended(ram: Uint8Array): boolean;
}
