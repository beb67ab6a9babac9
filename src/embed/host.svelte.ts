import { type DemoMessage, hostMessage, VERSION } from './messages';

type Said = DemoMessage extends infer M
  ? M extends { pixelproof: unknown }
    ? Omit<M, 'pixelproof'>
    : never
  : never;

/** The page around the demo. Before it has said hello it is told that somebody hears, and nothing else; then only its origin. */
class Host {
  #origin: string | null = null;
  readonly #waiting: Said[] = [];

  constructor() {
    if (window.parent === window) return;
    addEventListener('message', (event) => {
      if (event.source !== window.parent) return;
      const message = hostMessage(event.data);
      if (message === null) return;
      document.documentElement.dataset.theme = message.scheme;
      if (message.type !== 'hello') return;
      // A host in a sandbox has no origin that could be named; its window is the parent's either way.
      this.#origin = event.origin === 'null' ? '*' : event.origin;
      for (const said of this.#waiting.splice(0)) this.say(said);
    });
    // The frame may have loaded before this script ran.
    window.parent.postMessage({ pixelproof: VERSION, type: 'listening' }, '*');
  }

  say(said: Said): void {
    if (window.parent === window) return;
    if (this.#origin === null) this.#waiting.push(said);
    else window.parent.postMessage({ pixelproof: VERSION, ...said }, this.#origin);
  }
}

export const host = new Host();
