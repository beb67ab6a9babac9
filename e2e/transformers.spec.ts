import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { tinyVlm } from '../training/tiny-vlm';
import { expectSound, lookAs } from './support/look';
import { expect, PNG, test } from './support/site';

const HUB = 'https://huggingface.co';
const tiny = tinyVlm();
const folder = join(mkdtempSync(join(tmpdir(), 'pixelproof-tiny-')), 'tiny');

test.beforeAll(() => {
  for (const [path, bytes] of tiny) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
});
test.afterAll(() => rmSync(dirname(folder), { recursive: true, force: true }));

const state = (page: Page) => page.getByTestId('model-state');

async function chooseFolder(page: Page): Promise<void> {
  await expect(state(page)).toContainText('Not on this device');
  await page.getByLabel(/Or the folder of a model/).setInputFiles(folder);
  await expect(state(page)).toContainText('From your folder tiny: 9 files');
}

test('a model of a folder answers the PNG experiment, with no request to anyone', async ({ page }) => {
  await page.goto(`${PNG}?provider=transformers&variants=unlabelled-v1`);
  await chooseFolder(page);
  await page.getByRole('button', { name: 'Start: SmolVLM in this page' }).click();
  const run = page.getByRole('article', { name: /^Run / }).filter({ hasText: '8 cases' }).first();
  await expect(run.getByRole('button', { name: /^Root digest/ })).toBeVisible({ timeout: 100_000 });
  await expect(page.getByText('measured here').first()).toBeVisible();
});

test('its choices are scored from one pass each, on WebGPU: a verdict with credit level B', async ({
  page,
}) => {
  await page.goto('./#/vision-controls?provider=transformers&annotation=none');
  await chooseFolder(page);
  await page.getByLabel('Runs on').selectOption('webgpu');
  await expect(state(page)).toContainText('From your folder tiny');
  await page.getByRole('button', { name: 'Start: SmolVLM in this page' }).click();
  // What random weights say is noise; whatever the verdict is, it is one.
  await expect(page.getByTestId('run-verdict')).toContainText(/Pass|Fail/, { timeout: 100_000 });
  await page.getByRole('button', { name: /^demo-tide-table, present, probability of yes/ }).click();
  await expect(page.getByTestId('exchange').first()).toContainText('normaliser');
});

test.describe('a download', () => {
  test.use({ allowed: [HUB] });

  test('is asked of nobody before a person agrees, can be cancelled, is kept, and can be removed', async ({
    page,
  }) => {
    const asked: string[] = [];
    let hold: (() => void) | null = null;
    await page.context().route(`${HUB}/**`, async (route) => {
      const path = new URL(route.request().url()).pathname.replace(/^.*\/resolve\/main\//, '');
      asked.push(path);
      const bytes = tiny.get(path.replace('_int8', ''));
      if (path === 'onnx/embed_tokens_int8.onnx' && hold === null)
        await new Promise<void>((resolve) => {
          hold = resolve;
        });
      const headers = { 'access-control-allow-origin': '*' };
      if (bytes === undefined) await route.fulfill({ status: 404, headers }).catch(() => undefined);
      else await route.fulfill({ body: Buffer.from(bytes), headers }).catch(() => undefined);
    });
    await page.goto(`${PNG}?provider=transformers&variants=unlabelled-v1`);
    await expect(state(page)).toContainText('Not on this device');
    await expect(page.getByTestId('local-model')).toContainText('Apache-2.0');
    await expect(page.getByTestId('local-model')).toContainText('huggingface.co and the storage hosts');
    expect(asked, 'nothing is asked before consent').toEqual([]);

    const download = page.getByRole('button', { name: 'Download about 270 MB from huggingface.co' });
    await download.click();
    await expect(state(page)).toContainText('onnx/embed_tokens_int8.onnx');
    await page.getByRole('button', { name: 'Cancel the download' }).click();
    await expect(download).toBeVisible();
    (hold as (() => void) | null)?.();

    const before = asked.length;
    await download.click();
    await expect(state(page)).toContainText('On this device. Nothing is fetched.');
    expect(asked.slice(before), 'what was whole is not asked for again').not.toContain('config.json');
    const fetched = asked.length;
    await page.reload();
    await expect(state(page)).toContainText('On this device');
    await page.getByRole('button', { name: 'Start: SmolVLM in this page' }).click();
    await expect(page.locator('.bar .numbers')).toContainText(/^[1-9]/, { timeout: 60_000 });
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    expect(asked.length, 'a run fetches nothing').toBe(fetched);
    await page.getByRole('button', { name: /^Remove HuggingFaceTB/ }).click();
    await expect(state(page)).toContainText('Not on this device');
  });

  test('says why it broke off: offline, no such file', async ({ page }) => {
    let answer: 'away' | 'missing' = 'away';
    await page
      .context()
      .route(`${HUB}/**`, (route) =>
        answer === 'away'
          ? route.abort('internetdisconnected')
          : route.fulfill({ status: 404, headers: { 'access-control-allow-origin': '*' } }),
      );
    await page.goto(`${PNG}?provider=transformers`);
    const download = page.getByRole('button', { name: /^Download about/ });
    await download.click();
    await expect(page.getByTestId('local-model').getByText('model_offline')).toBeVisible();
    await lookAs(page, { name: '320 px', width: 320, media: { colorScheme: 'dark' } });
    await expectSound(page, 'a download that broke off');
    answer = 'missing';
    await download.click();
    await expect(page.getByTestId('local-model').getByText('model_files_missing')).toBeVisible();
  });
});
