import { Workbox } from 'workbox-window';
import { ownScript } from './own-worker';

/** What is known of the copy of the site that this browser keeps, and of a newer one. */
class SiteUpdate {
  /** The site opens without a network from now on. */
  offline = $state(false);
  /** `waiting`: a newer version is here, and comes with a reload. `taken`: another tab has switched to it. */
  state: 'none' | 'waiting' | 'taken' = $state('none');
  #workbox: Workbox | null = null;
  #asked = false;

  /** Once, after the page has loaded. Does nothing where there are no service workers, or in a frame of another page. */
  async start(): Promise<void> {
    const container: ServiceWorkerContainer | undefined = navigator.serviceWorker;
    if (container === undefined || window.top !== window) return;
    this.offline = container.controller !== null;
    const workbox = new Workbox(ownScript(new URL('sw.js', document.baseURI).href));
    this.#workbox = workbox;
    workbox.addEventListener('waiting', () => {
      this.state = 'waiting';
    });
    workbox.addEventListener('activated', () => {
      this.offline = true;
    });
    workbox.addEventListener('controlling', ({ isUpdate }) => {
      if (this.#asked) location.reload();
      else if (isUpdate === true) this.state = 'taken';
    });
    try {
      await workbox.register();
    } catch {
      // Denied in a sandbox or a private window: the site works, with a network.
    }
  }

  /** Looks for a newer version now. */
  async look(): Promise<void> {
    await this.#workbox?.update().catch(() => undefined);
  }

  /** Takes the newer version and reloads this tab. Nothing that is stored is lost; a run goes on by Resume. */
  take(): void {
    this.#asked = true;
    if (this.state === 'waiting') this.#workbox?.messageSkipWaiting();
    else location.reload();
  }

  later(): void {
    this.state = 'none';
  }
}

export const siteUpdate = new SiteUpdate();
