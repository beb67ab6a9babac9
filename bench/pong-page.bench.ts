import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { peer, peerPython } from './pong-peer';

const FRAMES = 2000;
const LIMIT = 1.5;
const LONGEST_TASK_MS = 50;

/**
 * The two local arms on the built page in Chromium, as a person runs them: every file, RAM and SHA-256 of each picture,
 * stored in IndexedDB, with live pictures on screen; as a ratio to ale_py, and with the main thread's longest task.
 */
export async function bench(): Promise<void> {
  const rom = join(process.env.PIXELPROOF_ROM_DIR ?? '', 'pong.bin');
  if (process.env.PIXELPROOF_ROM_DIR === undefined || !existsSync(rom)) {
    console.log('no pong.bin: set PIXELPROOF_ROM_DIR');
    return;
  }
  const module = (name: string): Promise<unknown> => import(join(process.cwd(), 'scripts', name));
  const { serve } = (await module('serve.mjs')) as {
    serve(options: { folder: string; base: string }): Promise<{ url: string; close(): Promise<void> }>;
  };
  const { findBrowser } = (await module('browser.mjs')) as { findBrowser(): Promise<string | null> };
  const { buildSite } = (await module('build.mjs')) as { buildSite(): Promise<void> };
  const executablePath = await findBrowser();
  if (executablePath === null) throw new Error('no browser');
  await buildSite();
  const site = await serve({ folder: join(process.cwd(), 'dist'), base: '/bench/' });
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const page = await browser.newPage();
    await page.goto(`${site.url}#/pong-controls?rom=pong`);
    await page.getByLabel(/Pong ROM file/).setInputFiles(rom);
    await page.getByText('Pong is in').waitFor();
    await page.waitForTimeout(1500);
    await page.evaluate(() => {
      const tasks: number[] = [];
      Object.assign(globalThis, { longTasks: tasks });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) tasks.push(entry.duration);
      }).observe({ entryTypes: ['longtask'] });
    });
    const started = performance.now();
    await page.getByRole('button', { name: 'Play the coded rules' }).click();
    await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'visible' });
    await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached', timeout: 300_000 });
    const seconds = (performance.now() - started) / 1000;
    const tasks = await page.evaluate(() => Reflect.get(globalThis, 'longTasks') as number[]);
    console.log(`Chromium ${browser.version()}, 16,000 frames   ${seconds.toFixed(2)} s, stored and shown`);
    console.log(
      `main thread: ${tasks.length} tasks over 50 ms, longest ${Math.max(0, ...tasks).toFixed(0)} ms (limit ${LONGEST_TASK_MS})`,
    );
    const python = peerPython(rom);
    const other = python === null ? null : peer(python, rom, FRAMES);
    if (other === null) {
      console.log('peer: no Python with ale_py found (set ALE_PYTHON)');
      return;
    }
    const ratio = seconds / other.seconds;
    console.log(
      `ale_py ${other.ale_py}, NumPy ${other.numpy}, Python ${other.python}   ${other.seconds.toFixed(2)} s`,
    );
    console.log(`ratio   ${ratio.toFixed(2)} of ale_py's time (limit ${LIMIT})`);
    if (ratio > LIMIT)
      throw new Error(`${ratio.toFixed(2)} times ale_py's time is above the limit of ${LIMIT}.`);
  } finally {
    await browser.close();
    await site.close();
  }
}
