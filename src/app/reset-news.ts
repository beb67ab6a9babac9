import { TabNews } from './tab-news';

const news = new TabNews<null>('pixelproof-reset', (message): message is null => message === null);

/** Tells every tab of the site that it is being reset. */
export function tellReset(): void {
  news.tell(null);
}

/** Calls back for every reset in any tab, until the function that it gives is called. */
export function onReset(heard: () => void): () => void {
  return news.on(heard);
}
