import type { StateParts } from './states';

/** The state on the card, and what the published run read in its two pictures. A test holds both to the reference. */
export const CARD_STATE: StateParts = { tank: 3, target: 1, cooldown: 1 };

export const CARD_READINGS: Readonly<Record<'unlabelled-v1' | 'lane-enhanced-v1', StateParts>> = {
  'unlabelled-v1': { tank: 4, target: 2, cooldown: 0 },
  'lane-enhanced-v1': { tank: 4, target: 2, cooldown: 0 },
};
