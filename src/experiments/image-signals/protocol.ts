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
