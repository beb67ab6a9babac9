import { readFile } from 'node:fs/promises';
import { expect, importFile, PNG, test } from './support/site';

/** What a browser that denies storage looks like to a page and to its workers. */
const WITHOUT = "Object.defineProperty(globalThis, 'indexedDB', { value: undefined, configurable: true });\n";
const DENIED = `Object.defineProperty(globalThis, 'indexedDB', { value: {
  open() { throw new DOMException('denied', 'SecurityError'); },
  deleteDatabase() { throw new DOMException('denied', 'SecurityError'); },
  databases() { return Promise.reject(new DOMException('denied', 'SecurityError')); },
}, configurable: true });\n`;

for (const [how, script] of [
  ['not there', WITHOUT],
  ['denied', DENIED],
] as const) {
  test(`storage ${how}: the pages say memory only and what that means, and everything else works`, async ({
    page,
  }) => {
    await page.addInitScript(script);
    // An init script does not reach workers, so their file carries it.
    await page.route(/\/assets\/runner-[^/]*\.js$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: script + (await response.text()) });
    });

    await page.goto('./');
    await expect(page.getByTestId('kept')).toContainText('This browser keeps nothing for this page');
    await expect(page.getByTestId('kept')).not.toContainText('stays in this browser');

    await page.goto(PNG);
    await expect(page.getByText('the run is in memory only')).toBeVisible();
    await expect(page.getByText('closing the tab loses nothing')).toHaveCount(0);
    await page.getByRole('button', { name: 'Replay the published run' }).click();
    await expect(page.getByTestId('verdict')).toBeVisible({ timeout: 30_000 });
    await expect(page.locator('[data-code="store_memory_only"]')).toContainText('until the page closes');
    await expect(page.getByRole('heading', { name: '1 run in memory' })).toBeVisible();
    await expect(page.getByText('the runs are in memory and end with the tab')).toBeVisible();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export zip' }).click(),
    ]);
    const bytes = await readFile(await download.path());

    await page.goto('./#/evidence');
    await expect(page.getByTestId('kept')).toContainText('closing or reloading the tab ends them');
    await expect(page.getByRole('article', { name: /^Run / })).toHaveCount(1);
    await page.reload();
    await expect(page.getByRole('heading', { name: '0 runs in memory' })).toBeVisible();
    await importFile(page, 'kept.zip', bytes);
    await expect(page.getByTestId('verification')).toContainText('in memory, until this tab closes', {
      timeout: 30_000,
    });
    await expect(page.getByRole('article', { name: /^Run / })).toHaveCount(1);
    await page.goto('./#/about');
    await expect(page.getByText('runs are in memory and end with the tab')).toBeVisible();
  });
}

test('where storage is given, the pages say that it keeps', async ({ page }) => {
  await page.goto('./');
  await expect(page.getByTestId('kept')).toContainText('stays in this browser until you delete it');
  await page.goto(PNG);
  await expect(page.getByText('closing the tab loses nothing')).toBeVisible();
});
