import type { Json } from '../../evidence/identity/json';

/** The shape of a self-check's JSON. A change that a reader of it could stumble over raises the number. */
export const SELF_CHECK_FORMAT = 'pixelproof-self-check/1';

/**
 * `yes`, `partly`, `no`: whether this place can do it. `measured`: a number, with nothing to pass. `failed`: the check
 * itself did not come to an end.
 */
export type FactState = 'yes' | 'partly' | 'no' | 'measured' | 'failed';

/** One thing that a browser, or Node, can or cannot do. */
export interface Fact {
  /** An id of the catalogue. */
  readonly id: string;
  readonly state: FactState;
  /** What was found, for programs. */
  readonly value: Json;
  /** The same in a few words, for people. */
  readonly says: string;
}

/** What was found so far. A check that was cancelled has the facts up to there, and `complete` false. */
export interface SelfCheckReport {
  readonly format: typeof SELF_CHECK_FORMAT;
  readonly program: string;
  /** The browser's user agent, or Node's version and system. */
  readonly place: string;
  readonly complete: boolean;
  readonly facts: readonly Fact[];
}

/** A fact that is a question of having or not. */
export function having(id: string, has: boolean, yes = 'yes', no = 'no'): Fact {
  return { id, state: has ? 'yes' : 'no', value: has, says: has ? yes : no };
}

/** The outcome of a check that threw. */
export function failed(id: string, thrown: unknown): Fact {
  const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return { id, state: 'failed', value: message, says: message };
}
