import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium, type Page } from '@playwright/test';

/** Limits that the page is held to. */
const SHELL_GZIP_KB = 80;
const LONGEST_TASK_MS = 50;

/**
 * The built site in a real browser: how much script the first visit loads, when the first picture is there, and the
 * longest task on the main thread while all eleven recipes of all 112 states run in the worker. No peer: these are
 * limits, not ratios.
 */
export async function bench(): Promise<void> {
  const { serve } = (await import(join(process.cwd(), 'scripts/serve.mjs'))) as {
    serve(options: { folder: string; base: string }): Promise<{ url: string; close(): Promise<void> }>;
  };
  const { findBrowser } = (await import(join(process.cwd(), 'scripts/browser.mjs'))) as {
    findBrowser(): Promise<string | null>;
  };
  const { buildSite } = (await import(join(process.cwd(), 'scripts/build.mjs'))) as {
    buildSite(): Promise<void>;
  };
  await buildSite();
  const executablePath = await findBrowser();
  if (executablePath === null) throw new Error('no browser');
  const site = await serve({ folder: join(process.cwd(), 'dist'), base: '/bench/' });
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const page = await browser.newPage();
    const scripts = new Set<string>();
    page.on('response', (response) => {
      const name = new URL(response.url()).pathname.split('/').pop() ?? '';
      if (name.endsWith('.js')) scripts.add(name);
    });
    await page.addInitScript(() => {
      const tasks: number[] = [];
      Object.assign(globalThis, { longTasks: tasks });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) tasks.push(entry.duration);
      }).observe({ entryTypes: ['longtask'] });
    });
    await page.goto(site.url);
    const first = await firstPicture(page);
    console.log(`browser: ${browser.version()}`);
    console.log(`first picture of Home: ${first.toFixed(0)} ms after navigation`);
    const shell = [...scripts].filter((name) => !/^(pixels|runner|errors)-/.test(name));
    const size = shell.reduce((sum, name) => sum + gzipOf(name), 0);
    console.log(
      `shell script before an experiment is opened: ${(size / 1024).toFixed(1)} KB gzip (limit ${SHELL_GZIP_KB})`,
    );
    await page.goto(
      `${site.url}#/png-representation?provider=scripted&fixture=canonical&variants=${VARIANTS}&cooldown=cooldown-dual-v1&lane=lane-enhanced-v1&v=1`,
    );
    await page.waitForTimeout(2000);
    await longTasks(page);
    const started = Date.now();
    await page.getByRole('button', { name: 'Run the wiring check' }).click();
    await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'visible' });
    await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached', timeout: 300_000 });
    const tasks = await longTasks(page);
    const longest = Math.max(0, ...tasks);
    console.log(`1,232 cases in the worker: ${((Date.now() - started) / 1000).toFixed(1)} s`);
    console.log(
      `main thread meanwhile: ${tasks.length} tasks over 50 ms, longest ${longest.toFixed(0)} ms (limit ${LONGEST_TASK_MS})`,
    );
  } finally {
    await browser.close();
    await site.close();
  }
}

const VARIANTS =
  'labelled-v1,unlabelled-v1,cooldown-shape-v1,cooldown-dual-v1,cooldown-redundant-v1,lane-enhanced-v1,footer-only-v1,lane-numerals-v1,cooldown-text-v1,semantic-labelled-v1,combined-v1';

function gzipOf(name: string): number {
  const folder = join(process.cwd(), 'dist/assets');
  return readdirSync(folder).includes(name) ? gzipSync(readFileSync(join(folder, name))).length : 0;
}

function firstPicture(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = () => {
          const image = document.querySelector<HTMLImageElement>('[data-testid=card-png-representation] img');
          if (image?.complete && image.naturalWidth > 0) resolve(performance.now());
          else setTimeout(look, 10);
        };
        look();
      }),
  );
}

function longTasks(page: Page): Promise<number[]> {
  return page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks.splice(0));
}
