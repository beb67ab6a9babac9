import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import type { StoreFigures } from './store/worker';

/** What more cases may add to the worker's JavaScript heap at its highest. */
const HEAP_LIMIT_MB = 64;

/**
 * 10,000 and then 100,000 cases in IndexedDB, in a worker of a real browser: stored, listed, filtered, exported. No
 * peer: what counts is that ten times the cases take no more memory and ten times the time, and that a page of the list
 * does not get slower with the run's length.
 */
export async function bench(): Promise<void> {
  const module = (name: string): Promise<unknown> => import(join(process.cwd(), 'scripts', name));
  const { serve } = (await module('serve.mjs')) as {
    serve(options: { folder: string; base: string }): Promise<{ url: string; close(): Promise<void> }>;
  };
  const { findBrowser } = (await module('browser.mjs')) as { findBrowser(): Promise<string | null> };
  const executablePath = await findBrowser();
  if (executablePath === null) throw new Error('no browser');
  const folder = await bundled();
  const site = await serve({ folder, base: '/bench/' });
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const page = await browser.newPage();
    await page.goto(site.url);
    console.log(`browser: Chromium ${browser.version()}`);
    for (const cases of [10_000, 100_000]) await report(page, cases);
  } finally {
    await browser.close();
    await site.close();
  }
}

async function report(page: Page, cases: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const heap = await watchedHeap(session);
  const figures = await page.evaluate(
    (count) =>
      new Promise<StoreFigures | string>((resolve) => {
        const worker = new Worker('worker.js', { type: 'module' });
        worker.onmessage = (event) => resolve(event.data);
        worker.postMessage(count);
      }),
    cases,
  );
  const peak = await heap.stop();
  if (typeof figures === 'string') throw new Error(figures);
  const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
  console.log(`${cases.toLocaleString('en')} cases`);
  console.log(`  stored in ${ms(figures.store_ms)}, ${ms((1000 * figures.store_ms) / cases)} a thousand`);
  console.log(`  first page ${ms(figures.first_page_ms)}, last page ${ms(figures.last_page_ms)}`);
  console.log(`  filter, last page of ${figures.filtered}: ${ms(figures.filter_ms)}`);
  console.log(
    `  zip of ${(figures.export_bytes / 2 ** 20).toFixed(1)} MB in ${ms(figures.export_ms)}, largest piece ${(figures.largest_chunk / 1024).toFixed(0)} KB`,
  );
  console.log(`  heap of the worker at most ${peak.toFixed(0)} MB (limit ${HEAP_LIMIT_MB})`);
}

/** Samples the heap of the workers of a page until stopped; gives the highest in MB. */
async function watchedHeap(session: CDPSession): Promise<{ stop(): Promise<number> }> {
  let peak = 0;
  let next = 0;
  const heaps = new Map<number, number>();
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result } = JSON.parse(message) as { id: number; result?: { usedSize?: number } };
    if (result?.usedSize === undefined) return;
    heaps.set(id, result.usedSize);
    peak = Math.max(peak, result.usedSize / 2 ** 20);
  });
  const workers: string[] = [];
  session.on('Target.attachedToTarget', ({ sessionId }) => workers.push(sessionId));
  await session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: false,
  });
  const timer = setInterval(() => {
    for (const sessionId of workers) {
      next += 1;
      const message = JSON.stringify({ id: next, method: 'Runtime.getHeapUsage' });
      session.send('Target.sendMessageToTarget', { sessionId, message }).catch(() => {});
    }
  }, 100);
  return {
    async stop() {
      clearInterval(timer);
      await session.detach();
      if (heaps.size === 0) throw new Error('the heap was never read');
      return peak;
    },
  };
}

/** The worker and an empty page in a folder of their own. */
async function bundled(): Promise<string> {
  const { build } = await import('vite');
  const folder = mkdtempSync(join(tmpdir(), 'pixelproof-store-'));
  await build({
    root: process.cwd(),
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: true,
      copyPublicDir: false,
      target: 'es2022',
      rollupOptions: {
        input: { worker: join(process.cwd(), 'bench/store/worker.ts') },
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Store</title>');
  return folder;
}
