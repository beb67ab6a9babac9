import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { PROMPT_SHA256 } from '../src/experiments/image-signals/protocol';
import { PROBES } from '../src/pixels/decode/probes';
import { expect, exportNewest, importFile, test, wipe } from './support/site';

const SIGNALS = './#/image-signals';
const GOLDEN = fileURLToPath(new URL('../fixtures/image-signals/golden', import.meta.url));

async function golden() {
  const text = await readFile(join(GOLDEN, 'expected.json'), 'utf8');
  return JSON.parse(text).images as readonly (Record<string, unknown> & { readonly file: string })[];
}

async function dropFolder(page: Page, folder: string): Promise<void> {
  await page.getByLabel('Choose a folder').setInputFiles(folder);
}

async function savedJson(page: Page): Promise<Record<string, unknown>[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save them as JSON' }).click(),
  ]);
  return JSON.parse(await readFile(await download.path(), 'utf8'));
}

for (const engine of ['WebAssembly with SIMD', 'WebGPU compute']) {
  test(`every reference picture dropped on the page has the reference's numbers, ${engine}`, async ({
    page,
  }) => {
    await page.goto(SIGNALS);
    await page.getByLabel(engine).check();
    await dropFolder(page, GOLDEN);
    const images = await golden();
    await expect(page.getByTestId('measured')).toContainText(`${images.length} pictures measured`, {
      timeout: 60_000,
    });
    await expect(page.getByTestId('measured')).toContainText('1 file not readable');
    const records = await savedJson(page);
    for (const image of images) {
      const record = records.find(({ file }) => String(file).endsWith(image.file));
      for (const field of [
        'sha256',
        'rgb_sha256',
        'width',
        'height',
        'left_red_dominance',
        'right_blue_dominance',
        'bottom_yellow_presence',
        'nonwhite_blob_count',
        'nonwhite_total',
        'gates_passed',
      ]) {
        expect(record?.[field], `${image.file} ${field}`).toEqual(image[field]);
      }
      expect(record?.engine).toMatchObject({ id: engine.startsWith('WebGPU') ? 'webgpu' : 'wasm-simd' });
    }
  });
}

test('where a decoder is not exact, the page, the row and the record say so', async ({ page }) => {
  // The script of the worker expects other pixels of one probe: to the self-test, a decoder that is not exact.
  const digest = PROBES.find(([name]) => name.startsWith('jpeg'))?.[2] ?? 'none';
  let patched = 0;
  await page.route('**/assets/signals-*.js', async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    if (body.includes(digest)) patched += 1;
    await route.fulfill({ response, body: body.replaceAll(digest, '0'.repeat(64)) });
  });
  await page.goto(SIGNALS);
  await expect(page.getByTestId('exactness')).toContainText('JPEG: not bit-exact here.');
  await expect(page.getByTestId('exactness')).toContainText('PNG: bit-exact here.');
  expect(patched).toBe(1);
  const files = ['g35_scene_256.png', 'g36_q90_420.jpg'].map((name) => join(GOLDEN, name));
  await page.getByLabel('Choose files').setInputFiles(files);
  await expect(page.getByTestId('measured')).toContainText('2 pictures measured');
  const row = (name: string) => page.getByTestId('pictures').getByRole('row', { name });
  await expect(row('g36_q90_420.jpg')).toContainText('not bit-exact here');
  await expect(row('g35_scene_256.png')).not.toContainText('not bit-exact here');
  const records = await savedJson(page);
  expect(records.map(({ decoder_exact }) => decoder_exact)).toEqual([true, false]);
  expect(records[1]?.warnings).toMatchObject([{ code: 'not_bit_exact' }]);
  await row('g36_q90_420.jpg').getByRole('button').click();
  await expect(page.getByTestId('inspector')).toContainText('Not bit-exact here');
});

test('drop a folder, inspect, review, keep, export, wipe, import, verify', async ({ page }) => {
  await page.goto(SIGNALS);
  await page.getByLabel(/Review first/).check();
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  for (const name of ['g35_scene_256.png', 'g36_q90_420.jpg']) {
    await writeFile(join(folder, name), await readFile(join(GOLDEN, name)));
  }
  await writeFile(join(folder, 'notes.txt'), 'no picture');
  await dropFolder(page, folder);
  await expect(page.getByTestId('measured')).toContainText('2 pictures measured', { timeout: 30_000 });
  await expect(page.getByTestId('pictures')).toContainText('image_format_unknown');
  await expect(page.getByTestId('pictures')).not.toContainText('✓ pass');

  const review = page.getByTestId('review');
  for (const reviewer of ['Ada', 'Ben']) {
    await review.getByLabel('Reviewer').fill(reviewer);
    for (let picture = 0; picture < 2; picture++) {
      for (const item of ['prompt adherence', 'attribute binding', 'spatial layout']) {
        await review.getByRole('group', { name: item }).getByLabel('met', { exact: true }).check();
      }
      await review.getByRole('button', { name: 'Score it and reveal its numbers' }).click();
    }
    await expect(review).toContainText('0 pictures to score');
  }
  await expect(page.getByTestId('agreement')).toContainText('2 of 2 pictures scored alike');
  await expect(page.getByTestId('pictures')).toContainText('✓ pass');

  await page
    .getByTestId('pictures')
    .getByRole('button', { name: /g35_scene/ })
    .click();
  const inspector = page.getByTestId('inspector');
  await inspector.getByRole('radio', { name: 'yellow' }).check();
  await expect(inspector.getByTestId('signal-facts')).toContainText('pixels are yellow');
  await inspector.getByRole('region', { name: /zoom with plus/ }).hover();
  await expect(inspector.getByTestId('pixel-facts')).toContainText('in yellow');
  await inspector.getByText('Try other thresholds').click();
  const frozen = await inspector.getByTestId('signal-facts').textContent();
  await inspector.getByLabel(/left red dominance: threshold/).fill('255');
  await expect(inspector.getByTestId('explored')).toContainText('(flipped)');
  expect(await inspector.getByTestId('signal-facts').textContent()).toBe(frozen);

  await page.getByRole('button', { name: 'MiniMax (hosted calibration), repetition 1: planned' }).click();
  const cell = page.getByTestId('cell');
  await cell.getByLabel(/A picture of this page/).selectOption({ index: 1 });
  await cell.getByRole('button', { name: 'Put it here' }).click();
  await expect(page.getByTestId('rates')).toContainText('0.207 to 1.000');
  await expect(page.getByRole('button', { name: /checkpoint 1 of 5, repetition 1: blocked/ })).toBeVisible();

  await page.getByRole('button', { name: 'Keep as evidence' }).click();
  await expect(page.getByTestId('verdict')).toContainText('Of 2 pictures', { timeout: 30_000 });
  await expect(page.getByTestId('non-claims')).toContainText('not a ranking');
  const zip = await exportNewest(page, 'zip');
  await wipe(page);
  await page.goto(SIGNALS);
  await importFile(page, 'run.zip', zip);
  await expect(page.getByTestId('verification')).toContainText('verifies', { timeout: 30_000 });
  await expect(page.getByTestId('verdict')).toContainText('Of 2 pictures');
  await expect(page.getByTestId('review-state')).toContainText('12 scores by 2 reviewers');
  // As on the other experiments' pages, the last complete run is there again without being named.
  await page.goto('about:blank');
  await page.goto(SIGNALS);
  await expect(page.getByTestId('verdict')).toContainText('Of 2 pictures', { timeout: 30_000 });
  await expect(page.getByTestId('review-state')).toContainText('12 scores by 2 reviewers');
  zip[zip.length >> 1] = (zip[zip.length >> 1] ?? 0) ^ 1;
  await importFile(page, 'altered.zip', zip);
  await expect(page.getByTestId('verification')).toContainText('does not verify', { timeout: 30_000 });
});

test('a thousand pictures: the list stays short in the page, and cancel works', async ({ page }) => {
  await page.goto(SIGNALS);
  const bytes = await readFile(join(GOLDEN, 'g35_scene_256.png'));
  const folder = await mkdtemp(join(tmpdir(), 'thousand-'));
  await Promise.all(
    Array.from({ length: 1000 }, (_, i) =>
      writeFile(join(folder, `p${String(i).padStart(4, '0')}.png`), bytes),
    ),
  );
  await dropFolder(page, folder);
  const bar = page.getByRole('region', { name: 'Run controls' });
  await expect(bar).toContainText(/[1-9]\d* \/ 1,000/);
  await bar.getByRole('button', { name: 'Cancel' }).click();
  await expect(bar).toContainText('not measured yet');
  // Some are measured, some are not, and nothing goes on behind the reader's back.
  const left = await bar.textContent();
  const waiting = Number(/(\d+) pictures not measured yet/.exec(left ?? '')?.[1]);
  expect(waiting).toBeGreaterThan(0);
  expect(waiting).toBeLessThan(1000);
  await page.waitForTimeout(500);
  expect(await bar.textContent()).toBe(left);
  await bar.getByRole('button', { name: 'Go on' }).click();
  // What comes while it goes on is taken along.
  await expect(bar.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await page.getByLabel('Choose files').setInputFiles(join(GOLDEN, 'g36_q90_420.jpg'));
  await expect(page.getByTestId('measured')).toContainText('1,001 pictures measured', { timeout: 80_000 });
  expect(await page.getByTestId('pictures').locator('tbody tr').count()).toBeLessThan(80);
  // A chart of a thousand values is one path, not a thousand marks.
  const chart = page.getByTestId('distributions').locator('figure').first();
  await expect(chart).toContainText('n = 1,001');
  await expect(chart.locator('path.dots')).toHaveCount(1);
  expect(await chart.locator('svg *').count()).toBeLessThan(40);
});

test.describe('a service', () => {
  test.use({ allowed: ['http://127.0.0.1:'] });
  test('asked for a picture gets the frozen prompt, and its exchange is kept', async ({ page }) => {
    const picture = (await readFile(join(GOLDEN, 'g35_scene_256.png'))).toString('base64');
    const prompts: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += String(chunk);
      });
      request.on('end', () => {
        response.setHeader('access-control-allow-origin', '*');
        response.setHeader('access-control-allow-headers', '*');
        if (request.method === 'OPTIONS') return response.end();
        prompts.push(JSON.parse(body).prompt);
        const moderated = prompts.length > 1;
        response.statusCode = moderated ? 400 : 200;
        const refusal = { error: { code: 'moderation_blocked', message: 'refused' } };
        return response.end(JSON.stringify(moderated ? refusal : { data: [{ b64_json: picture }] }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await page.goto(SIGNALS);
    for (const [repetition, state] of [
      [1, 'done'],
      [2, 'moderated'],
    ] as const) {
      const name = `OpenAI GPT Image 2 Medium (hosted calibration), repetition ${repetition}`;
      await page.getByRole('button', { name: `${name}: planned` }).click();
      const cell = page.getByTestId('cell');
      await cell.getByText('Ask an image service').click();
      await cell.getByLabel('Address of the image service').fill(base);
      await cell.getByLabel('Key', { exact: true }).fill('secret');
      await cell.getByRole('button', { name: /^Ask OpenAI/ }).click();
      await expect(page.getByRole('button', { name: `${name}: ${state}` })).toBeVisible({ timeout: 20_000 });
    }
    server.close();
    const digest = await page.evaluate(async (text) => {
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
      return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    }, prompts[0] ?? '');
    expect(digest).toBe(PROMPT_SHA256);
    await page.getByRole('button', { name: 'Keep as evidence' }).click();
    await expect(page.getByTestId('verdict')).toContainText('Of 1 picture', { timeout: 30_000 });
    const json = (await exportNewest(page, 'JSON')).toString();
    expect(json).toContain('moderation_blocked');
    expect(json).not.toContain('"secret"');
  });
});

for (const scheme of ['light', 'dark'] as const) {
  test(`axe finds nothing, and nothing is wider than a phone, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.goto(SIGNALS);
    await page.getByTestId('draw-scenes').click();
    await expect(page.getByTestId('measured')).toContainText('9 pictures measured', { timeout: 30_000 });
    await page
      .getByTestId('pictures')
      .getByRole('button', { name: /scene-swapped/ })
      .click();
    await page.getByRole('button', { name: /Drawn scenes.*repetition 1: planned/ }).click();
    await page.getByText('Side by side').click();
    await page.getByText('Try other thresholds').click();
    await expect(page.getByTestId('signal-facts')).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).analyze();
    const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
    expect(told).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    await page.waitForTimeout(300);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });
}
