import type { Component } from 'svelte';
import { experiments } from './experiments';
import { later } from './later';
import { pageFiles } from './page-files';

/** Opens a page by its first path segment; null where there is none of that name. */
export function openPage(name: string): Promise<{ default: Component }> | null {
  const opening = pageFiles.get(name)?.() ?? null;
  const begin = experiments.find(({ id }) => id === name)?.begin;
  // The worker that a person will ask first starts before they do, and after the page is drawn: where cores are few, the one
  // would keep the other waiting. A part that needs it sooner starts it.
  if (begin !== undefined) opening?.then(later).then(begin, () => undefined);
  return opening;
}
