import type { Snippet } from 'svelte';

export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  readonly numeric?: true;
  /** What the cell shows without a snippet, what it sorts by, and what the filter reads. */
  readonly value: (row: Row) => string | number | null;
  /** Gets the row and the column's id. */
  readonly cell?: Snippet<[Row, string]>;
  /** Explained once, as the header's tooltip. */
  readonly hint?: string;
}

/** Rows past this count are drawn only near the visible part, unless a table says otherwise. */
export const VIRTUAL_FROM = 300;

export function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  order: string,
): readonly Row[] {
  const down = order.startsWith('-');
  const column = columns.find((known) => known.id === order.replace(/^-/, ''));
  if (column === undefined) return rows;
  const compare = (a: Row, b: Row): number => {
    const one = column.value(a);
    const two = column.value(b);
    if (one === null || two === null) return one === two ? 0 : one === null ? 1 : -1;
    const sign =
      typeof one === 'number' && typeof two === 'number' ? one - two : String(one).localeCompare(String(two));
    return down ? -sign : sign;
  };
  return [...rows].sort(compare);
}

export function filtered<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  text: string,
): readonly Row[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const line = columns
      .map((column) => String(column.value(row) ?? ''))
      .join(' ')
      .toLowerCase();
    return words.every((word) => line.includes(word));
  });
}
