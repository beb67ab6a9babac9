import { mount } from 'svelte';
import App from './App.svelte';
import { later } from './later';
import { removeDrafts } from './reset';
import { onReset } from './reset-news';
import { siteUpdate } from './site-update.svelte';

function draw(target: HTMLElement): void {
  target.replaceChildren();
  mount(App, { target });
  // After everything that a visitor waits for. The page's own files may have come before this script ran.
  const update = (): void => void setTimeout(() => void later().then(() => siteUpdate.start()), 1000);
  if (import.meta.env.PROD) {
    if (document.readyState === 'complete') update();
    else addEventListener('load', update);
  }
}

/**
 * Draws the site. It is called and does not begin by being read: a demo in a frame reads the same file for what it shares
 * with the site.
 */
export function startSite(): void {
  const target = document.getElementById('app');
  if (target === null) return;
  // A task of its own: reading the scripts was a long one already.
  setTimeout(draw, 0, target);
  void later().then(() => onReset(() => removeDrafts(() => sessionStorage)));
}
