import type { Component } from 'svelte';
import { experiments } from './experiments';
import { pageFiles } from './page-files';

/** Opens a page by its first path segment; null where there is none of that name. */
export function openPage(name: string): Promise<{ default: Component }> | null {
  // The worker that it will ask first starts while the page is still on its way.
  experiments.find(({ id }) => id === name)?.begin();
  return pageFiles.get(name)?.() ?? null;
}
