import { remember, remembered } from './theme.svelte';

const KEY = 'pixelproof.ran';

/**
 * Whether anything was ever stored from this browser. A first visit need not start the store's worker only to hear
 * that there is nothing.
 */
export function mayHaveRuns(): boolean {
  return remembered(KEY) === 'yes';
}
export function noteRun(): void {
  remember(KEY, 'yes');
}
