import { later } from './later';
import { storage } from './storage.svelte';
import { TabNews } from './tab-news';

const news = new TabNews<string>('pixelproof-stored', (message) => typeof message === 'string');

/** The name of this tab among those that are open: it knows what it did itself. */
const TAB = `${performance.timeOrigin} ${Math.random()}`;

/** Tells the other tabs of the site that a run began, went on, ended or was imported here. One that keeps nothing does not. */
export function tellStored(): void {
  if (!storage.memoryOnly) news.tell(TAB);
}

/**
 * Calls back when another tab stored a run, until the function that it gives is called. A tab that keeps nothing has other
 * runs and is not called. It listens once the page is drawn.
 */
export function onStored(heard: () => void): () => void {
  let stop: (() => void) | null = () => undefined;
  void later().then(() => {
    if (stop === null) return;
    stop = news.on((tab) => {
      if (tab !== TAB && !storage.memoryOnly) heard();
    });
  });
  return () => {
    stop?.();
    stop = null;
  };
}
