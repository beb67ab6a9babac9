import { ORIGINAL, VERTICAL } from '../../../experiments/pong-controls/programs';
import {
  ACTIONS,
  FRAMES_PER_EPISODE,
  HOLD_FRAMES,
  MAX_HTTP_ATTEMPTS,
  MODEL,
  NOOP_MAX,
  SEEDS,
  SELECTION_RULE,
  STICKY,
} from '../../../experiments/pong-controls/protocol';
import { count } from '../../format';
import type { Definition } from '../../parts/definition';

export const PROGRAMS = [ORIGINAL, VERTICAL];

/** The frozen protocol, for people. */
export const FIXED: readonly Definition[] = [
  { term: 'Published seeds', text: SEEDS.join(', '), note: 'Development split: seeds that end in 6 or 7.' },
  {
    term: 'Episode',
    text: `${count(FRAMES_PER_EPISODE)} frames, ${FRAMES_PER_EPISODE / HOLD_FRAMES} decisions`,
    note: 'A fixed horizon: no five-point stop, nothing replaced.',
  },
  { term: 'Hold', text: `each action for ${HOLD_FRAMES} frames` },
  {
    term: 'Sticky actions',
    text: `${STICKY * 100} % of the frames repeat the action before`,
    note: 'Drawn from the seed, the same for every arm that asks the same.',
  },
  { term: 'Start', text: `0 to ${NOOP_MAX} frames without action, drawn from the seed` },
  {
    term: 'Observation',
    text: 'boxes and velocities from RAM, four samples of history; no reward, no score',
  },
  { term: 'Actions', text: ACTIONS.map(({ meaning }) => meaning).join(', ') },
  { term: 'A model’s choice', text: SELECTION_RULE, code: true },
  {
    term: 'Model',
    text: MODEL,
    code: true,
    note: 'Another model in a reply stops the run before its action.',
  },
  { term: 'Calls', text: `at most ${count(MAX_HTTP_ATTEMPTS)} of a whole run, retries included` },
  { term: 'A failed call', text: 'leaves the episode incomplete, without a reward, and ends the comparison' },
];
