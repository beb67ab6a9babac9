import { SvelteSet } from 'svelte/reactivity';

/**
 * Runs whose errors and rejections this person says to have looked at. For this visit only, and never in a link:
 * nobody can confirm it for another.
 */
export const confirmed = new SvelteSet<string>();
