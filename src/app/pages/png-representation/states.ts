/** The picture's state in words, and the places of the 112 states. */
export interface StateParts {
  readonly tank: number;
  /** -1 when there is no target. */
  readonly target: number;
  /** 0 ready, 1 blocked. */
  readonly cooldown: number;
}

export type Action = 'LEFT' | 'RIGHT' | 'STAY' | 'FIRE';

export function rowId(state: StateParts): string {
  const target = state.target < 0 ? 'none' : String(state.target);
  return `tank=${state.tank}|target=${target}|cooldown=${state.cooldown}`;
}

const ROW = /^tank=([0-6])\|target=(none|[0-6])\|cooldown=([01])$/;

export function partsOf(row: string): StateParts | null {
  const match = ROW.exec(row);
  if (match === null) return null;
  return {
    tank: Number(match[1]),
    target: match[2] === 'none' ? -1 : Number(match[2]),
    cooldown: Number(match[3]),
  };
}

/** Canonical order: tank, then target from none to 6, then cooldown. */
export const STATES: readonly StateParts[] = Array.from({ length: 112 }, (_, index) => ({
  tank: Math.floor(index / 16),
  target: Math.floor((index % 16) / 2) - 1,
  cooldown: index % 2,
}));
export const ROWS: readonly string[] = STATES.map(rowId);

export const SMOKE_ROWS: readonly string[] = [
  'tank=0|target=none|cooldown=0',
  'tank=6|target=none|cooldown=1',
  'tank=0|target=0|cooldown=0',
  'tank=3|target=3|cooldown=1',
  'tank=6|target=0|cooldown=0',
  'tank=0|target=6|cooldown=0',
  'tank=3|target=1|cooldown=1',
  'tank=2|target=5|cooldown=1',
];

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

/** What the compiled policy does in a state; the table is the published one. */
export function actionOf(state: StateParts): Action {
  if (state.target < 0) return 'STAY';
  if (state.tank > state.target) return 'LEFT';
  if (state.tank < state.target) return 'RIGHT';
  return state.cooldown === 0 ? 'FIRE' : 'STAY';
}

export const ACTION_SIGNS: Readonly<Record<Action, string>> = { LEFT: '←', RIGHT: '→', STAY: '·', FIRE: '↑' };
