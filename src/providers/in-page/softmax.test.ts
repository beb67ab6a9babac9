import { expect, it } from 'vitest';
import { expOfNegative, softmax } from './softmax';

// e^-1, e^-10, e^-100 and e^-0.5 to 17 digits, from tables (OEIS A068985, A092426; NIST DLMF 4.2).
it.each([
  [0, 1],
  [-0.5, 0.60653065971263342],
  [-1, 0.36787944117144233],
  [-10, 4.5399929762484854e-5],
  [-100, 3.7200759760208361e-44],
  [-1000, 0],
  [Number.NEGATIVE_INFINITY, 0],
])('e^%d', (x, should) => {
  expect(Math.abs(expOfNegative(x) - should)).toBeLessThanOrEqual(should * 2 ** -51);
});

it('of no number is no number', () => {
  expect(expOfNegative(Number.NaN)).toBeNaN();
});

it('softmax is a distribution, whatever the size of the logits', () => {
  expect(softmax([0, 0, 0, 0])).toEqual([0.25, 0.25, 0.25, 0.25]);
  const far = softmax([1000, 0, -1000]);
  expect(far).toEqual([1, 0, 0]);
  expect(softmax([1, 2, 3]).reduce((a, b) => a + b)).toBeCloseTo(1, 15);
});
