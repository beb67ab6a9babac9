/** Capitals and digits of five by seven squares, drawn for the demo pictures: seven rows of five bits, top to bottom. */
const ROWS: { readonly [letter: string]: readonly number[] } = {
  A: [14, 17, 17, 31, 17, 17, 17],
  B: [30, 17, 17, 30, 17, 17, 30],
  C: [14, 17, 16, 16, 16, 17, 14],
  D: [30, 17, 17, 17, 17, 17, 30],
  E: [31, 16, 16, 30, 16, 16, 31],
  F: [31, 16, 16, 30, 16, 16, 16],
  G: [14, 17, 16, 23, 17, 17, 14],
  H: [17, 17, 17, 31, 17, 17, 17],
  I: [14, 4, 4, 4, 4, 4, 14],
  K: [17, 18, 20, 24, 20, 18, 17],
  L: [16, 16, 16, 16, 16, 16, 31],
  M: [17, 27, 21, 21, 17, 17, 17],
  N: [17, 25, 21, 19, 17, 17, 17],
  O: [14, 17, 17, 17, 17, 17, 14],
  P: [30, 17, 17, 30, 16, 16, 16],
  R: [30, 17, 17, 30, 20, 18, 17],
  S: [15, 16, 16, 14, 1, 1, 30],
  T: [31, 4, 4, 4, 4, 4, 4],
  U: [17, 17, 17, 17, 17, 17, 14],
  W: [17, 17, 17, 21, 21, 27, 17],
  X: [17, 17, 10, 4, 10, 17, 17],
  Y: [17, 17, 10, 4, 4, 4, 4],
};

export const LETTER_WIDTH = 5;
export const LETTER_HEIGHT = 7;

/** The set squares of a letter as (column, row). A character without a drawing is a space. */
export function* letterSquares(letter: string): Iterable<readonly [number, number]> {
  for (const [row, bits] of (ROWS[letter] ?? []).entries()) {
    for (let column = 0; column < LETTER_WIDTH; column += 1) {
      if ((bits >> (LETTER_WIDTH - 1 - column)) & 1) yield [column, row];
    }
  }
}
