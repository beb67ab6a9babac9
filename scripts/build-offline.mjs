// The service worker: one classic script that knows every file of the built site.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { build } from 'vite';
import { root } from './lib.mjs';

/** What a first visit does not fetch: models and their runtimes, and the verifier, which is a download. */
const LATER = /^models\/|^assets\/(ort-|transformers)|\.(wasm|onnx)$|^verifier\.html$|^schemas\//;
/** A file with a hash in its name never changes; every other one has its digest as revision. */
const HASHED = /^assets\/.*-[\w-]{8}\.\w+$/;

export function siteFiles(dist) {
  return readdirSync(dist, { recursive: true })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path !== 'sw.js' && !LATER.test(path) && statSync(join(dist, path)).isFile())
    .sort()
    .map((url) => ({ url, digest: digestOf(readFileSync(join(dist, url))) }));
}

const digestOf = (bytes) => createHash('sha256').update(bytes).digest('hex');

export async function buildOffline(dist) {
  const files = siteFiles(dist);
  const name = digestOf(JSON.stringify(files)).slice(0, 12);
  const listed = files.map(({ url, digest }) => ({ url, revision: HASHED.test(url) ? null : digest }));
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    define: { PIXELPROOF_FILES: JSON.stringify(listed), PIXELPROOF_BUILD: JSON.stringify(name) },
    build: {
      write: false,
      target: 'es2022',
      copyPublicDir: false,
      modulePreload: false,
      rollupOptions: { input: join(root, 'workers/offline.ts'), output: { format: 'iife' } },
    },
  });
  const chunks = [built].flat().flatMap(({ output }) => output);
  if (chunks.length !== 1) throw new Error(`The service worker must be one script, not ${chunks.length}.`);
  writeFileSync(join(dist, 'sw.js'), chunks[0].code);
  return name;
}
