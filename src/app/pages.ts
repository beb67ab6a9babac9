import type { Component } from 'svelte';
import { experiments } from './experiments';
import Home from './pages/home/Home.svelte';

type Loader = () => Promise<{ default: Component }>;

/** One promise a page, so that a change of section does not open the page anew. */
function once(load: Loader): Loader {
  let opened: Promise<{ default: Component }> | null = null;
  return () => {
    opened ??= load().catch((thrown: unknown) => {
      opened = null;
      throw thrown;
    });
    return opened;
  };
}

/** Every page by its first path segment; all but Home arrive only when they are opened. */
export const loaders: ReadonlyMap<string, Loader> = new Map([
  // Most visits begin here: it is part of the shell.
  ['', once(() => Promise.resolve({ default: Home }))],
  ...experiments.map((experiment): [string, Loader] => [experiment.id, once(experiment.page)]),
  ['atari', once(() => import('./pages/atari/Page.svelte'))],
  ['providers', once(() => import('./pages/providers/Page.svelte'))],
  ['evidence', once(() => import('./pages/evidence/Evidence.svelte'))],
  ['self-check', once(() => import('./pages/self-check/Page.svelte'))],
  ['about', once(() => import('./pages/about/About.svelte'))],
]);
