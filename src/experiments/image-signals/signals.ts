import { ceilOf, compareToQuotient } from '../../numeric/rational';
import type { Measured, MeasureTask, Rectangle, RegionTask } from '../../pixels/signals/task';
import { CONVENTIONS, type Convention, rectangleOf } from './bounds';
import type { ComponentsSignal, Definition, MeanSignal, ShareSignal, Signal, Threshold } from './definition';

/** [x0, x1, y0, y1], half-open. */
type Roi = readonly [number, number, number, number];

export interface MeanValue {
  readonly roi: Roi;
  readonly n: number;
  readonly sum: number;
  /** sum / n, null when no pixel of the region fulfils the predicate. */
  readonly value: number | null;
  readonly pass: boolean;
}
/** The number of pixels is under the predicate's name: `yellow`. */
export type ShareValue = {
  readonly roi: Roi;
  readonly total: number;
  readonly value: number | null;
  readonly pass: boolean;
} & {
  readonly [predicate: string]: unknown;
};
interface ComponentsValue {
  readonly min_area: number;
  readonly count: number;
  readonly areas: readonly number[];
  /** [x0, y0, x1, y1], half-open. */
  readonly boxes: readonly (readonly [number, number, number, number])[];
  readonly components_total: number;
}
export type SignalValue = MeanValue | ShareValue | ComponentsValue;

/** What the other two readings of a region's bounds give, for the signals where a number differs. */
export interface RoundingSensitivity {
  readonly double_mask: { readonly [signal: string]: MeanValue | ShareValue };
  readonly truncation: { readonly [signal: string]: MeanValue | ShareValue };
  /** Signals whose verdict depends on the reading. */
  readonly verdict_changes: readonly string[];
}

/** All signals of one image under one definition. Keys are the signals' ids with _ for -, in the definition's order. */
interface Signals {
  readonly values: { readonly [signal: string]: SignalValue };
  readonly mask_total: number;
  /** How many of the signals that have a threshold pass. No combined verdict: the source defines none. */
  readonly gates_passed: number;
  readonly rounding: RoundingSensitivity;
  /** Why a value is null. */
  readonly reasons: { readonly [signal: string]: string };
}

type Gated = MeanSignal | ShareSignal;

/** What is to be measured on an image of this size, and how the measurements become the signals. */
export interface SignalPlan {
  readonly task: MeasureTask;
  signals(measured: Measured): Signals;
}

/**
 * The three readings of a bound differ by a row or a column at most, so each region is measured in cells, cut at every
 * bound of every reading, and the cells are added up for each reading: the pixels are read once.
 */
export function planSignals(definition: Definition, width: number, height: number): SignalPlan {
  const regions: RegionTask[] = [];
  const gated = definition.signals.filter((signal) => signal.statistic !== 'components');
  const readings = gated.map((signal) => {
    const rectangles = CONVENTIONS.map((convention) => rectangleOf(signal.region, width, height, convention));
    const first = regions.length;
    const where = definition.predicates.get(signal.where) ?? [];
    for (const rectangle of cellsOf(rectangles)) {
      regions.push({ rectangle, where, sum: signal.statistic === 'mean' ? signal.of : null });
    }
    return { signal, rectangles, first, end: regions.length };
  });
  const components = definition.signals.find((signal) => signal.statistic === 'components') ?? null;
  const least_area = components === null ? null : leastArea(components, width, height);
  const mask = definition.predicates.get(definition.mask) ?? [];
  const task: MeasureTask = { regions, mask, least_area };

  return {
    task,
    signals(measured) {
      const values: Record<string, SignalValue> = {};
      const reasons: Record<string, string> = {};
      const other = {
        double_mask: {} as Record<string, MeanValue | ShareValue>,
        truncation: {} as Record<string, MeanValue | ShareValue>,
      };
      const verdict_changes: string[] = [];
      let gates_passed = 0;
      for (const { signal, rectangles, first, end } of readings) {
        const key = keyOf(signal);
        const read = (convention: Convention): MeanValue | ShareValue => {
          const rectangle = rectangles[CONVENTIONS.indexOf(convention)] ?? EMPTY;
          let [n, sum] = [0, 0];
          for (let i = first; i < end; i++) {
            const cell = regions[i]?.rectangle ?? EMPTY;
            if (!inside(cell, rectangle)) continue;
            n += measured.regions[i]?.n ?? 0;
            sum += measured.regions[i]?.sum ?? 0;
          }
          return readingOf(signal, rectangle, n, sum);
        };
        const exact = read('exact');
        values[key] = exact;
        if (exact.pass) gates_passed += 1;
        if (exact.value === null) reasons[key] = reasonOf(definition, signal, exact.roi);
        for (const convention of ['double_mask', 'truncation'] as const) {
          const reading = read(convention);
          if (JSON.stringify(reading) === JSON.stringify(exact)) continue;
          other[convention][key] = reading;
          if (reading.pass !== exact.pass && !verdict_changes.includes(key)) verdict_changes.push(key);
        }
      }
      if (components !== null && measured.components !== null) {
        values[keyOf(components)] = { min_area: least_area ?? 1, ...measured.components };
      }
      return {
        values: inOrder(definition, values),
        mask_total: measured.mask_total,
        gates_passed,
        rounding: { ...other, verdict_changes },
        reasons,
      };
    },
  };
}

const EMPTY: Rectangle = { x0: 0, x1: 0, y0: 0, y1: 0 };

/** The field a signal has in a record: its id with _ for -. */
export function keyOf(signal: Signal): string {
  return signal.id.replaceAll('-', '_');
}

/** The smallest whole area that is not below the share of the image; at least one pixel. */
function leastArea(signal: ComponentsSignal, width: number, height: number): number {
  return Math.max(1, ceilOf(signal.least_area, width * height));
}

function cellsOf(rectangles: readonly Rectangle[]): Rectangle[] {
  const filled = rectangles.filter((r) => r.x0 < r.x1 && r.y0 < r.y1);
  const xs = cuts(filled.flatMap((r) => [r.x0, r.x1]));
  const ys = cuts(filled.flatMap((r) => [r.y0, r.y1]));
  return ys.flatMap(([y0, y1]) => xs.map(([x0, x1]) => ({ x0, x1, y0, y1 })));
}

function cuts(bounds: readonly number[]): [number, number][] {
  const sorted = [...new Set(bounds)].sort((a, b) => a - b);
  return sorted.slice(1).map((end, i) => [sorted[i] ?? 0, end]);
}

function inside(cell: Rectangle, rectangle: Rectangle): boolean {
  return (
    cell.x0 >= rectangle.x0 && cell.x1 <= rectangle.x1 && cell.y0 >= rectangle.y0 && cell.y1 <= rectangle.y1
  );
}

function readingOf(
  signal: Gated,
  { x0, x1, y0, y1 }: Rectangle,
  n: number,
  sum: number,
): MeanValue | ShareValue {
  const roi: Roi = [x0, x1, y0, y1];
  if (signal.statistic === 'mean') {
    return { roi, n, sum, value: n === 0 ? null : sum / n, pass: passes(signal.threshold, sum, n) };
  }
  const total = Math.max(0, x1 - x0) * Math.max(0, y1 - y0);
  return {
    roi,
    [signal.where]: n,
    total,
    value: total === 0 ? null : n / total,
    pass: passes(signal.threshold, n, total),
  };
}

/** Exact: whole numbers are compared, not quotients. An undefined value never passes. */
function passes(threshold: Threshold | null, over: number, under: number): boolean {
  if (threshold === null || under === 0) return false;
  const order = compareToQuotient(threshold.value, over, under);
  return threshold.side === 'at_least' ? order <= 0 : order >= 0;
}

function reasonOf(definition: Definition, signal: Gated, [x0, x1, y0, y1]: Roi): string {
  if (x0 >= x1 || y0 >= y1) return 'empty region';
  return `no ${definition.predicates.has(signal.where) ? signal.where : ''} pixels`;
}

function inOrder(definition: Definition, values: Record<string, SignalValue>): Record<string, SignalValue> {
  const ordered: Record<string, SignalValue> = {};
  for (const signal of definition.signals) {
    const value = values[keyOf(signal)];
    if (value !== undefined) ordered[keyOf(signal)] = value;
  }
  return ordered;
}
