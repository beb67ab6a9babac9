/** Shapes that tell chips apart without colour: no two meanings on one page share one. */
export type ChipShape = 'dot' | 'half' | 'ring' | 'triangle' | 'cross' | 'bars' | 'dashes';

/** Colours of the outcomes, at equal lightness; `neutral` for what is neither good nor bad. */
export type ChipTone = 'exact' | 'equivalent' | 'changing' | 'rejected' | 'neutral';
