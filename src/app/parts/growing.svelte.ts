import { laterInPlace } from '../later';

/**
 * How many rows of a table are drawn: `step` at once, and as many more each time it is the table's turn, until all
 * `total` are there. A table of a hundred buttons drawn in one task would hold up a person on a slow machine.
 */
export class Growing {
  shown = $state(0);

  /** Made while a component is; it grows as long as that component stands. */
  constructor(total: () => number, step: number) {
    this.shown = step;
    $effect(() => {
      if (this.shown >= total()) return;
      void laterInPlace().then(() => {
        this.shown += step;
      });
    });
  }
}
