import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import { build } from 'vite';
import { cartridgeOf, ownedRom } from '../fixtures/atari/read';
import { paddleRom } from '../fixtures/cartridge/read';
import type { Replayed } from '../src/atari/testing/replay';
import type { ReplayRequest } from './pages/atari-traces';

// The reference's vectors in a worker of a real browser. The Pong traces need the tester's own ROM; without it the suite
// says that they were skipped.

const root = fileURLToPath(new URL('..', import.meta.url));
const rom = ownedRom('pong');
const TRACES: readonly (readonly [file: string, kind: ReplayRequest['kind'], frames: number])[] = [
  ['pong-boot', 'boot', 3],
  ...['noop', 'sweep', 'fire-mix', 'xorshift'].map(
    (name) => [`pong-script-${name}`, 'script', 2400] as const,
  ),
  ...[36, 37, 46, 47].map((seed) => [`pong-seed-${seed}`, 'seed', 4000] as const),
];
const VECTORS = new URL('../fixtures/atari/', import.meta.url);
const BANKS = new URL('../fixtures/cartridge/banks/', import.meta.url);
let checked = 0;
const files = new Map<string, string>();

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  const out = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      rollupOptions: { input: `${root}/e2e/pages/atari-traces.ts`, output: { entryFileNames: 'entry.js' } },
    },
  });
  for (const bundle of Array.isArray(out) ? out : 'output' in out ? [out] : []) {
    for (const chunk of bundle.output) if (chunk.type === 'chunk') files.set(chunk.fileName, chunk.code);
  }
});

async function replay(
  page: Page,
  kind: ReplayRequest['kind'],
  file: string,
  image: Uint8Array,
): Promise<Replayed> {
  return replayText(page, kind, readFileSync(new URL(`${file}.json`, VECTORS), 'utf8'), image);
}

async function replayText(
  page: Page,
  kind: ReplayRequest['kind'],
  file: string,
  image: Uint8Array,
): Promise<Replayed> {
  await page.route('**/traces/**', (route) => {
    const name = new URL(route.request().url()).pathname.replace(/^.*\/traces\//, '');
    const code = files.get(name);
    return code === undefined
      ? route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>traces</title>' })
      : route.fulfill({ contentType: 'text/javascript', body: code });
  });
  await page.goto('./traces/');
  return page.evaluate(
    ({ kind, file, image }) =>
      new Promise<Replayed>((resolve, reject) => {
        const worker = new Worker('./entry.js', { type: 'module' });
        worker.onmessage = ({ data }) => {
          if (data === 'ready') worker.postMessage({ kind, rom: new Uint8Array(image), file });
          else resolve(data);
        };
        worker.onerror = (event) => reject(new Error(event.message));
      }),
    { kind, file, image: [...image] },
  );
}

test('random words and sticky decisions in a browser’s worker', async ({ page }) => {
  expect(await replay(page, 'random', 'rng-vectors', paddleRom)).toEqual({ frames: 12, difference: null });
});

test('every bank scheme in a browser’s worker: RAM and picture of every frame', async ({ page }) => {
  const files = readdirSync(BANKS).filter((name) => name.endsWith('.json'));
  expect(files).toHaveLength(14);
  for (const name of files) {
    const text = readFileSync(new URL(name, BANKS), 'utf8');
    expect(await replayText(page, 'trace', text, cartridgeOf(JSON.parse(text))), name).toEqual({
      frames: 300,
      difference: null,
    });
  }
});

for (const [file, kind, frames] of TRACES) {
  test(`${file} in a browser’s worker: RAM and picture of every frame`, async ({ page }) => {
    test.skip(rom === null, 'needs pong.bin in the folder that PIXELPROOF_ROM_DIR names');
    if (rom === null) return;
    expect(await replay(page, kind, file, rom)).toEqual({ frames, difference: null });
    checked += 1;
  });
}

test('a difference is told', async ({ page }) => {
  const { frames, difference } = await replay(page, 'script', 'pong-script-noop', paddleRom);
  expect(frames).toBe(2400);
  expect(difference).toMatch(/^(RAM|picture) of frame 1: expected [0-9a-f]{16}, got [0-9a-f]{16}$/);
});

test('says how many traces were checked', () => {
  const skipped = rom === null ? TRACES.length : 0;
  const hint = skipped > 0 ? ' (set PIXELPROOF_ROM_DIR to a folder with pong.bin)' : '';
  process.stderr.write(`Atari ROM traces in Chromium: ${checked} checked, ${skipped} skipped${hint}.\n`);
  expect(checked + skipped).toBe(TRACES.length);
});
