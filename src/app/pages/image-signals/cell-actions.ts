import type { JsonObject } from '../../../evidence/identity/json';
import { advance, type Cell, type CellState } from '../../../experiments/image-signals/cells';

/** The cells with one of them a step further. Throws what `advance` throws. */
export function stepCell(
  cells: readonly Cell[],
  at: Cell,
  state: CellState,
  reason: string,
  evidence: JsonObject | null,
): readonly Cell[] {
  return cells.map((cell) =>
    cell.arm === at.arm && cell.repetition === at.repetition ? advance(cell, state, reason, evidence) : cell,
  );
}

export const STATE_SIGNS: Readonly<Record<CellState, string>> = {
  planned: '○',
  blocked: '⊘',
  running: '…',
  done: '●',
  failed: '✕',
  moderated: '▲',
  discarded: '−',
};

export const STATE_MEANING: Readonly<Record<CellState, string>> = {
  planned: 'in the frozen plan, not tried yet',
  blocked: 'may not be run, with the published reason',
  running: 'asked, no answer yet',
  done: 'a picture is there',
  failed: 'no picture came; the attempt stays in the data',
  moderated: 'the service refused; the attempt stays in the data',
  discarded: 'a picture was there and was set aside, with a reason; it stays in the data',
};
