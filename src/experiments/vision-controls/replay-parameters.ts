import type { JsonObject } from '../../evidence/identity/json';

/**
 * What the published consumer run asked: four pinned cases of the six-row fixture, Gemma 4 turns, and the annotation of
 * two of them from the text alone.
 */
export const REPLAY_PARAMETERS: JsonObject = {
  fixture: 'six-row',
  rows: [
    'cmcc8u6yc00v91p1yw2eruz95',
    'cmcc8u6yd00wv1p1yy8guorre',
    'cmcc8u6ym018l1p1yxhf18gc2',
    'cmcc8u6yc00va1p1ydsdu52zy',
  ],
  template: 'native_gemma4_turn',
  annotation: 'text',
  annotation_rows: ['cmcc8u6yc00v91p1yw2eruz95', 'cmcc8u6ym018l1p1yxhf18gc2'],
};
