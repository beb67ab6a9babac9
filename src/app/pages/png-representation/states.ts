import {
  type ArcadeState,
  CANONICAL_STATES,
  rowId as experimentRowId,
  SMOKE_STATES,
  stateOfRow,
} from '../../../experiments/png-representation/states';

/** The picture's state as the page speaks of it. */
export interface StateParts {
  readonly tank: number;
  /** -1 when there is no target. */
  readonly target: number;
  /** 0 ready, 1 blocked. */
  readonly cooldown: number;
}

function parts(state: ArcadeState): StateParts {
  return { tank: state.tank_column, target: state.target_column ?? -1, cooldown: state.cooldown };
}
/** The same state as the experiment speaks of it. */
export function arcade(state: StateParts): ArcadeState {
  return {
    tank_column: state.tank,
    target_column: state.target < 0 ? null : state.target,
    cooldown: state.cooldown,
  };
}

export function rowId(state: StateParts): string {
  return experimentRowId(arcade(state));
}

/** All 112 in canonical order: tank, then target from none to 6, then cooldown. */
export const STATES: readonly StateParts[] = CANONICAL_STATES.map(parts);
export const ROWS: readonly string[] = CANONICAL_STATES.map(experimentRowId);
export const SMOKE_ROWS: readonly string[] = SMOKE_STATES.map(experimentRowId);

export function partsOf(row: string): StateParts | null {
  return ROWS.includes(row) ? parts(stateOfRow(row)) : null;
}

export function indexOf(state: StateParts): number {
  return state.tank * 16 + (state.target + 1) * 2 + state.cooldown;
}

export function cooldownWord(cooldown: number): 'READY' | 'BLOCKED' {
  return cooldown === 0 ? 'READY' : 'BLOCKED';
}
export function targetWord(target: number): string {
  return target < 0 ? 'none' : String(target);
}

/** `tank 3, target 5, blocked`. */
export function inWords(row: string): string {
  const state = partsOf(row);
  if (state === null) return row;
  const target = state.target < 0 ? 'no target' : `target ${state.target}`;
  return `tank ${state.tank}, ${target}, ${state.cooldown === 0 ? 'ready' : 'blocked'}`;
}
