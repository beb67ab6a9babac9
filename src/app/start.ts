import { mount } from 'svelte';
import App from './App.svelte';
import { removeDrafts } from './reset';
import { onReset } from './reset-news';
import { siteUpdate } from './site-update.svelte';

const target = document.getElementById('app');
if (target !== null) {
  target.replaceChildren();
  mount(App, { target });
  onReset(() => removeDrafts(() => sessionStorage));
  // After everything that a visitor waits for. The page's own files may have come before this script ran.
  const update = (): void => void setTimeout(() => void siteUpdate.start(), 1000);
  if (import.meta.env.PROD) {
    if (document.readyState === 'complete') update();
    else addEventListener('load', update);
  }
}
