import { PixelproofError } from '../../errors';
import type { JsonObject } from '../../evidence/identity/json';
import type { MatrixPlan } from './matrix-plan';

export const CELL_STATES = [
  'planned',
  'blocked',
  'running',
  'done',
  'failed',
  'moderated',
  'discarded',
] as const;
export type CellState = (typeof CELL_STATES)[number];

/** One step of a cell's life. Steps are only ever added: what failed or was discarded stays in the data. */
export interface CellStep {
  readonly state: CellState;
  readonly reason: string;
  /** What shows it: a record of the picture, an exchange, a published source. */
  readonly evidence: JsonObject | null;
}

/** One repetition of one arm. */
export interface Cell {
  readonly arm: string;
  /** From 1. */
  readonly repetition: number;
  readonly steps: readonly CellStep[];
}

/** Which state may follow which. A finished cell can be tried again: the earlier attempt stays listed. */
const NEXT: Readonly<Record<CellState, readonly CellState[]>> = {
  planned: ['blocked', 'running', 'done', 'failed', 'moderated'],
  blocked: ['planned'],
  running: ['done', 'failed', 'moderated', 'planned'],
  done: ['discarded'],
  failed: ['planned', 'running', 'done'],
  moderated: ['planned', 'running', 'done'],
  discarded: ['planned', 'running', 'done'],
};
/** States that say nothing without evidence. */
const SHOWN: readonly CellState[] = ['done', 'failed', 'moderated', 'discarded'];

/** All cells of a plan, arms in plan order: planned, or blocked with the published reason. */
export function startCells(plan: MatrixPlan): Cell[] {
  return plan.arms.flatMap((arm) =>
    Array.from({ length: plan.repetitions }, (_, i): Cell => {
      const planned: CellStep = { state: 'planned', reason: 'In the frozen plan.', evidence: null };
      const steps: CellStep[] =
        arm.blocked === null
          ? [planned]
          : [planned, { state: 'blocked', reason: arm.blocked, evidence: null }];
      return { arm: arm.id, repetition: i + 1, steps };
    }),
  );
}

/** The states that may follow a cell's present one. */
export function nextStates(cell: Cell): readonly CellState[] {
  return NEXT[stateOf(cell)];
}

export function stateOf(cell: Cell): CellState {
  return cell.steps.at(-1)?.state ?? 'planned';
}

/**
 * The cell with one more step. Throws `cell_transition` for a step that cannot follow, `cell_reason` for an empty reason
 * and `cell_evidence` where a finished attempt comes without evidence.
 */
export function advance(cell: Cell, state: CellState, reason: string, evidence: JsonObject | null): Cell {
  const from = stateOf(cell);
  if (!NEXT[from].includes(state)) {
    throw new PixelproofError('cell_transition', `A cell that is ${from} cannot become ${state}.`, {
      expected: NEXT[from].join(', '),
      got: state,
    });
  }
  if (reason.trim() === '') throw new PixelproofError('cell_reason', `Say why the cell becomes ${state}.`);
  if (evidence === null && SHOWN.includes(state)) {
    throw new PixelproofError('cell_evidence', `A cell becomes ${state} only with what shows it.`);
  }
  return { ...cell, steps: [...cell.steps, { state, reason, evidence }] };
}

/** The attempts of a cell that came to an end, in order. A discarded picture replaces the done one it was. */
export function attemptsOf(cell: Cell): CellStep[] {
  return cell.steps.filter(
    ({ state }, i) =>
      SHOWN.includes(state) && !(state === 'done' && cell.steps[i + 1]?.state === 'discarded'),
  );
}
