import { PyFloat, pyFloat } from '../../evidence/identity/python-json';

/**
 * Python's `sum` as versions from 3.12 have it (the published versions need one): integers stay an integer, and with a
 * float in it the sum is compensated (A. Neumaier, 1974). The sum of nothing is the integer 0.
 */
export function pythonSum(values: readonly (number | PyFloat)[]): number | PyFloat {
  let whole = 0;
  let at = 0;
  for (; at < values.length; at += 1) {
    const value = values[at];
    if (typeof value !== 'number') break;
    whole += value;
  }
  if (at === values.length) return whole;
  let sum = whole;
  let lost = 0;
  for (; at < values.length; at += 1) {
    const next = values[at];
    const value = next instanceof PyFloat ? next.value : (next ?? 0);
    const total = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - total + value : value - total + sum;
    sum = total;
  }
  return pyFloat(lost !== 0 && Number.isFinite(lost) ? sum + lost : sum);
}
