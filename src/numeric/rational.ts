import { PixelproofError } from '../errors';

/** A fraction of whole numbers, `den` at least 1. */
export interface Rational {
  readonly num: number;
  readonly den: number;
}

/** Reads `3/10`, `25` or `-1/2`. Throws `rational_malformed`; both numbers are at most a million. */
export function parseRational(text: string): Rational {
  const match = /^(-?\d{1,7})(?:\/(\d{1,7}))?$/.exec(text);
  const num = Number(match?.[1] ?? Number.NaN);
  const den = Number(match?.[2] ?? 1);
  if (match === null || den < 1 || den > 1e6 || Math.abs(num) > 1e6) {
    throw new PixelproofError(
      'rational_malformed',
      'A fraction is written as two whole numbers, such as 3/10.',
      {
        expected: 'num/den, both at most 1000000, den at least 1',
        got: text,
      },
    );
  }
  return { num, den };
}

/** The smallest integer that is not below num * size / den; `size` up to 2^32. */
export function ceilOf({ num, den }: Rational, size: number): number {
  const product = num * size;
  const over = ((product % den) + den) % den;
  return (product - over) / den + (over === 0 ? 0 : 1);
}

/** The sign of a - b / c, exact: -1, 0 or 1. `b` and `c` are integers up to 2^53, c positive. */
export function compareToQuotient(a: Rational, b: number, c: number): number {
  const left = BigInt(a.num) * BigInt(c);
  const right = BigInt(b) * BigInt(a.den);
  return left < right ? -1 : left > right ? 1 : 0;
}
