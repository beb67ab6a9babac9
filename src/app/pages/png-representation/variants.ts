/** The eleven representations, in canonical order, in words. Recipes and ids belong to the experiment. */
export interface VariantInfo {
  readonly id: string;
  readonly base: 'labelled' | 'unlabelled';
  readonly text: string;
  readonly family: 'reference' | 'cooldown' | 'lane' | 'semantic' | 'combined';
}

export const VARIANTS: readonly VariantInfo[] = [
  {
    id: 'labelled-v1',
    base: 'labelled',
    family: 'reference',
    text: 'Cooldown text, lane numerals, raised floor: the positive control.',
  },
  {
    id: 'unlabelled-v1',
    base: 'unlabelled',
    family: 'reference',
    text: 'No text and no numerals: the baseline.',
  },
  {
    id: 'cooldown-shape-v1',
    base: 'unlabelled',
    family: 'cooldown',
    text: 'Indicator as a circle or a cross, without colour.',
  },
  {
    id: 'cooldown-dual-v1',
    base: 'unlabelled',
    family: 'cooldown',
    text: 'Indicator by colour and by shape.',
  },
  {
    id: 'cooldown-redundant-v1',
    base: 'unlabelled',
    family: 'cooldown',
    text: 'Colour and shape, and a copy at the right edge.',
  },
  {
    id: 'lane-enhanced-v1',
    base: 'unlabelled',
    family: 'lane',
    text: 'Stronger lane lines with markers at both ends.',
  },
  {
    id: 'footer-only-v1',
    base: 'labelled',
    family: 'semantic',
    text: 'Labelled with all text erased: only the raised floor is left.',
  },
  {
    id: 'lane-numerals-v1',
    base: 'labelled',
    family: 'semantic',
    text: 'Labelled without the cooldown text.',
  },
  {
    id: 'cooldown-text-v1',
    base: 'unlabelled',
    family: 'semantic',
    text: 'Baseline plus the cooldown text.',
  },
  {
    id: 'semantic-labelled-v1',
    base: 'labelled',
    family: 'semantic',
    text: 'The pixels of labelled-v1 under another name.',
  },
  {
    id: 'combined-v1',
    base: 'unlabelled',
    family: 'combined',
    text: 'One cooldown recipe, then one lane recipe.',
  },
];

export const STAGE_2E: readonly string[] = VARIANTS.slice(0, 6).map((variant) => variant.id);
export const STAGE_2F: readonly string[] = [
  'labelled-v1',
  'unlabelled-v1',
  'footer-only-v1',
  'lane-numerals-v1',
  'cooldown-text-v1',
  'semantic-labelled-v1',
];
export const COOLDOWN_PARTS: readonly string[] = [
  'cooldown-shape-v1',
  'cooldown-dual-v1',
  'cooldown-redundant-v1',
];
export const LANE_PARTS: readonly string[] = ['lane-enhanced-v1'];

export function variantInfo(id: string): VariantInfo | null {
  return VARIANTS.find((variant) => variant.id === id) ?? null;
}
