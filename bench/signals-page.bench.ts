import { linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { drawScene } from '../src/experiments/image-signals/scene';
import { encodePng } from '../src/pixels/png-encode';

const PICTURES = 1000;
const SIDE = 1024;
/** Limits that the page is held to: no task of the main thread takes more of the processor, and no more heap is in use. */
const LONGEST_TASK_MS = 50;
const MOST_HEAP_MB = 64;

/**
 * A folder of 1,000 pictures of a megapixel each in the built page: cancel, go on, then scroll without a pause. No peer:
 * these are limits, not ratios. Scrolled that fast, every frame draws a whole screen of new rows: how often that takes
 * longer than the limit is told, and not held to it.
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
  const folder = pictures();
  const site = await serve({ folder: join(process.cwd(), 'dist'), base: '/bench/' });
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath, args: root });
  try {
    console.log(`browser: ${browser.version()}`);
    await measure(browser, site.url, folder);
  } finally {
    await browser.close();
    await site.close();
    rmSync(folder, { recursive: true });
  }
}

/** Eight drawn scenes under a thousand names. */
function pictures(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pixelproof-thousand-'));
  for (let i = 0; i < PICTURES; i++) {
    const name = join(folder, `p${String(i).padStart(4, '0')}.png`);
    if (i < 8) {
      const scene = drawScene({ layout: 'extra-objects', seed: i, width: SIDE, height: SIDE });
      writeFileSync(name, encodePng(scene));
    } else linkSync(join(folder, `p000${i % 8}.png`), name);
  }
  return folder;
}

async function measure(browser: Browser, url: string, folder: string): Promise<void> {
  const page = await browser.newPage();
  await page.goto(`${url}#/image-signals`);
  await page.getByTestId('exactness').waitFor();
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  const heap = async () => {
    const { metrics } = await client.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0) / 1024 / 1024;
  };
  const processes = await rendererIds(browser);
  const before = { heap: await heap(), resident: resident(processes) };
  const peak = { heap: 0, resident: 0 };
  const watch = await watchTasks(browser, page);

  await dropFolder(page, folder);
  await page.getByTestId('pictures').locator('tbody tr').nth(3).waitFor();
  await page.waitForTimeout(2000);
  const pressed = performance.now();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Go on' }).waitFor();
  const cancelled = performance.now() - pressed;
  await page.getByRole('button', { name: 'Go on' }).click();

  const began = performance.now();
  await page.waitForTimeout(5000);
  const quiet = await watch.stop();
  const scrolled = await watchTasks(browser, page);
  const done = page.getByTestId('measured').getByText(`${PICTURES.toLocaleString('en')} pictures measured`);
  while (!(await done.isVisible())) {
    await scroll(page);
    peak.heap = Math.max(peak.heap, await heap());
    peak.resident = Math.max(peak.resident, resident(processes));
    if (performance.now() - began > 300_000) throw new Error('not measured within five minutes');
  }
  const seconds = (performance.now() - began) / 1000;
  const tasks = await scrolled.stop();
  const rows = await page.getByTestId('pictures').locator('tbody tr').count();
  console.log(`${PICTURES} pictures of ${SIDE} x ${SIDE}: ${seconds.toFixed(1)} s after "Go on"`);
  console.log(`cancel took effect after ${cancelled.toFixed(0)} ms; ${rows} rows are in the page`);
  const longest = (all: readonly number[]) => Math.max(...all).toFixed(0);
  const over = tasks.filter((ms) => ms > LONGEST_TASK_MS).length;
  console.log(
    `longest of ${quiet.length} tasks of the main thread, drop, cancel and 5 s of measuring: ${longest(quiet)} ms of the processor (limit ${LONGEST_TASK_MS})`,
  );
  console.log(
    `scrolled all the while: ${over} of ${tasks.length} tasks over ${LONGEST_TASK_MS} ms, longest ${longest(tasks)} ms`,
  );
  console.log(
    `heap of the page: ${before.heap.toFixed(1)} MB before, at most ${peak.heap.toFixed(1)} MB (limit ${MOST_HEAP_MB})`,
  );
  if (processes.length > 0) {
    console.log(
      `memory of the page's process, worker and WebAssembly included: ${before.resident.toFixed(0)} MB before, at most ${peak.resident.toFixed(0)} MB`,
    );
  }
}

/** As from the desktop. A file dialog would do too, but there the browser itself lists all files in one task. */
async function dropFolder(page: Page, folder: string): Promise<void> {
  await page.getByTestId('drop').scrollIntoViewIfNeeded();
  const box = await page.getByTestId('drop').boundingBox();
  if (box === null) throw new Error('no drop zone');
  const client = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await client.send('Input.dispatchDragEvent', {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data: { items: [], files: [folder], dragOperationsMask: 1 },
    });
  }
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the processor that the thread had. */
  readonly tdur?: number;
}

const MARK = 'the page that is measured';

/** Every task of the main thread of a page, in milliseconds of the processor: what else the machine does is not in it. */
async function watchTasks(browser: Browser, page: Page): Promise<{ stop(): Promise<readonly number[]> }> {
  const client = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  client.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await client.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: ['disabled-by-default-devtools.timeline', 'blink.user_timing'],
      recordMode: 'recordAsMuchAsPossible',
    },
  });
  // A browser has several processes with a main thread; this one's is where the mark is.
  await page.evaluate((mark) => performance.mark(mark), MARK);
  return {
    async stop() {
      const complete = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve));
      await client.send('Tracing.end');
      await complete;
      const main = events.find(({ name }) => name === MARK);
      const tasks = events.filter(
        ({ name, pid, tid }) => name === 'RunTask' && pid === main?.pid && tid === main.tid,
      );
      if (tasks.length === 0) throw new Error('the trace has no task of the page');
      return tasks.map(({ tdur = 0 }) => tdur / 1000);
    },
  };
}

async function scroll(page: Page): Promise<void> {
  await page.getByTestId('pictures').hover();
  for (let i = 0; i < 10; i++) {
    await page.mouse.wheel(0, i < 5 ? 900 : -900);
    await page.waitForTimeout(40);
  }
}

async function rendererIds(browser: Browser): Promise<number[]> {
  const client = await browser.newBrowserCDPSession();
  const { processInfo } = await client.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

/** Megabytes of the largest of these processes; 0 where the system does not say. */
function resident(ids: readonly number[]): number {
  const each = ids.map((id) => {
    try {
      return Number(readFileSync(`/proc/${id}/statm`, 'utf8').split(' ')[1]) * 4096;
    } catch {
      return 0;
    }
  });
  return Math.max(0, ...each) / 1024 / 1024;
}
