/** Within one origin every tab hears it, also one that holds no database open. */
const NEWS = 'pixelproof-reset';

function channel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(NEWS);
  } catch {
    // A frame without an origin has nobody to tell, and hears nobody.
    return null;
  }
}

/** Tells every other tab of the site that it is being reset. */
export function tellReset(): void {
  const news = channel();
  news?.postMessage(null);
  news?.close();
}

/** Calls back for every reset in another tab, until the function that it gives is called. */
export function onReset(heard: () => void): () => void {
  const news = channel();
  if (news !== null) news.onmessage = () => heard();
  return () => news?.close();
}
