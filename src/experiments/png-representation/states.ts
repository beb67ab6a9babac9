import { PixelproofError } from '../../errors';
import type { FixtureName } from './protocol';

/** One state of the seven-lane arcade. Cooldown 0 is ready, 1 is blocked. */
export type ArcadeState = {
  readonly tank_column: number;
  readonly target_column: number | null;
  readonly cooldown: number;
};

/** What is compared: the state without its row id; target_column is -1 when there is no target. */
export type StateFactors = {
  readonly tank_column: number;
  readonly target_present: boolean;
  readonly target_column: number;
  readonly cooldown: number;
};
export type StatePayload = StateFactors & { readonly row_id: string };

export const FACTORS = ['tank_column', 'target_present', 'target_column', 'cooldown'] as const;

function state(tank_column: number, target_column: number | null, cooldown: number): ArcadeState {
  return { tank_column, target_column, cooldown };
}

/** All 112 states in canonical order: tank 0..6, target none then 0..6, cooldown 0 then 1. */
export const CANONICAL_STATES: readonly ArcadeState[] = Array.from({ length: 112 }, (_, index) => {
  const target = (index >> 1) % 8;
  return state(Math.floor(index / 16), target === 0 ? null : target - 1, index % 2);
});

/** The eight smoke states, in the reference's order. */
export const SMOKE_STATES: readonly ArcadeState[] = [
  state(0, null, 0),
  state(6, null, 1),
  state(0, 0, 0),
  state(3, 3, 1),
  state(6, 0, 0),
  state(0, 6, 0),
  state(3, 1, 1),
  state(2, 5, 1),
];

export function fixtureStates(fixture: FixtureName): readonly ArcadeState[] {
  return fixture === 'smoke' ? SMOKE_STATES : CANONICAL_STATES;
}

/** `tank=3|target=none|cooldown=1`. */
export function rowId(of: ArcadeState): string {
  return `tank=${of.tank_column}|target=${of.target_column ?? 'none'}|cooldown=${of.cooldown}`;
}

export function factorsOf(of: ArcadeState): StateFactors {
  return {
    tank_column: of.tank_column,
    target_present: of.target_column !== null,
    target_column: of.target_column ?? -1,
    cooldown: of.cooldown,
  };
}

export function payloadOf(of: ArcadeState): StatePayload {
  return { ...factorsOf(of), row_id: rowId(of) };
}

/** Place in canonical order, 0..111. */
export function canonicalIndex(of: ArcadeState): number {
  return of.tank_column * 16 + (of.target_column === null ? 0 : of.target_column + 1) * 2 + of.cooldown;
}

const BY_ROW = new Map(CANONICAL_STATES.map((each) => [rowId(each), each]));

/** Throws `unknown_row` for a text that names none of the 112 states. */
export function stateOfRow(row: string): ArcadeState {
  const found = BY_ROW.get(row);
  if (found !== undefined) return found;
  throw new PixelproofError('unknown_row', `Unknown policy row_id: ${row}`, {
    expected: 'tank=0..6|target=none or 0..6|cooldown=0 or 1',
    got: row,
  });
}
