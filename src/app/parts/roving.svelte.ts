/**
 * A grid of cells that is one stop of the Tab key: arrow keys move inside, Home and End along the row, with Ctrl to the
 * corners, Page Up and Page Down by five rows (the keyboard pattern that WAI-ARIA gives for grids). Rows may be drawn
 * only near the visible part: the grid is asked to bring a row into sight before its cell takes the focus.
 */
export class Roving {
  row = $state(0);
  column = $state(0);
  #rows: () => number;
  #columns: () => number;
  #focus: (row: number, column: number) => void;

  /** `rows` and `columns` are counts; `focus` moves the focus to a cell, drawn or not. */
  constructor(rows: () => number, columns: () => number, focus: (row: number, column: number) => void) {
    this.#rows = rows;
    this.#columns = columns;
    this.#focus = focus;
  }

  /**
   * 0 for the one cell that Tab reaches, -1 for all others. A grid that shrank keeps its last cell reachable; of a
   * grid of which only the rows from `first` to before `last` are drawn, a drawn cell is reachable.
   */
  tabindex(row: number, column: number, first = 0, last = Number.POSITIVE_INFINITY): 0 | -1 {
    const here = this.#within(Math.max(first, Math.min(last - 1, this.row)), this.column);
    return here.row === row && here.column === column ? 0 : -1;
  }

  /** A cell got the focus by whatever means: Tab comes back to it. */
  arrive(row: number, column: number): void {
    this.row = row;
    this.column = column;
  }

  readonly onkeydown = (event: KeyboardEvent): void => {
    if (event.metaKey || event.altKey || event.shiftKey) return;
    const to = this.#target(event.key, event.ctrlKey);
    if (to === null) return;
    const next = this.#within(to[0], to[1]);
    event.preventDefault();
    this.arrive(next.row, next.column);
    this.#focus(next.row, next.column);
  };

  #target(key: string, control: boolean): readonly [number, number] | null {
    const { row, column } = this.#within(this.row, this.column);
    const end = Number.POSITIVE_INFINITY;
    if (key === 'Home') return control ? [0, 0] : [row, 0];
    if (key === 'End') return control ? [end, end] : [row, end];
    if (control) return null;
    if (key === 'ArrowLeft') return [row, column - 1];
    if (key === 'ArrowRight') return [row, column + 1];
    if (key === 'ArrowUp') return [row - 1, column];
    if (key === 'ArrowDown') return [row + 1, column];
    if (key === 'PageUp') return [row - 5, column];
    if (key === 'PageDown') return [row + 5, column];
    return null;
  }

  #within(row: number, column: number): { readonly row: number; readonly column: number } {
    const clamp = (at: number, size: number): number => Math.max(0, Math.min(size - 1, at));
    return { row: clamp(row, this.#rows()), column: clamp(column, this.#columns()) };
  }
}
