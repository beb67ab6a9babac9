import { cpSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { serve } from '../../scripts/serve.mjs';

/** What the documentation and the fixtures call the address of a copy of the site. */
const DOCUMENTED = 'https://example.org/pixelproof/';

/** Two servers of this machine by two names, which are two origins and two sites. Whoever opens them closes them. */
export interface Hosted {
  /** Where the host's pages are. */
  readonly host: string;
  /** Where the site is, without a header that would let another origin read it. */
  readonly site: string;
  close(): Promise<void>;
}

/** Serves built host pages below `base`, the address they were built with replaced by the one the site has here. */
export async function hostPages(built: string, base: string): Promise<Hosted> {
  const site = await serve({ folder: 'dist', base: '/tools/lab/' });
  const folder = mkdtempSync(join(tmpdir(), 'host-pages-'));
  cpSync(built, folder, { recursive: true });
  for (const name of readdirSync(folder, { recursive: true }).map(String)) {
    const path = join(folder, name);
    if (!/\.(html|js)$/.test(name) || !statSync(path).isFile()) continue;
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(DOCUMENTED, site.url));
  }
  const pages = await serve({ folder, base });
  return {
    host: pages.url.replace('127.0.0.1', 'localhost'),
    site: site.url,
    close: async () => {
      await Promise.all([pages.close(), site.close()]);
    },
  };
}

/** What a host page heard from its demos, and how many listeners for messages its window has. */
export interface Heard {
  readonly results: { readonly experiment: string; readonly root_digest: string; readonly equal: boolean }[];
  listeners: number;
}

/** Listens as a docs author would, and counts the window's listeners. Call it before the page is opened. */
export async function listen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (window.parent !== window) return;
    const heard: Heard = { results: [], listeners: 0 };
    Object.assign(window, { heard });
    const { addEventListener, removeEventListener } = window;
    const listening = new Set<unknown>();
    const count = () => {
      heard.listeners = listening.size;
    };
    const added: typeof addEventListener = (
      type: string,
      listener: EventListenerOrEventListenerObject,
      options?: boolean | AddEventListenerOptions,
    ) => {
      addEventListener.call(window, type, listener, options);
      if (type !== 'message') return;
      const gone = () => {
        listening.delete(listener);
        count();
      };
      if (typeof options === 'object') options.signal?.addEventListener('abort', gone);
      listening.add(listener);
      count();
    };
    const removed: typeof removeEventListener = (
      type: string,
      listener: EventListenerOrEventListenerObject,
      options?: boolean | EventListenerOptions,
    ) => {
      removeEventListener.call(window, type, listener, options);
      if (type === 'message') listening.delete(listener);
      count();
    };
    Object.assign(window, { addEventListener: added, removeEventListener: removed });
    addEventListener.call(window, 'pixelproof-result', (event: Event) =>
      heard.results.push((event as CustomEvent<Heard['results'][number]>).detail),
    );
  });
}

export function heard(page: Page): Promise<Heard> {
  return page.evaluate(() => (window as unknown as { heard: Heard }).heard);
}

/** The demo elements that the page's engine still holds after a collection: those in the page, those with a frame. */
export async function demosHeld(page: Page): Promise<{ shown: number; withFrame: number; held: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { result } = await session.send('Runtime.evaluate', {
    expression: 'customElements.get("pixelproof-demo").prototype',
  });
  const { objects } = await session.send('Runtime.queryObjects', {
    prototypeObjectId: result.objectId ?? '',
  });
  const { result: count } = await session.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: `function () {
      return {
        held: this.length,
        shown: this.filter((demo) => demo.isConnected).length,
        withFrame: this.filter((demo) => demo.shadowRoot?.querySelector('iframe') != null).length,
      };
    }`,
    returnByValue: true,
  });
  await session.detach();
  return count.value;
}
