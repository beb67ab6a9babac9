import { type DefinitionFile, parseDefinition } from './definition';

/** Title and identity of the cell as published: Round 4S, cell R4S-ATTR-001. */
export const CELL = 'R4S-ATTR-001';

/**
 * The frozen cell, source: the published description of the cell. The same text that a definition of one's own has;
 * everything else in this experiment reads it from here.
 */
export const FROZEN_FILE: DefinitionFile = {
  schema: 'pixelproof-signals/1',
  id: CELL,
  title: 'Red mug left, blue thermos right, yellow lemon low and centred, on white',
  predicates: {
    nonwhite: [{ feature: 'min', at_most: 229 }],
    yellow: [
      { feature: 'red', at_least: 150 },
      { feature: 'green', at_least: 150 },
      { feature: 'blue', at_most: 130 },
      { feature: 'yellow_dominance', at_least: 40 },
    ],
  },
  mask: 'nonwhite',
  signals: [
    {
      id: 'left-red-dominance',
      statistic: 'mean',
      region: { x: ['0', '2/5'], y: ['0', '1'] },
      of: 'red_dominance',
      where: 'nonwhite',
      pass: { at_least: '25' },
    },
    {
      id: 'right-blue-dominance',
      statistic: 'mean',
      region: { x: ['3/5', '1'], y: ['0', '1'] },
      of: 'blue_dominance',
      where: 'nonwhite',
      pass: { at_least: '25' },
    },
    {
      id: 'bottom-yellow-presence',
      statistic: 'share',
      region: { x: ['3/10', '7/10'], y: ['11/20', '1'] },
      where: 'yellow',
      pass: { at_least: '1/20' },
    },
    { id: 'nonwhite-blob-count', statistic: 'components', least_area: '1/250' },
  ],
};

export const FROZEN = parseDefinition(FROZEN_FILE);

/** The positive prompt, byte-identical in every arm; source: the published cell. 613 bytes of UTF-8, no line end. */
export const PROMPT =
  'CONTROL PROMPT R4S-ATTR-001. A wide 16:9 straight-on tabletop photograph of a pure white seamless tabletop against a ' +
  'pure white wall. Exactly three objects and nothing else: on the LEFT half a large matte RED ceramic mug; on the RIGHT ' +
  'half a small glossy BLUE metal thermos bottle; near the BOTTOM CENTER one whole bright YELLOW lemon. The red mug must ' +
  'be clearly left of center. The blue thermos must be clearly right of center. The yellow lemon must sit lower than both ' +
  'vessels and between them. Even soft daylight, no text, no labels, no logos, no extra fruit, no extra vessels, no hands, ' +
  'no patterned surface.';
export const PROMPT_SHA256 = '0691aed98a0ca3c6d6fb86cb4e6408ceaeca5b644c2b7107de6abf2c54bceae8';

/** Planned canvas in pixels. The prompt asks for 16:9 all the same: a tension of the source, shown and not repaired. */
export const CANVAS = { width: 1024, height: 1024 } as const;
export const REPETITIONS = 3;

/** Scored by a person before the numbers are shown, and kept apart from them. */
export const RUBRIC = ['prompt_adherence', 'attribute_binding', 'spatial_layout'] as const;
export type RubricItem = (typeof RUBRIC)[number];

/** On screen beside every result, and in every export. */
export const NON_CLAIMS = [
  'Three unseeded repetitions are a screening signal, not a ranking.',
  'Pixel metrics are facts about pixels, not judgements of quality.',
  'The rubric items need a separate visual review.',
  'Nothing here reads text or knows what an object is.',
  'Failed, moderated and discarded runs stay in the data where they may be released.',
] as const;

export interface Arm {
  readonly id: string;
  readonly label: string;
  readonly kind: 'checkpoint' | 'hosted' | 'drawn' | 'dropped';
  /** Why nothing of this arm has run; null where it may. */
  readonly blocked: string | null;
}

const UNEXECUTED =
  'As published: the matrix of five open-weight checkpoints is blocked and has not been run.';

/** The published arms, and one of our own whose pictures are drawn, for checking the wiring. */
export const ARMS: readonly Arm[] = [
  ...[1, 2, 3, 4, 5].map(
    (n): Arm => ({
      id: `checkpoint-${n}`,
      label: `Open-weight checkpoint ${n} of 5`,
      kind: 'checkpoint',
      blocked: UNEXECUTED,
    }),
  ),
  { id: 'minimax', label: 'MiniMax (hosted calibration)', kind: 'hosted', blocked: null },
  {
    id: 'gpt-image-2-medium',
    label: 'OpenAI GPT Image 2 Medium (hosted calibration)',
    kind: 'hosted',
    blocked: null,
  },
  { id: 'drawn', label: 'Drawn scenes (wiring check)', kind: 'drawn', blocked: null },
];
