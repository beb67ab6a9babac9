import { expect, test } from 'vitest';
import { fixture } from '../../fixtures/atari/read';
import { bootstrapMean } from './bootstrap';
import { Mt19937 } from './mt19937';
import { Pcg64 } from './pcg64';
import { SeedSequence } from './seed-sequence';

const vectors = fixture<{
  mt19937: Record<string, { first_16: number[]; index_623: number; index_624: number; index_1999: number }>;
  sticky: Record<string, { player_a_first_400_frames: string }>;
  numpy_seed_sequence: Record<
    string,
    { uint32_words_2: number[]; uint64_words_4_hex: string[]; pcg64_first_3_uint64_hex: string[] }
  >;
  reset_noops_0_to_30: Record<string, number>;
}>('rng-vectors.json');
const hex = (value: bigint) => `0x${value.toString(16)}`;

test.each(Object.keys(vectors.mt19937))('MT19937, seed %s', (seed) => {
  const expected = vectors.mt19937[seed];
  const random = new Mt19937(Number(seed));
  const words = Array.from({ length: 2000 }, () => random.next());
  expect(words.slice(0, 16)).toEqual(expected?.first_16);
  expect([words[623], words[624], words[1999]]).toEqual([
    expected?.index_623,
    expected?.index_624,
    expected?.index_1999,
  ]);
});

test.each(Object.keys(vectors.sticky))('sticky draws, seed %s: the first of two a frame', (seed) => {
  const random = new Mt19937(Number(seed));
  const draws = Array.from({ length: 400 }, () => {
    const draw = random.nextDouble();
    random.nextDouble();
    return draw < 0.25 ? 'R' : '.';
  });
  expect(draws.join('')).toBe(vectors.sticky[seed]?.player_a_first_400_frames);
});

test.each(Object.keys(vectors.numpy_seed_sequence))('SeedSequence and PCG64, seed %s', (seed) => {
  const expected = vectors.numpy_seed_sequence[seed];
  const sequence = new SeedSequence(BigInt(seed));
  expect(sequence.words(2)).toEqual(expected?.uint32_words_2);
  expect(sequence.words64(4).map(hex)).toEqual(expected?.uint64_words_4_hex);
  const random = new Pcg64(BigInt(seed));
  expect([random.next64(), random.next64(), random.next64()].map(hex)).toEqual(
    expected?.pcg64_first_3_uint64_hex,
  );
});

test('bounded draws: the reset NOOPs of 200 seeds', () => {
  const seeds = Object.keys(vectors.reset_noops_0_to_30);
  expect(seeds).toHaveLength(200);
  for (const seed of seeds) expect(new Pcg64(Number(seed)).below(31)).toBe(vectors.reset_noops_0_to_30[seed]);
});

test('a 64-bit draw serves two 32-bit ones, low half first', () => {
  const whole = new Pcg64(1).next64();
  const random = new Pcg64(1);
  expect([random.next32(), random.next32()].map(BigInt)).toEqual([whole & 0xffffffffn, whole >> 32n]);
});

test.each([-1, 0.5, Number.NaN, -1n])('a seed is a whole number: %s', (seed) => {
  expect(() => new SeedSequence(seed)).toThrow(expect.objectContaining({ code: 'seed_invalid' }));
});

test('the bootstrap interval holds the mean, narrows with more values and repeats itself', () => {
  expect(bootstrapMean([3])).toBeNull();
  expect(bootstrapMean([2, 2, 2])).toEqual({ mean: 2, low: 2, high: 2 });
  const values = Array.from({ length: 400 }, (_, i) => (i * 7919) % 21);
  const [few, many] = [bootstrapMean(values.slice(0, 20)), bootstrapMean(values)];
  expect(bootstrapMean(values)).toEqual(many);
  const width = (interval: typeof few) => (interval?.high ?? 0) - (interval?.low ?? 0);
  expect(width(many)).toBeLessThan(width(few));
  // 1.96 standard errors of 400 values spread evenly over 0 to 20 is about 0.59.
  expect(width(many) / 2).toBeCloseTo(0.59, 1);
});
