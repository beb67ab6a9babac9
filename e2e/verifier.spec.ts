import { readFileSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';

// The verifier as a stranger has it: one file on a disk, with no site around it.

const FILE = 'dist/verifier.html';
const bundle = readFileSync('fixtures/evidence/toy.zip');
const ROOT = 'sha256:2325fd67689387f609b94e19be4618872247270aefc00e51bd4900912f8791d4';

test('the verifier checks bundles from a disk, alone, and names what was changed', async ({ page }) => {
  expect(statSync(FILE).size).toBeLessThan(100_000);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (!/^(file|data):/.test(request.url())) asked.push(request.url());
  });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(pathToFileURL(FILE).href);

  const choose = (name: string, bytes: Buffer) =>
    page.getByLabel('Choose a bundle').setInputFiles({ name, mimeType: 'application/zip', buffer: bytes });
  const result = page.getByRole('region', { name: 'Result' });

  await choose('toy.zip', bundle);
  await expect(result).toContainText('✓ toy.zip is whole and agrees with itself');
  await expect(result).toContainText(ROOT);
  await expect(result).toContainText('wiring');
  await choose('toy.json', readFileSync('fixtures/evidence/toy.json'));
  await expect(result).toContainText('✓ toy.json');

  const changed = Buffer.from(bundle);
  const at = changed.indexOf('PNG'.charCodeAt(0), 2000);
  changed[at] = (changed[at] ?? 0) ^ 1;
  await choose('changed.zip', changed);
  await expect(result).toContainText('✕ changed.zip does not verify');
  await choose('piz\u202e.no\u2067z.zip', bundle);
  await expect(result).toContainText('✓ piz\ufffd.no\ufffdz.zip is whole');
  await choose('<img src=x onerror=alert(1)>.txt', Buffer.from('hello'));
  await expect(result).toContainText('neither a ZIP nor JSON');
  await expect(result.locator('img')).toHaveCount(0);

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  expect(asked).toEqual([]);
  expect(errors).toEqual([]);
});
