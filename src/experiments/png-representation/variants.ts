import { PixelproofError } from '../../errors';

/** The eleven representations in canonical order. */
export const VARIANTS = [
  'labelled-v1',
  'unlabelled-v1',
  'cooldown-shape-v1',
  'cooldown-dual-v1',
  'cooldown-redundant-v1',
  'lane-enhanced-v1',
  'footer-only-v1',
  'lane-numerals-v1',
  'cooldown-text-v1',
  'semantic-labelled-v1',
  'combined-v1',
] as const;
export type VariantId = (typeof VARIANTS)[number];

/** Stage 2E: what runs when no variant is named. */
export const DEFAULT_VARIANTS: readonly VariantId[] = VARIANTS.slice(0, 6);

/** Stage 2F's required set: a hierarchical ablation along selected paths, not a full factorial. */
export const SEMANTIC_VARIANTS: readonly VariantId[] = [
  'labelled-v1',
  'unlabelled-v1',
  'footer-only-v1',
  'lane-numerals-v1',
  'cooldown-text-v1',
  'semantic-labelled-v1',
];

export const COOLDOWN_VARIANTS: readonly VariantId[] = [
  'cooldown-shape-v1',
  'cooldown-dual-v1',
  'cooldown-redundant-v1',
];
export const LANE_VARIANTS: readonly VariantId[] = ['lane-enhanced-v1'];

/** The isolated variants whose operations combined-v1 joins. It has no defaults. */
export type CombinedParts = { readonly cooldown: VariantId; readonly lane: VariantId };

/** Throws `unknown_variant`. */
export function variantOf(name: string): VariantId {
  const found = VARIANTS.find((variant) => variant === name);
  if (found !== undefined) return found;
  throw new PixelproofError('unknown_variant', `There is no variant ${JSON.stringify(name)}.`, {
    expected: VARIANTS.join(', '),
    got: name,
  });
}

/** Throws `combined_parts` unless both parts are named and of the right family. */
export function combinedParts(
  cooldown: string | null | undefined,
  lane: string | null | undefined,
): CombinedParts {
  const cooldownVariant = COOLDOWN_VARIANTS.find((variant) => variant === cooldown);
  const laneVariant = LANE_VARIANTS.find((variant) => variant === lane);
  if (cooldownVariant !== undefined && laneVariant !== undefined) {
    return { cooldown: cooldownVariant, lane: laneVariant };
  }
  throw new PixelproofError(
    'combined_parts',
    'combined-v1 needs both parts named: a cooldown variant and a lane variant.',
    {
      expected: `${COOLDOWN_VARIANTS.join(' | ')} with ${LANE_VARIANTS.join(' | ')}`,
      got: `${cooldown ?? 'none'} with ${lane ?? 'none'}`,
    },
  );
}
