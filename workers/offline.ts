import { setCacheNameDetails } from 'workbox-core';
import { precacheAndRoute } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkFirst } from 'workbox-strategies';

declare const self: ServiceWorkerGlobalScope;
/** Put in by the build: every file of the site that the first visit keeps, and the build's own name. */
declare const PIXELPROOF_FILES: readonly { readonly url: string; readonly revision: string | null }[];
declare const PIXELPROOF_BUILD: string;

// A build keeps its files in a cache of its own, so that a tab of the build before finds its parts after an update,
// also where the server has them no longer. Two builds are kept.
const PREFIX = 'pixelproof-site';
const KEPT_BUILDS = 2;
/** Models and the runtimes that run them: large, and fetched only where somebody chose one. */
const LARGE = 'pixelproof-models';

setCacheNameDetails({ prefix: PREFIX, precache: PIXELPROOF_BUILD, suffix: '' });
// Whatever a link says after the question mark, it is the same page.
precacheAndRoute([...PIXELPROOF_FILES], { ignoreURLParametersMatching: [/./], directoryIndex: 'index.html' });

const inScope = (url: URL): string | null => {
  const scope = self.registration.scope;
  return url.href.startsWith(scope) ? url.href.slice(scope.length) : null;
};

// A model keeps its name when it changes, and is checked by digest: the server's is the one that fits the site.
registerRoute(
  ({ url }) => inScope(url)?.startsWith('models/') === true,
  new NetworkFirst({ cacheName: LARGE }),
);
registerRoute(
  ({ url }) => /^assets\/(ort-.*|transformers.*|.*\.wasm)$/.test(inScope(url) ?? ''),
  new CacheFirst({ cacheName: LARGE }),
);

/** A part of another build: from that build's cache where it is still kept, else from the server. */
registerRoute(
  ({ url }) => inScope(url)?.startsWith('assets/') === true,
  async ({ request }) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request),
);

self.addEventListener('message', ({ data }) => {
  if (data?.type === 'SKIP_WAITING') void self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      // In the order in which they were made.
      const builds = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
      for (const name of builds.slice(0, -KEPT_BUILDS)) await caches.delete(name);
      // The page of a first visit was loaded without us; from here on it works without a network.
      await self.clients.claim();
    })(),
  );
});
