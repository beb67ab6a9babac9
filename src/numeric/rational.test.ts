import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ceilOf, compareToQuotient, parseRational } from './rational';
import { wilson95 } from './wilson';
import { Xorshift32 } from './xorshift32';

test('fractions are read, and refused by name', () => {
  expect(parseRational('3/10')).toEqual({ num: 3, den: 10 });
  expect(parseRational('-25')).toEqual({ num: -25, den: 1 });
  for (const text of ['', '1/0', '0.5', '1/2/3', ' 1', '2000000', '1/2000000', 'a'])
    expect(() => parseRational(text)).toThrow(expect.objectContaining({ code: 'rational_malformed' }));
});

test('ceilings and comparisons are exact', () => {
  const whole = fc.integer({ min: -1_000_000, max: 1_000_000 });
  const positive = fc.integer({ min: 1, max: 1_000_000 });
  fc.assert(
    fc.property(whole, positive, fc.nat(100_000_000), (num, den, size) => {
      const value = BigInt(num) * BigInt(size);
      const ceiling = BigInt(ceilOf({ num, den }, size)) * BigInt(den);
      expect(ceiling >= value && ceiling - BigInt(den) < value).toBe(true);
    }),
  );
  expect(ceilOf({ num: 11, den: 20 }, 720)).toBe(396);
  expect(compareToQuotient({ num: 1, den: 20 }, 5, 100)).toBe(0);
  expect(compareToQuotient({ num: 25, den: 1 }, 2499, 100)).toBe(1);
  expect(compareToQuotient({ num: -1, den: 3 }, -1, 4)).toBe(-1);
});

test('Wilson intervals of three trials are the published ones', () => {
  const rounded = [0, 1, 2, 3].map((k) => {
    const interval = wilson95(k, 3);
    return [interval?.low.toFixed(3), interval?.high.toFixed(3)];
  });
  expect(rounded).toEqual([
    ['0.000', '0.561'],
    ['0.061', '0.792'],
    ['0.208', '0.939'],
    ['0.439', '1.000'],
  ]);
  expect(wilson95(0, 0)).toBeNull();
});

test('the drawing generator is Marsaglia’s and repeats itself', () => {
  const [a, b] = [new Xorshift32(5), new Xorshift32(5)];
  for (let i = 0; i < 100; i++) expect(a.next()).toBe(b.next());
  const low = new Xorshift32(9);
  for (let i = 0; i < 100; i++) expect(low.between(-3, 3)).toSatisfy((v: number) => v >= -3 && v <= 3);
});
