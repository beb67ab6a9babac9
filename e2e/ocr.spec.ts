import { expect, PNG, test } from './support/site';

const READS = `${PNG}?provider=ocr&variants=cooldown-text-v1`;
/** What the command line gives for the same plan: `png run --provider ocr --variants cooldown-text-v1`. */
const ROOT = 'sha256:51c8081b07b644e6032266362c6072f5859f6400ba657687421c6daf19dd9582';
const START = 'Start: Text recognition in this page';

test('text is read in the page: every case a rejection that quotes what was read', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(READS);
  await expect(page.getByRole('button', { name: START })).toBeVisible();
  expect(
    asked.filter((path) => /\/models\/|\/ort-/.test(path)),
    'nothing is loaded before Start',
  ).toEqual([]);
  await page.getByRole('button', { name: START }).click();
  const run = page.getByRole('article', { name: /^Run / }).filter({ hasText: '8 cases' }).first();
  await expect(run.getByRole('button', { name: /^Root digest/ })).toHaveAttribute('title', new RegExp(ROOT), {
    timeout: 110_000,
  });
  await expect(page.getByText('measured here').first()).toBeVisible();
  for (const file of ['detection.onnx', 'recognition.onnx', 'characters.txt'])
    expect(
      asked.some((path) => path.endsWith(`/models/ocr/${file}`)),
      file,
    ).toBe(true);
  await expect(page.getByText(/missing tank column.*COOLDOWN: (READY|BLOCKED)/).first()).toBeAttached();
});

test('weights that were altered on their way stop the run before anything is counted', async ({ page }) => {
  await page
    .context()
    .route('**/models/ocr/characters.txt', (route) =>
      route.fulfill({ contentType: 'text/plain', body: 'a\nb\n' }),
    );
  await page.goto(READS);
  await page.getByRole('button', { name: START }).click();
  await expect(page.locator('#run').getByText('model_altered')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText(/interrupted at 0 of 8 cases/)).toBeVisible();
});
