import { ceilOf, type Rational } from '../../numeric/rational';
import type { Rectangle } from '../../pixels/signals/task';
import type { Region } from './definition';

/**
 * How a fraction of a side becomes a whole column or row. `exact` is the rule: the first index i with i >= q N, in whole
 * numbers. The original code is not published, so the two other readings are computed beside it: `double_mask` compares
 * indexes with the floating-point product q N (0.55 * 720 is 396.00000000000006, which loses row 396), `truncation` cuts
 * that product off.
 */
export const CONVENTIONS = ['exact', 'double_mask', 'truncation'] as const;
export type Convention = (typeof CONVENTIONS)[number];

function boundOf(at: Rational, size: number, convention: Convention): number {
  if (convention === 'exact') return ceilOf(at, size);
  const product = (at.num / at.den) * size;
  return Math.min(size, convention === 'double_mask' ? Math.ceil(product) : Math.trunc(product));
}

/** The whole pixels of a region in an image of this size. It may be empty. */
export function rectangleOf(
  region: Region,
  width: number,
  height: number,
  convention: Convention,
): Rectangle {
  const [x0, x1] = region.x.map((at) => boundOf(at, width, convention));
  const [y0, y1] = region.y.map((at) => boundOf(at, height, convention));
  return { x0: x0 ?? 0, x1: x1 ?? 0, y0: y0 ?? 0, y1: y1 ?? 0 };
}
