/**
 * Wilson's score interval for a proportion (E. B. Wilson, 1927), at 95 %: z is the 0.975 quantile of the normal
 * distribution. Null without trials.
 */
export function wilson95(
  successes: number,
  trials: number,
): { readonly low: number; readonly high: number } | null {
  if (trials === 0) return null;
  const z2 = 1.959963984540054 ** 2;
  const rate = successes / trials;
  const centre = rate + z2 / (2 * trials);
  const spread = Math.sqrt(z2 * ((rate * (1 - rate)) / trials + z2 / (4 * trials * trials)));
  const scale = 1 + z2 / trials;
  // At the ends the bound is exact; the formula would leave a rounding error of 1e-17.
  return {
    low: successes === 0 ? 0 : (centre - spread) / scale,
    high: successes === trials ? 1 : (centre + spread) / scale,
  };
}
