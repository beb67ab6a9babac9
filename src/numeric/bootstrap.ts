import { Mt19937 } from './mt19937';

export interface MeanInterval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export const BOOTSTRAP_RESAMPLES = 10_000;
/** Fixed, so that the same values give the same interval everywhere. */
const SEED = 5489;

/**
 * The mean of some values and its 95 % percentile bootstrap interval (B. Efron, 1979): 10,000 resamples with
 * replacement, drawn by MT19937 with seed 5489; the bounds are the 250th and the 9,750th of the sorted means. Null for
 * fewer than two values, of which no spread can be known.
 */
export function bootstrapMean(values: readonly number[]): MeanInterval | null {
  const count = values.length;
  if (count < 2) return null;
  const random = new Mt19937(SEED);
  const means = new Float64Array(BOOTSTRAP_RESAMPLES);
  const data = Float64Array.from(values);
  for (let resample = 0; resample < BOOTSTRAP_RESAMPLES; resample += 1) {
    let sum = 0;
    for (let i = 0; i < count; i += 1) sum += data[Math.floor(random.nextDouble() * count)] ?? 0;
    means[resample] = sum / count;
  }
  means.sort();
  return {
    mean: data.reduce((sum, value) => sum + value, 0) / count,
    low: means[Math.ceil(BOOTSTRAP_RESAMPLES * 0.025) - 1] ?? 0,
    high: means[Math.ceil(BOOTSTRAP_RESAMPLES * 0.975) - 1] ?? 0,
  };
}
