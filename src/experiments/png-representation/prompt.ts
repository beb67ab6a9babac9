import { sha256 } from '../../evidence/identity/sha256';

const LANES_UNLABELLED = 'The image has seven equal lanes; count 0 at far left through 6 at far right.';
const LANES_LABELLED = 'The lanes are visibly labelled 0 through 6 from left to right.';

function prompt(lanes: string): string {
  return [
    'You are a perception-only component in a bounded arcade experiment.',
    'Do not choose LEFT, RIGHT, STAY, or FIRE. Do not explain strategy.',
    '',
    'Read exactly these visible variables:',
    '- tank column: lane containing the cyan tank at the bottom',
    '- target column: magenta alien lane, or NONE when no alien is visible',
    '- cooldown: READY when the top-left indicator is green; BLOCKED when red',
    '- confidence: whole-number confidence percentage from 0 to 100',
    '',
    lanes,
    '',
    'Return exactly these four labelled lines. Do not return JSON and do not add prose:',
    'TANK_COLUMN: <0-6>',
    'TARGET_COLUMN: <NONE or 0-6>',
    'COOLDOWN: <READY or BLOCKED>',
    'CONFIDENCE: <0-100>',
  ].join('\n');
}

/** The prompt of every call, for labelled variants too. */
export const PROMPT = prompt(LANES_UNLABELLED);
export const PROMPT_DIGEST = sha256(PROMPT);

/** Its sibling for mode `labelled`. Published, never sent by this benchmark. */
export const LABELLED_PROMPT = prompt(LANES_LABELLED);
