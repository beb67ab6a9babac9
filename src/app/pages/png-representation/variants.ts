import {
  COOLDOWN_VARIANTS,
  DEFAULT_VARIANTS,
  VARIANTS as IDS,
  LANE_VARIANTS,
  SEMANTIC_VARIANTS,
  type VariantId,
} from '../../../experiments/png-representation/variants';

/** The eleven representations in words. Recipes and ids belong to the experiment. */
const WORDS: Readonly<Record<VariantId, string>> = {
  'labelled-v1': 'Cooldown text, lane numerals, raised floor: the positive control.',
  'unlabelled-v1': 'No text and no numerals: the baseline.',
  'cooldown-shape-v1': 'Indicator as a circle or a cross, without colour.',
  'cooldown-dual-v1': 'Indicator by colour and by shape.',
  'cooldown-redundant-v1': 'Colour and shape, and a copy at the right edge.',
  'lane-enhanced-v1': 'Stronger lane lines with markers at both ends.',
  'footer-only-v1': 'Labelled with all text erased: only the raised floor is left.',
  'lane-numerals-v1': 'Labelled without the cooldown text.',
  'cooldown-text-v1': 'Baseline plus the cooldown text.',
  'semantic-labelled-v1': 'The pixels of labelled-v1 under another name.',
  'combined-v1': 'One cooldown recipe, then one lane recipe.',
};

export const VARIANTS = IDS.map((id) => ({ id, text: WORDS[id] }));
export const STAGE_2E: readonly string[] = DEFAULT_VARIANTS;
export const STAGE_2F: readonly string[] = SEMANTIC_VARIANTS;
export const COOLDOWN_PARTS: readonly string[] = COOLDOWN_VARIANTS;
export const LANE_PARTS: readonly string[] = LANE_VARIANTS;

export function knownVariant(id: string): string | null {
  return IDS.find((known) => known === id) ?? null;
}
