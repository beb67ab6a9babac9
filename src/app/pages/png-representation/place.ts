import { route } from '../../route.svelte';
import { indexOf, partsOf, ROWS, rowId, STATES } from './states';
import { knownVariant } from './variants';

/** One picture: a state drawn by a variant. In the address: `cooldown-dual-v1:57`. */
export interface Place {
  readonly variant: string;
  readonly row: string;
}

export function placeText(place: Place): string {
  const parts = partsOf(place.row);
  return `${place.variant}:${parts === null ? 0 : indexOf(parts)}`;
}

export function readPlace(key: string, otherwise: Place): Place {
  const [variant = '', index = ''] = (route.get(key) ?? '').split(':');
  const state = STATES[Number(index)];
  return {
    variant: knownVariant(variant) ?? otherwise.variant,
    row: index === '' || state === undefined ? otherwise.row || (ROWS[0] ?? '') : rowId(state),
  };
}
