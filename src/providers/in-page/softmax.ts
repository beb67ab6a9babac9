/** Powers of two from 1 down to 2^-1022: exact, where `2 ** k` need not be. */
const HALVES = Array.from({ length: 1023 }, () => 1);
for (let k = 1; k < HALVES.length; k += 1) HALVES[k] = (HALVES[k - 1] ?? 0) / 2;

/** 1/n! for n from 0 to 16: more than a double can tell for |r| below 0.35. */
const TERMS = [1];
for (let n = 1; n <= 16; n += 1) TERMS.push((TERMS[n - 1] ?? 0) / n);

/** ln 2 in two parts; the high one has its last 21 bits zero, so that k * high is exact (Cody and Waite, 1980). */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

/**
 * e^x for x up to 0, by additions and multiplications alone: IEEE 754 gives the same bits on every machine, where
 * `Math.exp` is whatever the engine has. Within 2^-51 of the true value in proportion; 0 below -708.
 */
export function expOfNegative(x: number): number {
  if (!(x >= -708)) return x < 0 ? 0 : Number.NaN;
  const k = Math.round(-x * Math.LOG2E);
  const r = x + k * LN2_HIGH + k * LN2_LOW;
  let sum = 0;
  for (let n = TERMS.length - 1; n >= 0; n -= 1) sum = sum * r + (TERMS[n] ?? 0);
  return sum * (HALVES[k] ?? 0);
}

/** The probabilities of logits. The same bits on every machine; sums to 1 but for rounding. */
export function softmax(logits: ArrayLike<number>): number[] {
  const values = Array.from(logits);
  const top = Math.max(...values);
  const powers = values.map((value) => expOfNegative(value - top));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
