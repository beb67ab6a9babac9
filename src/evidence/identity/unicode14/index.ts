import ranges from './ranges.json';

// What Python 3.11 says of a character. The reference's rejection reasons were written with its Unicode 14.0; a
// browser's own tables are newer, and another year's browser has others again.

/** Where a property begins and ends to hold, in turn, in ascending order of code points. */
function boundaries(lengths: string): readonly number[] {
  const found: number[] = [];
  let at = 0;
  for (const length of lengths.split(' ')) {
    at += Number.parseInt(length, 36);
    found.push(at);
  }
  return found;
}

const PRINTABLE = boundaries(ranges.printable);
const WORD = boundaries(ranges.word);
const SPACE = boundaries(ranges.space);

function holds(starts: readonly number[], code: number): boolean {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? Number.POSITIVE_INFINITY) <= code) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}

/** `str.isprintable` of one code point. */
export function isPrintable(code: number): boolean {
  return holds(PRINTABLE, code);
}

/** What `\w` matches: `str.isalnum`, or an underscore. */
export function isWord(code: number): boolean {
  return holds(WORD, code);
}

/** `str.isspace`, which is also what `\s` matches and what `str.strip` takes away. */
export function isSpace(code: number): boolean {
  return holds(SPACE, code);
}

/** Python's `\w` and `\s` as character classes for a pattern with the `u` flag and without `i`. */
export const WORD_CLASS = classOf(WORD);
export const SPACE_CLASS = classOf(SPACE);

function classOf(starts: readonly number[]): string {
  let inside = '';
  for (let at = 0; at + 1 < starts.length; at += 2) {
    inside += `${escaped(starts[at] ?? 0)}-${escaped((starts[at + 1] ?? 1) - 1)}`;
  }
  return `[${inside}]`;
}

function escaped(code: number): string {
  return `\\u{${code.toString(16)}}`;
}
