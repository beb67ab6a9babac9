import type { Page } from '@playwright/test';
import { expectSound } from './support/look';
import { expect, exportNewest, test } from './support/site';

const PAGE = './#/self-check';

interface Report {
  readonly format: string;
  readonly program: string;
  readonly place: string;
  readonly complete: boolean;
  readonly facts: readonly { readonly id: string; readonly state: string; readonly value: unknown }[];
}

async function reportOf(page: Page): Promise<Report> {
  const json = page.getByText('The JSON');
  if (!(await page.locator('details[open]').count())) await json.click();
  return JSON.parse((await page.locator('details pre').textContent()) ?? '') as Report;
}

test('cheap facts at once, the rest after the button, and what was found is plausible', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const workers: string[] = [];
  page.on('worker', (worker) => workers.push(worker.url()));
  await page.goto(PAGE);
  const line = (id: string) => page.locator(`[data-line=${id}]`);
  await expect(line('wasm_simd')).toContainText(/yes/);
  await expect(line('isolation')).toContainText('not isolated');
  await expect(line('quota')).toContainText('used, as the browser says');
  await expect(line('indexeddb')).toContainText('not checked yet');
  expect(workers).toEqual([]);

  await page.getByRole('button', { name: 'Check this browser' }).click();
  await expect(page.getByTestId('self-check-status')).toHaveText('The check is complete.', {
    timeout: 60_000,
  });
  await expect(page.getByText('not checked yet')).toHaveCount(0);
  await expectSound(page, 'the self-check, done');

  const report = await reportOf(page);
  expect(report).toMatchObject({ format: 'pixelproof-self-check/1', complete: true });
  expect(report.program).toMatch(/^pixelproof \d/);
  const { state, value } = Object.fromEntries(
    (['state', 'value'] as const).map((key) => [
      key,
      Object.fromEntries(report.facts.map((fact) => [fact.id, fact[key]])),
    ]),
  ) as { state: Record<string, string>; value: Record<string, unknown> };
  expect(Object.keys(state).sort()).toEqual(
    [
      ...['wasm', 'wasm_simd', 'wasm_threads', 'isolation', 'cores', 'timer', 'webgpu'],
      ...[
        'own_png',
        'own_jpeg',
        'own_webp',
        'browser_png',
        'browser_jpeg',
        'browser_webp',
        'canvas',
        'video',
      ],
      ...['quota', 'persistent', 'indexeddb', 'opfs', 'locks', 'offline', 'trusted_types'],
      ...['sha256_platform', 'sha256_wasm', 'atari', 'png'],
    ].sort(),
  );
  expect(state).toMatchObject({
    own_png: 'yes',
    own_jpeg: 'yes',
    own_webp: 'yes',
    canvas: 'yes',
    indexeddb: 'yes',
    opfs: 'yes',
    locks: 'yes',
    trusted_types: 'yes',
    video: 'yes',
    // The tests' adapter is software, without 16-bit floats.
    webgpu: 'partly',
  });
  expect(value.webgpu).toMatchObject({ state: 'adapter', software: true, shader_f16: false });
  expect(value.video).toContain('VP9');
  for (const format of ['png', 'jpeg', 'webp']) {
    const compared = value[`browser_${format}`] as { pixels: number; differing_pixels: number | null }[];
    expect(compared.length).toBeGreaterThan(1);
    for (const { pixels, differing_pixels } of compared)
      expect(differing_pixels ?? 0).toBeLessThanOrEqual(pixels);
  }
  // A canvas multiplies colours by alpha: the ramp does not come back as it is in the file.
  expect(value.browser_png).toContainEqual(
    expect.objectContaining({ name: 'png gamma 1.0', differing_pixels: 0 }),
  );
  const speed = (id: string, key: string) => (value[id] as Record<string, number>)[key];
  expect(speed('sha256_platform', 'mib_per_second')).toBeGreaterThan(5);
  expect(speed('sha256_wasm', 'mib_per_second')).toBeGreaterThan(5);
  expect(speed('atari', 'frames_per_second')).toBeGreaterThan(100);
  expect(speed('png', 'steps_per_second')).toBeGreaterThan(1);

  await page.getByRole('button', { name: 'Copy as JSON' }).click();
  await expect(page.getByText('Copied')).toBeVisible();
  expect(JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))).toEqual(report);
  // Nothing of ours is left behind.
  const databases = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  expect(databases).not.toContain('pixelproof-self-check');
});

test('denied storage and a canvas with noise are findings, not failures', async ({ page }) => {
  await page.route(/\/assets\/self-check-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    const script = `
      const denied = () => { throw new DOMException('denied', 'SecurityError'); };
      Object.defineProperty(globalThis, 'indexedDB', { value: { open: denied, deleteDatabase: denied }, configurable: true });
      navigator.storage.getDirectory = async () => denied();
      const { getImageData } = OffscreenCanvasRenderingContext2D.prototype;
      if (!getImageData.noisy) {
        const noisy = function (...where) {
          const image = getImageData.apply(this, where);
          image.data[0] ^= 1;
          return image;
        };
        noisy.noisy = true;
        OffscreenCanvasRenderingContext2D.prototype.getImageData = noisy;
      }
      navigator.gpu.requestAdapter = () => Promise.resolve(null);\n`;
    await route.fulfill({ response, body: script + (await response.text()) });
  });
  await page.goto(PAGE);
  await page.getByRole('button', { name: 'Check this browser' }).click();
  await expect(page.getByTestId('self-check-status')).toHaveText('The check is complete.', {
    timeout: 60_000,
  });
  const { facts } = await reportOf(page);
  const of = (id: string) => facts.find((fact) => fact.id === id);
  expect(of('indexeddb')).toMatchObject({ state: 'no', value: { denied: 'SecurityError' } });
  expect(of('opfs')).toMatchObject({ state: 'no', value: { denied: 'SecurityError' } });
  expect(of('canvas')).toMatchObject({ state: 'no', value: { pixels: 4096, differing_pixels: 1 } });
  expect(of('webgpu')).toMatchObject({ state: 'no', value: { state: 'none', vendor: null } });
  expect(of('own_png')).toMatchObject({ state: 'yes' });
});

test('a check can be cancelled: what was found stays, and it can be made again', async ({ page }) => {
  await page.goto(PAGE);
  await page.route(/\/assets\/self-check-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    // The lock never comes: the check stands there until somebody has enough of it.
    const script = 'navigator.locks.request = () => new Promise(() => undefined);\n';
    await route.fulfill({ response, body: script + (await response.text()) });
  });
  await page.getByRole('button', { name: 'Check this browser' }).click();
  await expect(page.getByText('Web Locks').first()).toBeVisible();
  await expect(page.locator('[data-line=opfs]')).not.toContainText('not checked yet');
  await page.waitForTimeout(500);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByTestId('self-check-status')).toContainText('cancelled');
  await expect(page.locator('[data-line=locks]')).toContainText('not checked yet');
  expect(await reportOf(page)).toMatchObject({ complete: false });
  await page.unroute(/\/assets\/self-check-[^/]*\.js$/);
  await page.getByRole('button', { name: 'Check this browser' }).click();
  await expect(page.getByTestId('self-check-status')).toHaveText('The check is complete.', {
    timeout: 60_000,
  });
});

test('a run says where it was made, in short', async ({ page }) => {
  await page.goto('./');
  await page.getByRole('button', { name: /Run all smoke fixtures/ }).click();
  await expect(page.getByText(/^All smoke runs are complete/).first()).toBeVisible({ timeout: 90_000 });
  await page.goto('./#/evidence');
  const text = (await exportNewest(page, 'JSON')).toString();
  const { contents } = JSON.parse(text) as { contents: { path: string; text?: string }[] };
  const told = contents.find(({ path }) => path === 'environment.json')?.text ?? '';
  const { environment } = JSON.parse(told) as { environment: Record<string, unknown> };
  expect(environment).toEqual({
    program: expect.stringMatching(/^pixelproof \d/),
    platform: 'browser',
    user_agent: await page.evaluate(() => navigator.userAgent),
    cores: await page.evaluate(() => navigator.hardwareConcurrency),
    cross_origin_isolated: false,
    wasm_simd: true,
    wasm_threads: true,
    webgpu: { state: 'adapter', vendor: 'google', architecture: 'swiftshader' },
    storage_persistent: expect.any(Boolean),
  });
});
