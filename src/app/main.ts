import { mount } from 'svelte';
import App from './App.svelte';

const target = document.getElementById('app');
if (target !== null) {
  target.replaceChildren();
  mount(App, { target });
}
