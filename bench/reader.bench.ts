import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import {
  CANONICAL_STATES,
  combinedParts,
  materialiseSteps,
  recipeOf,
  VARIANTS,
} from '../src/experiments/png-representation';
import type { ReaderFigures } from './reader/worker';

const ROUNDS = 3;
/** The limit that the site is held to, from pressing Start to the first answer, with nothing in the browser's cache. */
const FIRST_ANSWER_MS = 2000;

interface PeerFigures extends ReaderFigures {
  readonly onnxruntime: string;
  readonly pillow: string;
  readonly numpy: string;
  readonly python: string;
  readonly network_seconds: number;
}

/**
 * arcade-reader on every state in every representation: by the site's provider in a Chromium worker, and by onnxruntime
 * in Python (found through `PYTHON` or as `python3`) on the same files, in turns, one thread each. Both decode the PNG,
 * reduce it and ask the network. Then the time from Start to the first answer on the built site, cold.
 */
export async function bench(): Promise<void> {
  const module = (name: string): Promise<unknown> => import(join(process.cwd(), 'scripts', name));
  const { serve } = (await module('serve.mjs')) as {
    serve(options: { folder: string; base: string }): Promise<{ url: string; close(): Promise<void> }>;
  };
  const { findBrowser } = (await module('browser.mjs')) as { findBrowser(): Promise<string | null> };
  const { buildSite } = (await module('build.mjs')) as { buildSite(): Promise<void> };
  const executablePath = await findBrowser();
  if (executablePath === null) throw new Error('no browser');
  await buildSite();
  const folder = await bundled();
  await writePack(join(folder, 'pack'));
  copyFileSync('public/models/arcade-reader/model.onnx', join(folder, 'model.onnx'));
  const site = await serve({ folder, base: '/bench/' });
  const built = await serve({ folder: join(process.cwd(), 'dist'), base: '/bench/' });
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    console.log(`browser: Chromium ${browser.version()}, onnxruntime-web, wasm, one thread`);
    await compare(browser, site.url, folder);
    await coldStart(browser, built.url);
  } finally {
    await browser.close();
    await site.close();
    await built.close();
    rmSync(folder, { recursive: true });
  }
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function compare(browser: Browser, url: string, folder: string): Promise<void> {
  const page = await browser.newPage();
  await page.goto(url);
  const ours: ReaderFigures[] = [];
  const theirs: PeerFigures[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await inWorker(page));
    const other = peer(folder);
    if (other !== null) theirs.push(other);
  }
  await page.close();
  const rate = (all: readonly ReaderFigures[]) => median(all.map(({ images, seconds }) => images / seconds));
  const a = rate(ours);
  console.log(`${ours[0]?.images} pictures, ${ROUNDS} rounds`);
  console.log(`ours, in a Chromium worker   ${a.toFixed(0)} pictures a second`);
  const [first] = theirs;
  if (first === undefined) {
    console.log('peer: no Python with onnxruntime, numpy and Pillow (set PYTHON)');
    return;
  }
  const b = rate(theirs);
  const alone = median(theirs.map(({ images, network_seconds }) => images / network_seconds));
  console.log(
    `onnxruntime ${first.onnxruntime}, Pillow ${first.pillow}, numpy ${first.numpy}, Python ${first.python}: ${b.toFixed(0)} pictures a second (the network alone ${alone.toFixed(0)})`,
  );
  console.log(`same answers on both sides   ${first.said === ours[0]?.said ? 'yes' : 'NO'}`);
  console.log(`ratio                        ${(a / b).toFixed(3)} of onnxruntime's pictures a second`);
}

function inWorker(page: Page): Promise<ReaderFigures> {
  return page.evaluate(
    () =>
      new Promise<ReaderFigures>((resolve, reject) => {
        const worker = new Worker('worker.js', { type: 'module' });
        const at = (name: string) => new URL(name, location.href).href;
        worker.onmessage = ({ data }) => {
          if (data === 'ready') {
            worker.postMessage({ model: at('model.onnx'), pack: at('pack') });
            return;
          }
          worker.terminate();
          if (typeof data === 'string') reject(new Error(data));
          else resolve(data);
        };
        worker.onerror = (event) => reject(new Error(event.message));
      }),
  );
}

function peer(folder: string): PeerFigures | null {
  const script = join(process.cwd(), 'bench/peers/reader_onnx.py');
  const { status, stdout } = spawnSync(
    process.env.PYTHON ?? 'python3',
    [script, join(folder, 'model.onnx'), join(folder, 'pack')],
    { encoding: 'utf8', env: { ...process.env, OMP_NUM_THREADS: '1' } },
  );
  return status === 0 ? (JSON.parse(stdout) as PeerFigures) : null;
}

async function coldStart(browser: Browser, url: string): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // A context of its own has an empty cache and nothing stored.
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${url}#/png-representation?provider=arcade-reader`);
    await page.getByRole('button', { name: /^Start: arcade-reader/ }).waitFor();
    times.push(
      await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const buttons = [...document.querySelectorAll('button')];
            const start = buttons.find(({ textContent }) =>
              textContent?.trim().startsWith('Start: arcade-reader'),
            );
            const began = performance.now();
            start?.click();
            const look = () => {
              const numbers = document.querySelector('.bar .numbers')?.textContent?.trim() ?? '';
              if (/^[1-9]/.test(numbers)) resolve(performance.now() - began);
              else setTimeout(look, 5);
            };
            look();
          }),
      ),
    );
    await context.close();
  }
  const shown = times.map((time) => `${time.toFixed(0)} ms`).join(', ');
  console.log(`first answer after Start, cold: ${shown} (limit ${FIRST_ANSWER_MS} ms)`);
}

/** Every state in every representation, one file: a length of four bytes, big-endian, before each picture. */
async function writePack(path: string): Promise<void> {
  const parts: Uint8Array[] = [];
  for (const variant of VARIANTS) {
    const recipe = recipeOf(variant, combinedParts('cooldown-dual-v1', 'lane-enhanced-v1'));
    for (const state of CANONICAL_STATES) {
      const { png } = (await materialiseSteps(recipe, state)).final;
      const length = new Uint8Array(4);
      new DataView(length.buffer).setUint32(0, png.length);
      parts.push(length, png);
    }
  }
  writeFileSync(path, Buffer.concat(parts));
}

/** The worker and an empty page in a folder of their own. */
async function bundled(): Promise<string> {
  const { build } = await import('vite');
  const folder = mkdtempSync(join(tmpdir(), 'pixelproof-reader-'));
  await build({
    root: process.cwd(),
    configFile: false,
    logLevel: 'error',
    base: './',
    worker: { format: 'es' },
    build: {
      outDir: folder,
      emptyOutDir: true,
      copyPublicDir: false,
      target: 'es2022',
      assetsInlineLimit: 0,
      rollupOptions: {
        input: { worker: join(process.cwd(), 'bench/reader/worker.ts') },
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>arcade-reader</title>');
  return folder;
}
