import { remember, remembered } from './theme.svelte';

const KEY = 'pixelproof.ran';
/** In this tab, also where nothing is remembered. */
let here = false;

/**
 * Whether anything was ever stored from this browser. A first visit need not start the store's worker only to hear
 * that there is nothing.
 */
export function mayHaveRuns(): boolean {
  return here || remembered(KEY) === 'yes';
}
export function noteRun(): void {
  here = true;
  remember(KEY, 'yes');
}
