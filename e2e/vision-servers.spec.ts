import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import demo from '../fixtures/vision-controls/demo-manifest.json' with { type: 'json' };
import { type LlamaFault, type MockLlama, mockLlama } from './servers/llama';
import { expect, exportNewest, test } from './support/site';

const VISION = './#/vision-controls';
const yes = new Set(
  demo.rows
    .filter(({ visual_family }) => visual_family === 'tide_board')
    .map(({ screenshot }) => `sha256:${screenshot.sha256}`),
);
const verdict = (page: Page) => page.getByTestId('run-verdict');

/**
 * The result table of the specification (sections 7, 8.4 and 12 with decisions 5 and 7): what a server does, what the page
 * says of it, and how many scoring calls it got.
 */
const table: readonly (readonly [LlamaFault, string, number])[] = [
  ['none', 'Pass: the picture moved the judgment', 15],
  ['blind', 'Fail: did not move the judgment', 15],
  ['picture-dropped', 'Fail: image was not attached', 15],
  ['vision-false', 'Skip: text-only input modalities', 0],
  ['chatml', 'Fail: served template', 0],
  ['mixed-template', 'Fail: served template', 0],
  ['marker-rotates', 'Pass: ', 16],
  ['marker-rotates-forever', 'No verdict: provider_stale_marker', 2],
  ['control-beyond-list', 'Pass: ', 30],
  ['control-missing', 'No verdict: provider_control_missing', 2],
  ['two-token-control', 'No verdict: provider_control_tokens', 0],
  ['unauthorised', 'Skip: API key needed', 0],
  ['origin-refused', 'Skip: the server refuses this origin', 0],
  [
    'no-cors',
    'Skip: server unreachable: it is not running, the port is another one, it refuses this page (CORS)',
    0,
  ],
  ['loading-then-ok', 'Pass: ', 15],
  ['loading-forever', 'Skip: the server is still loading its model', 0],
  ['model-absent', 'Skip: model id not in the catalogue', 0],
  ['empty-logprobs', 'No verdict: provider_no_logprobs', 2],
  ['empty-at-zero', 'Pass: ', 30],
  ['duplicate-token', 'No verdict: provider_duplicate_token', 1],
  ['not-finite', 'No verdict: provider_not_finite', 1],
  ['not-a-distribution', 'No verdict: provider_not_distribution', 1],
  ['image-refused', 'No verdict: provider_image_refused', 1],
  ['context-too-small', 'raise -c', 1],
  ['html', 'No verdict: provider_not_object', 1],
  ['redirect', 'No verdict: provider_redirect', 1],
  ['other-model', 'No verdict: provider_wrong_model', 1],
  ['down-after-four', 'No verdict: provider_unreachable', 5],
  ['stalls', 'No verdict: provider_timeout', 1],
];

const open: MockLlama[] = [];
test.afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function serve(fault: LlamaFault): Promise<MockLlama> {
  const server = await mockLlama({ fault, yes });
  open.push(server);
  return server;
}

async function ask(page: Page, url: string, timeout = 900): Promise<void> {
  const query = `provider=llama-server&annotation=none&timeout=${timeout}&url=${encodeURIComponent(url)}`;
  await page.goto(`${VISION}?${query}`);
  await page.getByRole('button', { name: /^Start: ask / }).click();
}

async function savedReceipt(page: Page) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the receipt' }).click(),
  ]);
  return JSON.parse(await readFile(await download.path(), 'utf8'));
}

test.use({ allowed: ['http://127.0.0.1:'] });

test.describe('the result table against a llama.cpp server', () => {
  for (const [fault, says, calls] of table) {
    test(`${fault}: ${says}`, async ({ page }) => {
      const server = await serve(fault);
      await ask(page, server.url, fault === 'stalls' ? 2 : 900);
      await expect(verdict(page)).toContainText(says, { timeout: 60_000 });
      // Chromium itself sends a request once more when a kept connection breaks before any reply.
      const again = fault === 'down-after-four' ? 1 : 0;
      expect(server.completions().length - calls).toBeLessThanOrEqual(again);
      expect(server.completions().length).toBeGreaterThanOrEqual(calls);
      const receipt = await savedReceipt(page);
      if (/^(Pass|Fail: (did|image))/.test(says)) {
        expect(receipt.visual_controls).toHaveLength(15);
        expect(receipt.web.attempt).toBeUndefined();
        const attempts = receipt.web.controls.map(({ attempts }: { attempts: number }) => attempts);
        expect(attempts.reduce((sum: number, one: number) => sum + one)).toBe(calls);
        return;
      }
      // A run that stopped leaves what it came to, and never an address.
      expect(receipt.web.attempt).toMatchObject({ calls, failed: expect.any(Array) });
      expect(receipt.web.attempt.result).toBe(
        says.startsWith('Skip') ? 'skip' : says.startsWith('Fail') ? 'fail' : 'error',
      );
      expect(JSON.stringify(receipt)).not.toContain('127.0.0.1');
      if (calls === 0) return;
      const [last] = receipt.web.attempt.failed.slice(-1);
      const cell = page.getByRole('button', {
        name: new RegExp(`^${last.unique_data_id}, ${last.condition}, stopped`),
      });
      await expect(cell).toContainText(last.code);
      await cell.click();
      await expect(page.getByTestId('exchange').last()).toContainText(`"code": "${last.code}"`);
      await expect(page.getByTestId('exchange')).toHaveCount(
        receipt.web.attempt.failed.filter(
          (one: { unique_data_id: string; condition: string }) =>
            one.unique_data_id === last.unique_data_id && one.condition === last.condition,
        ).length,
      );
    });
  }

  test('connection refused: a skip', async ({ page }) => {
    const server = await serve('none');
    await server.close();
    await ask(page, server.url);
    await expect(verdict(page)).toContainText('Skip: server unreachable', { timeout: 60_000 });
    await page.getByRole('button', { name: /^demo-tide-table, present$/ }).click();
    await expect(page.getByTestId('cell')).toContainText('this control was not asked in this run');
  });

  test('wrong picture bytes: refused before any request', async ({ page }) => {
    const server = await serve('none');
    const query = `provider=llama-server&fixture=five-row&url=${encodeURIComponent(server.url)}`;
    await page.goto(`${VISION}?${query}`);
    await page.getByLabel('Drop or choose the published originals').setInputFiles(
      ['cmcc8u6yc00va1p1ydsdu52zy', 'cmcc8u6yc00v91p1yw2eruz95'].map((id) => ({
        name: `${id}.png`,
        mimeType: 'image/png',
        buffer: Buffer.from('another file under the right name'),
      })),
    );
    await expect(page.getByTestId('published-rows')).toContainText('It is not used.');
    await expect(page.getByText('0 of 5 published pictures are here')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Start: ask / })).toBeDisabled();
    expect(server.calls).toHaveLength(0);
  });

  test('a key is sent, and is in no export', async ({ page }) => {
    const server = await serve('unauthorised');
    await page.goto(`${VISION}?provider=llama-server&annotation=none&url=${encodeURIComponent(server.url)}`);
    await page.getByLabel('Key', { exact: true }).fill('secret-key');
    await page.getByRole('button', { name: /^Start: ask / }).click();
    await expect(verdict(page)).toContainText('Pass: ', { timeout: 60_000 });
    expect((await exportNewest(page, 'JSON')).toString('utf8')).not.toContain('secret-key');
    expect(page.url()).not.toContain('secret-key');
  });
});

test.describe('the audit', () => {
  const audit = (page: Page) => page.getByRole('combobox', { name: 'Audit' });

  test('names each of the ten broken providers, and not the honest one', async ({ page }) => {
    await page.goto(VISION);
    const options = audit(page).locator('option');
    // The list comes with its part of the page; the first entry is the honest one.
    await expect(options).toHaveCount(11);
    const names = (await options.allTextContents()).slice(1);
    const run = page.getByRole('button', { name: 'Run the audit' });
    await run.click();
    await expect(page.getByTestId('audit')).toContainText('Named: nothing found.', { timeout: 60_000 });
    for (const name of names) {
      await audit(page).selectOption(name);
      await run.click();
      await expect(page.getByTestId('audit')).toContainText(`Named: ${name}.`, { timeout: 60_000 });
    }
  });

  for (const [fault, named] of [
    ['none', 'nothing found'],
    ['blind', 'constant answer'],
    ['picture-dropped', 'image dropped'],
  ] as const) {
    test(`of a server, ${fault}: ${named}`, async ({ page }) => {
      const server = await serve(fault);
      await page.goto(`${VISION}?provider=llama-server&url=${encodeURIComponent(server.url)}`);
      await audit(page).selectOption('the server');
      await page.getByRole('button', { name: `Audit ${server.url}` }).click();
      await expect(page.getByTestId('audit')).toContainText(`Named: ${named}.`, { timeout: 60_000 });
      await expect(page.getByTestId('audit')).toContainText('measured');
    });
  }

  test('shows its progress, is cancelled, and says nothing then', async ({ page }) => {
    const server = await serve('stalls');
    await page.goto(`${VISION}?provider=llama-server&url=${encodeURIComponent(server.url)}`);
    await audit(page).selectOption('the server');
    await page.getByRole('button', { name: `Audit ${server.url}` }).click();
    const bar = page.getByRole('region', { name: 'Audit controls' });
    await expect(bar.getByRole('progressbar')).toBeVisible();
    await expect.poll(() => server.completions().length).toBe(1);
    await bar.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText('The audit was cancelled after 0 of')).toBeVisible();
    await expect(page.getByTestId('audit')).toHaveCount(0);
    // The next one starts from nothing.
    await audit(page).selectOption('stale by one');
    await bar.getByRole('button', { name: 'Run the audit' }).click();
    await expect(page.getByTestId('audit')).toContainText('Named: stale by one.', { timeout: 60_000 });
  });
});
