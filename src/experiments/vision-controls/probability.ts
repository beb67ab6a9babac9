import { PixelproofError } from '../../errors';

/**
 * Probabilities of the declared candidates alone, temperature 1: `exp(l_i - max) / sum exp(l_j - max)`. Throws
 * `logprob_not_finite`: a missing or infinite value is an error, never a zero.
 */
export function softmax(logprobs: readonly number[]): number[] {
  const bad = logprobs.find((value) => !Number.isFinite(value));
  if (bad !== undefined || logprobs.length === 0) {
    throw new PixelproofError('logprob_not_finite', 'A candidate has no finite log-probability.', {
      expected: 'a finite number for each control',
      got: bad === undefined ? 'no candidate' : String(bad),
    });
  }
  const max = Math.max(...logprobs);
  const weights = logprobs.map((value) => Math.exp(value - max));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** The label of a choice: the greatest probability, the earlier option where two are equal. */
export function choose(labels: readonly string[], probabilities: readonly number[]): string {
  let best = 0;
  probabilities.forEach((value, index) => {
    if (value > (probabilities[best] ?? -1)) best = index;
  });
  return labels[best] ?? '';
}
