/** Which rows of a long list are near the visible part. Rows all have one height. */
export interface RowWindow {
  readonly first: number;
  readonly last: number;
  readonly before: number;
  readonly after: number;
}

const MARGIN = 4;
/** Rows drawn before one of them could be measured. */
const UNMEASURED = 4;

export function rowWindow(total: number, rowHeight: number, scrollTop: number, height: number): RowWindow {
  if (rowHeight <= 0) return { first: 0, last: Math.min(total, UNMEASURED), before: 0, after: 0 };
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - MARGIN);
  const last = Math.min(total, Math.ceil((scrollTop + height) / rowHeight) + MARGIN);
  return { first, last, before: first * rowHeight, after: Math.max(0, total - last) * rowHeight };
}
