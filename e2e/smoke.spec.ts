import { SMOKE_RUNS } from '../src/lab/smoke-runs';
import { expect, PNG, test } from './support/site';

test('a stranger presses one button and every smoke run gives its published root digest', async ({
  page,
}) => {
  await page.goto('./');
  await page.getByRole('button', { name: /Run all smoke fixtures/ }).click();
  for (const { request, root } of SMOKE_RUNS) {
    const line = page.getByTestId(`smoke-${request.experiment}-${request.provider.id}`);
    await expect(line).toContainText('equals the published value', { timeout: 60_000 });
    await expect(line).toContainText(root.slice('sha256:'.length, 'sha256:'.length + 12));
  }
});

test('the first visit shows a real picture within a second of the page being there', async ({ page }) => {
  await page.goto('./');
  const picture = page.getByTestId('card-png-representation').getByRole('img').first();
  await expect(picture).toBeVisible({ timeout: 5_000 });
  // An image has its place before its bytes: the size says that they came.
  const size = () => picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
  await expect.poll(size).toEqual([896, 512]);
});

test('every render of every recipe equals the reference in the browser’s worker', async ({ page }) => {
  await page.goto(PNG);
  await page.getByText('Reproduce every render', { exact: false }).first().click();
  const button = page.getByRole('button', { name: 'Reproduce every render' });
  await button.click();
  await expect(page.getByTestId('reproduce-result')).toContainText('All 2,464 steps equal', {
    timeout: 80_000,
  });
});

test('the replay rebuilds the published table and names what cannot be recomputed', async ({ page }) => {
  await page.goto(PNG);
  await page.getByRole('button', { name: 'Replay the published run' }).click();
  await expect(page.getByTestId('verdict')).toContainText('labelled-v1', { timeout: 30_000 });
  await expect(page.getByTestId('reading-verdict')).toContainText('READY');
  const rates = page.getByRole('img', { name: /unlabelled-v1: 3 of 8, 14 % to 69 %/ });
  await expect(rates.locator('circle')).toHaveCount(6);
  await expect(rates).toContainText('baseline, unlabelled-v1');
  await expect(page.getByTestId('published')).toContainText('Not recomputable');
  await expect(page.getByTestId('interpretation-gate')).toContainText(/No effect may be attributed/i);
});

test('a first visit asks for nothing outside the site, on any page', async ({ context, baseURL }) => {
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  const page = await context.newPage();
  for (const route of ['', PNG, '#/image-signals', '#/vision-controls', '#/atari', '#/evidence', '#/about']) {
    await page.goto(`${baseURL}${route.replace('./', '')}`);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForTimeout(800);
  }
  expect(
    asked.some((url) => /\/assets\/pixels-[^/]*\.js$/.test(url)),
    'a worker’s file is seen too',
  ).toBe(true);
  expect(asked.filter((url) => !/^(blob|data):/.test(url) && !url.startsWith(baseURL ?? ''))).toEqual([]);
});
