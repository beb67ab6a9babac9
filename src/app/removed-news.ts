import { TabNews } from './tab-news';

const news = new TabNews<string>('pixelproof-removed', (message) => typeof message === 'string');

/** Tells every tab of the site that a run was deleted. */
export function tellRemoved(run: string): void {
  news.tell(run);
}

/**
 * Calls back with every run that a tab deleted, until the function that it gives is called. A tab that keeps
 * nothing deletes from its own memory only: whoever hears looks into its own store.
 */
export function onRemoved(heard: (run: string) => void): () => void {
  return news.on(heard);
}
