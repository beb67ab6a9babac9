import type { Component } from 'svelte';
import { fetched } from './fetched';

type Loader = () => Promise<{ default: Component }>;

/** One promise a page, so that a change of section does not open the page anew. */
function once(load: Loader): Loader {
  let opened: Promise<{ default: Component }> | null = null;
  return () => {
    opened ??= fetched(load).catch((thrown: unknown) => {
      opened = null;
      throw thrown;
    });
    return opened;
  };
}

/** Every page by its first path segment. Home is part of the shell: most visits begin there. */
export const pageFiles: ReadonlyMap<string, Loader> = new Map([
  ['', once(() => import('./pages/home/Home.svelte'))],
  ['png-representation', once(() => import('./pages/png-representation/Page.svelte'))],
  ['pong-controls', once(() => import('./pages/pong-controls/Page.svelte'))],
  ['vision-controls', once(() => import('./pages/vision-controls/Page.svelte'))],
  ['image-signals', once(() => import('./pages/image-signals/Page.svelte'))],
  ['atari', once(() => import('./pages/atari/Page.svelte'))],
  ['providers', once(() => import('./pages/providers/Page.svelte'))],
  ['evidence', once(() => import('./pages/evidence/Evidence.svelte'))],
  ['self-check', once(() => import('./pages/self-check/Page.svelte'))],
  ['about', once(() => import('./pages/about/About.svelte'))],
]);
