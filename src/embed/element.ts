import { onSchemeChange, schemeAt } from './host-scheme';
import { demoMessage, type HostMessage, VERSION } from './messages';

// The script that a docs author includes. It defines one element and nothing else: the demo itself is a frame of the
// site, so that no style reaches it from the page and none leaves it.

// A classic script: it needs no header to come from another origin, where a module would.
const { currentScript } = document;
if (!(currentScript instanceof HTMLScriptElement)) {
  throw new Error('pixelproof embed: include embed.js by <script src="…/embed.js" defer>, not as a module.');
}
const SITE = new URL('.', currentScript.src);

/**
 * `<pixelproof-demo experiment="png-representation" run="replay" scheme="auto" label="…">`. Events, all bubbling:
 * `pixelproof-ready` (`{memory_only}`), `pixelproof-result` (a `DemoResult`).
 */
class PixelproofDemo extends HTMLElement {
  static readonly observedAttributes = ['experiment', 'run', 'scheme', 'label'];
  #frame: HTMLIFrameElement | null = null;
  /** Whether the frame shows the site: before that there is nobody there to be told. */
  #loaded = false;
  #listening: AbortController | null = null;

  connectedCallback(): void {
    this.#open();
  }

  disconnectedCallback(): void {
    this.#close();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (this.#frame === null || before === now) return;
    if (name === 'scheme') this.#tell('scheme');
    else {
      this.#close();
      this.#open();
    }
  }

  #open(): void {
    const experiment = this.getAttribute('experiment') ?? '';
    const address = new URL('embed.html', SITE);
    address.searchParams.set('experiment', experiment);
    address.searchParams.set('scheme', this.#scheme());
    const run = this.getAttribute('run');
    if (run !== null) address.searchParams.set('run', run);
    const frame = document.createElement('iframe');
    frame.src = address.href;
    frame.title = this.getAttribute('label') ?? `Pixelproof demo: ${experiment}`;
    frame.loading = 'lazy';
    frame.allow = 'clipboard-write';
    // Styles by the object model: a strict policy of the host forbids them in attributes.
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    this.style.display = 'block';
    frame.style.cssText = 'display:block;width:100%;height:31rem;border:0;color-scheme:normal';
    root.replaceChildren(frame);
    this.#frame = frame;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    const onLoad = () => {
      this.#loaded = true;
      this.#tell('hello');
    };
    // A frame that goes while it loads stays for a while, and must not keep the element with it.
    frame.addEventListener('load', onLoad, { signal });
    addEventListener('message', this.#onMessage, { signal });
    onSchemeChange(() => this.#tell('scheme'), signal);
  }

  #close(): void {
    this.#listening?.abort();
    this.#frame?.remove();
    this.#frame = null;
    this.#loaded = false;
    this.#listening = null;
  }

  #scheme(): HostMessage['scheme'] {
    const wanted = this.getAttribute('scheme');
    return wanted === 'light' || wanted === 'dark' ? wanted : schemeAt(this);
  }

  #tell(type: HostMessage['type']): void {
    if (!this.#loaded) return;
    const message: HostMessage = { pixelproof: VERSION, type, scheme: this.#scheme() };
    this.#frame?.contentWindow?.postMessage(message, SITE.origin);
  }

  /** Only from the demo's own window, and only while that shows the site. */
  readonly #onMessage = (event: MessageEvent): void => {
    if (event.source !== this.#frame?.contentWindow || event.origin !== SITE.origin) return;
    const message = demoMessage(event.data);
    if (message === null) return;
    if (message.type === 'listening') {
      this.#loaded = true;
      this.#tell('hello');
      return;
    }
    if (message.type === 'size') {
      if (this.#frame !== null) this.#frame.style.height = `${message.height}px`;
      return;
    }
    const detail = message.type === 'result' ? message.result : { memory_only: message.memory_only };
    this.dispatchEvent(
      new CustomEvent(`pixelproof-${message.type}`, { detail, bubbles: true, composed: true }),
    );
  };
}

// A page with instant navigation may run the script again.
if (customElements.get('pixelproof-demo') === undefined) {
  customElements.define('pixelproof-demo', PixelproofDemo);
}
