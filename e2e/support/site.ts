import { readFile } from 'node:fs/promises';
import { test as base, expect, type Page } from '@playwright/test';

/**
 * A page whose every request is watched: one that goes to another origin than the site's fails the test, unless the
 * test itself opened that origin (a mock server whose address a person typed in).
 */
export const test = base.extend<{ allowed: string[] }>({
  allowed: [[], { option: true }],
  page: async ({ page, baseURL, allowed }, use) => {
    const foreign: string[] = [];
    const home = new URL(baseURL ?? '').origin;
    page.on('request', (request) => {
      const url = request.url();
      if (/^(data|blob):/.test(url) || url.startsWith(home)) return;
      if (!allowed.some((origin) => url.startsWith(origin))) foreign.push(url);
    });
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await use(page);
    expect(foreign, 'requests to other origins').toEqual([]);
    expect(errors, 'uncaught errors on the page').toEqual([]);
  },
});
export { expect };

export const PNG = './#/png-representation';

/** Presses Export on the newest stored run whose words include `says`, and gives the file's bytes. */
export async function exportNewest(page: Page, format: 'zip' | 'JSON', says = ''): Promise<Buffer> {
  const run = page.getByRole('article', { name: /^Run / }).filter({ hasText: says }).first();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    run.getByRole('button', { name: `Export ${format}` }).click(),
  ]);
  return readFile(await download.path());
}

/** Gives a file to the import field, as a person who chooses it. */
export async function importFile(page: Page, name: string, bytes: Buffer): Promise<void> {
  await page
    .getByLabel(/Import and verify a bundle/)
    .last()
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: bytes });
}

/** Opens the site with everything it stored removed. */
export async function wipe(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase('pixelproof');
        request.onsuccess = () => resolve();
        request.onerror = () => reject(request.error);
      }),
  );
  await page.reload();
}

/** Chooses Ollama at an address and starts the default plan: six variants of eight states. */
export async function startOllama(page: Page, address: string): Promise<void> {
  await page.getByRole('radio', { name: /^Ollama(?! generate)/ }).check();
  await page.getByRole('textbox', { name: 'Address' }).fill(address);
  const model = page.getByRole('textbox', { name: /^Model/ });
  await model.fill('mock-vision:latest');
  await model.blur();
  await page.getByRole('button', { name: /^Start: 48 calls/ }).click();
}
