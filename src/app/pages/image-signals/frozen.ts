import { CANVAS, CELL, PROMPT_SHA256, REPETITIONS } from '../../../experiments/image-signals/protocol';
import type { Definition as Line } from '../../parts/definition';

/** What no choice on the page can change. */
export const FIXED: readonly Line[] = [
  { term: 'Cell', text: CELL, code: true },
  {
    term: 'Prompt',
    text: `sha256:${PROMPT_SHA256}`,
    digest: true,
    note: 'Hashed again when this page opened: it is the published text.',
  },
  {
    term: 'Canvas',
    text: `${CANVAS.width} × ${CANVAS.height}, ${REPETITIONS} repetitions an arm, no seed`,
    note: 'The prompt asks for 16:9 and the planned canvas is square. That tension is the source’s own.',
  },
  { term: 'Left red', text: 'mean of R − max(G, B) over the nonwhite pixels of x < 0.4 W, at least 25' },
  { term: 'Right blue', text: 'mean of B − max(R, G) over the nonwhite pixels of x ≥ 0.6 W, at least 25' },
  { term: 'Bottom yellow', text: 'yellow pixels of all pixels in the middle bottom window, at least 5 %' },
  {
    term: 'Blobs',
    text: '4-connected nonwhite components of at least 0.4 % of the picture; no threshold, a diagnosis',
  },
  { term: 'Nonwhite', text: 'min(R, G, B) < 230' },
  {
    term: 'Pixels',
    text: 'those of Pillow’s convert("RGB"): no colour management, no rotation, alpha dropped',
  },
];
