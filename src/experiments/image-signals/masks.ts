import type { Predicate } from '../../pixels/signals/task';
import type { Definition } from './definition';

/** Components coloured one by one. */
export const BLOBS = 'blobs';

/**
 * The masks that a picture can be looked at through: each predicate of the definition, and for each mean signal the
 * pixels that reach its threshold one by one (`red` for red_dominance, where nonwhite and at least 25).
 */
export function masksOf(definition: Definition): ReadonlyMap<string, Predicate> {
  const masks = new Map<string, Predicate>();
  for (const signal of definition.signals) {
    if (signal.statistic !== 'mean') continue;
    const { threshold } = signal;
    const level = threshold === null ? 1 : Math.ceil(threshold.value.num / threshold.value.den);
    const term =
      threshold?.side === 'at_most'
        ? { feature: signal.of, least: -255, greatest: level }
        : { feature: signal.of, least: level, greatest: 255 };
    masks.set(signal.of.replace('_dominance', ''), [
      ...(definition.predicates.get(signal.where) ?? []),
      term,
    ]);
  }
  for (const [name, predicate] of definition.predicates) if (!masks.has(name)) masks.set(name, predicate);
  return masks;
}
