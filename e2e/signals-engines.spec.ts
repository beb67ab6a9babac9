import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import { build } from 'vite';
import type { EnginesPage } from './pages/signals-engines';

// Both engines in a real browser: every reference picture, and generated ones, equal to the last integer.

const root = fileURLToPath(new URL('..', import.meta.url));
const golden = new URL('../fixtures/image-signals/golden/', import.meta.url);
const expected = JSON.parse(readFileSync(new URL('expected.json', golden), 'utf8'));
const files = new Map<string, string>();

test.beforeAll(async () => {
  const out = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      rollupOptions: {
        input: `${root}/e2e/pages/signals-engines.ts`,
        output: { entryFileNames: 'entry.js' },
      },
    },
  });
  for (const bundle of Array.isArray(out) ? out : 'output' in out ? [out] : []) {
    for (const chunk of bundle.output) if (chunk.type === 'chunk') files.set(chunk.fileName, chunk.code);
  }
});

async function open(page: Page): Promise<void> {
  await page.route('**/engines/**', (route) => {
    const name = new URL(route.request().url()).pathname.replace(/^.*\/engines\//, '');
    const code = files.get(name);
    const html = '<!doctype html><title>engines</title><script type="module" src="entry.js"></script>';
    return code === undefined
      ? route.fulfill({ contentType: 'text/html', body: html })
      : route.fulfill({ contentType: 'text/javascript', body: code });
  });
  await page.goto('./engines/');
  await page.waitForFunction(() => 'engines' in globalThis);
}

test('every reference picture: decoded exactly, and equal under WebAssembly and WebGPU', async ({ page }) => {
  await open(page);
  const inputs = expected.images.map(({ file }: { file: string }) => ({
    name: file,
    base64: readFileSync(new URL(file, golden)).toString('base64'),
  }));
  const got = await page.evaluate(
    (given) => (globalThis as unknown as { engines: EnginesPage }).engines.golden(given),
    inputs,
  );
  expect(got.engine?.id).toBe('webgpu');
  expect(got.selfTest.exact).toEqual({ png: true, jpeg: true, webp: true });
  expect(got.results).toHaveLength(expected.images.length);
  for (const [i, image] of expected.images.entries()) {
    const result = got.results[i];
    expect(result?.rgb_sha256, image.file).toBe(image.rgb_sha256);
    for (const signals of [result?.wasm, result?.gpu]) {
      for (const [field, value] of Object.entries(signals?.values ?? {}))
        expect(value, image.file).toEqual(image[field]);
      expect(signals?.mask_total, image.file).toBe(image.nonwhite_total);
      expect(signals?.gates_passed, image.file).toBe(image.gates_passed);
    }
  }
});

test('every generated file of the decoder corpus: the pixels that Pillow reads', async ({ page }) => {
  await open(page);
  const corpus = JSON.parse(readFileSync(new URL('../decoders.json', golden), 'utf8'));
  const got = await page.evaluate(
    (given) => (globalThis as unknown as { engines: EnginesPage }).engines.digests(given),
    corpus.files,
  );
  expect(got.map(({ file, rgb_sha256 }) => ({ file, rgb_sha256 }))).toEqual(
    corpus.files.map(({ file, rgb_sha256 }: Record<string, string>) => ({ file, rgb_sha256 })),
  );
  expect(new Set(got.map(({ decoder }) => decoder.replace(/\/.*/, '')))).toEqual(
    new Set(['pixelproof-png', 'pixelproof-jpeg', 'libjpeg-turbo-wasm', 'pixelproof-webp']),
  );
});

test('generated pictures of many structures: the engines give the same integers', async ({ page }) => {
  await open(page);
  const got = await page.evaluate(() =>
    (globalThis as unknown as { engines: EnginesPage }).engines.fuzz([
      [1, 1],
      [2, 3],
      [3, 1],
      [1, 40],
      [64, 5],
      [65, 7],
      [127, 33],
      [200, 61],
      [256, 256],
    ]),
  );
  expect(got).toEqual({ compared: 72, difference: null });
});
