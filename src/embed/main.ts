import { mount } from 'svelte';
import Demo from './Demo.svelte';

const given = new URLSearchParams(location.search);
const scheme = given.get('scheme');
document.documentElement.dataset.theme = scheme === 'light' || scheme === 'dark' ? scheme : 'auto';

const target = document.getElementById('app');
if (target !== null) {
  // A task of its own: reading the scripts was a long one already, and a page may hold several demos.
  setTimeout(() => {
    target.replaceChildren();
    mount(Demo, { target, props: { id: given.get('experiment') ?? '', run: given.get('run') } });
  });
}
