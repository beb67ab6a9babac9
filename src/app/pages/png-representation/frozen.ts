import type { Definition } from '../../parts/definition';

/** What no choice on the page can change. */
export const FIXED: readonly Definition[] = [
  {
    term: 'Picture',
    text: '896 × 512, RGB, PNG',
    note: 'Composed byte by byte. No canvas touches what is evidence.',
  },
  {
    term: 'Prompt',
    text: 'sha256:356a657aecb1b3c7e3b5e13eb830ae24ceeb76acc2156dfd771ea8921375efda',
    digest: true,
    note: 'The same for every variant.',
  },
  { term: 'Reply protocol', text: 'zeromodel-local-model-arcade-text-state/v2', code: true },
  {
    term: 'Policy',
    text: 'sha256:c27d05243c6f960ba30b84fcfe0ddf67c03ee5de053821e29091694caf9d5d4a',
    digest: true,
    note: 'Compiled table of 112 states and four actions.',
  },
  { term: 'Decoding', text: 'temperature 0, at most 128 tokens, no thinking' },
  { term: 'Comparison baseline', text: 'unlabelled-v1, else the first by name' },
];

export const PROMPT = `You are a perception-only component in a bounded arcade experiment.
Do not choose LEFT, RIGHT, STAY, or FIRE. Do not explain strategy.

Read exactly these visible variables:
- tank column: lane containing the cyan tank at the bottom
- target column: magenta alien lane, or NONE when no alien is visible
- cooldown: READY when the top-left indicator is green; BLOCKED when red
- confidence: whole-number confidence percentage from 0 to 100

The image has seven equal lanes; count 0 at far left through 6 at far right.

Return exactly these four labelled lines. Do not return JSON and do not add prose:
TANK_COLUMN: <0-6>
TARGET_COLUMN: <NONE or 0-6>
COOLDOWN: <READY or BLOCKED>
CONFIDENCE: <0-100>`;
