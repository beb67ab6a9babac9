import { wilson95 } from '../../numeric/wilson';
import { attemptsOf, type Cell, type CellState } from './cells';
import type { Definition } from './definition';
import type { MeasuredRecord } from './record';
import { keyOf } from './signals';

/** k of n, with the interval that shows how little n = 3 can say. */
interface Rate {
  readonly passes: number;
  /** Of all attempts that came to an end, and of those that gave a picture. Both are shown. */
  readonly of_attempts: number;
  readonly of_images: number;
  /** 95 % Wilson interval over the pictures, null without any. */
  readonly interval: { readonly low: number; readonly high: number } | null;
}

interface SignalSummary extends Rate {
  readonly signal: string;
  /** In the order of the attempts; null where the value is undefined. */
  readonly values: readonly (number | null)[];
  readonly lowest: number | null;
  readonly highest: number | null;
}

export interface ArmSummary {
  readonly arm: string;
  readonly states: Readonly<Partial<Record<CellState, number>>>;
  readonly attempts: number;
  readonly images: number;
  readonly signals: readonly SignalSummary[];
  /** Pictures of this arm with the same pixels: one file delivered more than once. */
  readonly repeated_pixels: number;
}

/** Finds the measured record behind a finished attempt's evidence. */
export type RecordOf = (cell: Cell, attempt: number) => MeasuredRecord | null;

/**
 * One summary an arm, in the order of the cells. A discarded picture stays in both denominators and never among the
 * passes; a failed or moderated attempt stays in the first.
 */
export function summarise(cells: readonly Cell[], definition: Definition, recordOf: RecordOf): ArmSummary[] {
  const arms = [...new Set(cells.map(({ arm }) => arm))];
  return arms.map((arm) => {
    const own = cells.filter((cell) => cell.arm === arm);
    const states: Partial<Record<CellState, number>> = {};
    const attempts = own.flatMap((cell) =>
      attemptsOf(cell).map((step, i) => ({ state: step.state, record: recordOf(cell, i) })),
    );
    for (const cell of own) {
      const state = cell.steps.at(-1)?.state ?? 'planned';
      states[state] = (states[state] ?? 0) + 1;
    }
    const pictures = attempts.filter(({ state }) => state === 'done' || state === 'discarded');
    const kept = attempts.flatMap(({ state, record }) =>
      state === 'done' && record !== null ? [record] : [],
    );
    return {
      arm,
      states,
      attempts: attempts.length,
      images: pictures.length,
      signals: definition.signals
        .filter((signal) => signal.statistic !== 'components')
        .map((signal) => signalSummary(keyOf(signal), kept, attempts.length, pictures.length)),
      repeated_pixels: kept.length - new Set(kept.map(({ rgb_sha256 }) => rgb_sha256)).size,
    };
  });
}

function signalSummary(
  key: string,
  records: readonly MeasuredRecord[],
  attempts: number,
  images: number,
): SignalSummary {
  const read = records.map(({ signals }) => {
    const value = signals[key];
    return value !== undefined && 'pass' in value ? value : { value: null, pass: false };
  });
  const values = read.map(({ value }) => value);
  const defined = values.filter((value) => value !== null);
  const passes = read.filter(({ pass }) => pass).length;
  return {
    signal: key,
    passes,
    of_attempts: attempts,
    of_images: images,
    interval: wilson95(passes, images),
    values,
    lowest: defined.length === 0 ? null : Math.min(...defined),
    highest: defined.length === 0 ? null : Math.max(...defined),
  };
}
