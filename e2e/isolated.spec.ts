import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { serve } from '../scripts/serve.mjs';
import { READ_ROOTS } from './support/read-roots';

// The site with every header of docs/hosting.md: isolated from other origins, so that a model may use threads, and
// under the policy as a header, which binds worker scripts too.

let close: () => Promise<unknown>;
let address = '';

test.beforeAll(async () => {
  const [, after = ''] = readFileSync('dist/index.html', 'utf8').split('Content-Security-Policy');
  const policy = /content="([^"]+)"/.exec(after)?.[1] ?? '';
  expect(policy).toContain("require-trusted-types-for 'script'");
  const server = await serve({
    folder: 'dist',
    base: '/lab/',
    headers: {
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'credentialless',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
    },
  });
  address = server.url;
  close = server.close;
});
test.afterAll(() => close());

function refused(page: Page): string[] {
  const lines: string[] = [];
  page.on('console', (message) => {
    if (/policy|Trusted|cross-origin/i.test(message.text())) lines.push(message.text());
  });
  return lines;
}

test('an isolated page under the policy as a header: a model reads with threads, to the same root digest', async ({
  page,
}) => {
  const lines = refused(page);
  const threads: string[] = [];
  page.on('worker', (worker) => {
    if (/ort-wasm/.test(worker.url())) threads.push(worker.url());
  });
  await page.goto(`${address}#/png-representation?provider=arcade-reader`);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await page.getByRole('button', { name: 'Start: arcade-reader in this page' }).click();
  const run = page.getByRole('article', { name: /^Run / }).filter({ hasText: '48 cases' });
  await expect(run.getByRole('button', { name: /^Root digest/ })).toHaveAttribute(
    'title',
    new RegExp(READ_ROOTS.smoke),
    { timeout: 90_000 },
  );
  const cores = await page.evaluate(() => navigator.hardwareConcurrency);
  expect(threads.length > 0, 'threads of the runtime').toBe(cores > 1);
  expect(lines).toEqual([]);
});

test('an isolated page: all smoke runs', async ({ page }) => {
  const lines = refused(page);
  await page.goto(address);
  await page.getByRole('button', { name: /^Run all smoke fixtures/ }).click();
  await expect(page.locator('#content').getByText('All smoke runs are complete')).toBeVisible({
    timeout: 90_000,
  });
  const count = await page.locator('[data-testid^="smoke-"]').count();
  await expect(page.getByText('equals the published value')).toHaveCount(count);
  expect(lines).toEqual([]);
});
