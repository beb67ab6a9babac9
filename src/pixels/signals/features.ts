import type { Feature, Predicate } from './task';

/** Every feature of one pixel, for a reader's eyes: the kernels compute the same, many pixels at once. */
export function featuresOf(red: number, green: number, blue: number): Readonly<Record<Feature, number>> {
  const max = Math.max(red, green, blue);
  const min = Math.min(red, green, blue);
  return {
    red,
    green,
    blue,
    min,
    max,
    red_dominance: red - Math.max(green, blue),
    green_dominance: green - Math.max(red, blue),
    blue_dominance: blue - Math.max(red, green),
    yellow_dominance: Math.min(red, green) - blue,
    magenta_dominance: Math.min(red, blue) - green,
    cyan_dominance: Math.min(green, blue) - red,
    chroma: max - min,
  };
}

/** Whether a pixel's features fulfil every term. */
export function holds(predicate: Predicate, features: Readonly<Record<Feature, number>>): boolean {
  return predicate.every(
    ({ feature, least, greatest }) => features[feature] >= least && features[feature] <= greatest,
  );
}
