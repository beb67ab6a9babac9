import { readFileSync } from 'node:fs';
import type { Page, Worker } from '@playwright/test';
import { READ_ROOTS } from './support/read-roots';
import { expect, PNG, test } from './support/site';

const READER = `${PNG}?provider=arcade-reader`;
const START = 'Start: arcade-reader in this page';
/** Two seconds on a machine that does nothing else; other tests run beside this one. */
const FIRST_ANSWER_MS = 15_000;

async function expectRoot(page: Page, words: string, root: string): Promise<void> {
  const run = page.getByRole('article', { name: /^Run / }).filter({ hasText: words }).first();
  await expect(run.getByRole('button', { name: /^Root digest/ })).toHaveAttribute('title', new RegExp(root), {
    timeout: 60_000,
  });
}

/** The names of the files of a model's runtime that the browser asked for. */
function runtimeFiles(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const name = new URL(request.url()).pathname.split('/').pop() ?? '';
    if (/onnx|^ort-/.test(name)) asked.push(name.replace(/-[\w-]{8}\./, '.'));
  });
  return asked;
}

test('the smoke fixture is read in the page: one backend’s files, the digest of the command line', async ({
  page,
}) => {
  const asked = runtimeFiles(page);
  await page.goto(READER);
  await expect(page.getByRole('button', { name: START })).toBeVisible();
  expect(asked, 'nothing is loaded before Start').toEqual([]);
  const pressed = Date.now();
  await page.getByRole('button', { name: START }).click();
  await expect(page.locator('.bar .numbers')).toContainText(/^[1-9]/, { timeout: FIRST_ANSWER_MS });
  test.info().annotations.push({ type: 'first answer', description: `${Date.now() - pressed} ms` });
  await expectRoot(page, '48 cases', READ_ROOTS.smoke);
  expect(asked).toContain('ort-wasm-simd-threaded.wasm');
  expect(asked).toContain('model.onnx');
  expect(
    asked.filter((name) => /webgpu|asyncify|jsep|jspi/.test(name)),
    'files of another backend',
  ).toEqual([]);
  await expect(page.getByText('measured here').first()).toBeVisible();
});

test('a worker that is ended in the middle leaves a run that goes on to the same root digest', async ({
  page,
}) => {
  await page.goto(`${READER}&fixture=canonical&variants=unlabelled-v1,cooldown-shape-v1`);
  const model = new Promise<Worker>((resolve) => {
    page.on('worker', (worker) => {
      if (/\/onnx-/.test(worker.url())) resolve(worker);
    });
  });
  await page.getByRole('button', { name: START }).click();
  const worker = await model;
  await expect(page.locator('.bar .numbers')).toContainText(/^[1-9]/, { timeout: FIRST_ANSWER_MS });
  await worker.evaluate(() => self.close());
  const note = page
    .locator('#run')
    .getByText('The worker that ran arcade-reader-1 ended in the middle of its work');
  await expect(note).toBeVisible();
  await expect(page.locator('#run').getByText('model_worker_died')).toBeVisible();
  const told = await page.getByText(/^A run was interrupted at \d+ of 224 cases/).textContent();
  expect(Number(/at (\d+) of/.exec(told ?? '')?.[1])).toBeLessThan(224);
  await page.getByRole('button', { name: 'Resume it' }).click();
  await expectRoot(page, '224 cases', READ_ROOTS.two);
});

test('a model file that does not arrive stops the run before anything is counted', async ({ page }) => {
  let missing = true;
  await page
    .context()
    .route('**/models/arcade-reader/model.onnx', (route) =>
      missing ? route.fulfill({ status: 404, body: 'Not found' }) : route.continue(),
    );
  await page.goto(READER);
  await page.getByRole('button', { name: START }).click();
  await expect(page.locator('#run').getByText('model_missing')).toBeVisible();
  await expect(page.getByText(/interrupted at 0 of 48 cases/)).toBeVisible();
  missing = false;
  await page.getByRole('button', { name: 'Resume it' }).click();
  await expectRoot(page, '48 cases', READ_ROOTS.smoke);
});

const MODEL = readFileSync('public/models/arcade-reader/model.onnx');
const CARD = {
  ...JSON.parse(readFileSync('public/models/arcade-reader/card.json', 'utf8')).asked_by,
  name: 'mine',
};
const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

test('a classifier of one’s own: refused with why, then run whole, and asked for again after a reload', async ({
  page,
}) => {
  await page.goto(`${PNG}?provider=classifier&variants=unlabelled-v1,cooldown-shape-v1`);
  const own = page.getByTestId('own-model');
  const start = page.getByRole('button', { name: 'Start: A classifier of your own in this page' });
  const choose = async (model: Buffer, card: unknown) => {
    await own.getByLabel(/^Model file, ONNX/).setInputFiles(file('my.onnx', model));
    await own.getByLabel(/^Its card, JSON/).setInputFiles(file('my.json', json(card)));
  };
  await expect(page.getByText('Choose a model file and its card first.')).toBeVisible();
  await choose(MODEL.subarray(0, 9000), CARD);
  await expect(own.locator('[data-code=model_unreadable]')).toBeVisible();
  await choose(MODEL, { ...CARD, input: { ...CARD.input, std: [0, 1, 1] } });
  await expect(own.locator('[data-code=model_card]')).toBeVisible();
  await choose(MODEL, { ...CARD, input: { ...CARD.input, width: 224 } });
  await start.click();
  await expect(page.locator('#run [data-code=model_inputs]')).toContainText(
    'other inputs or outputs than its card says',
  );
  await page.getByRole('button', { name: 'Not now' }).click();

  await choose(MODEL, CARD);
  await expect(own).toContainText('mine');
  await start.click();
  const run = page
    .getByRole('article', { name: /^Run / })
    .filter({ hasText: '16 cases' })
    .filter({ hasText: 'mine' });
  await expect(run.first().getByRole('button', { name: /^Root digest/ })).toBeVisible({ timeout: 60_000 });

  await page.reload();
  await expect(page.getByText('Choose a model file and its card first.')).toBeVisible();
});

const LOSES_DEVICES = `{
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (descriptor) {
    const device = await requestDevice.call(this, descriptor);
    setTimeout(() => device.destroy(), 0);
    return device;
  };
}
`;

test('with WebGPU the same small network answers, and a lost device is no wrong answer', async ({ page }) => {
  await page.goto(`${READER}&variants=unlabelled-v1`);
  await page.getByRole('radio', { name: /^Graphics, WebGPU/ }).check();
  // The first worker that runs the model loses each device a moment after it was made; the one after it keeps its own.
  await page.context().route(
    /\/onnx-[^/]*\.js$/,
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: LOSES_DEVICES + (await response.text()) });
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: START }).click();
  await expect(page.locator('#run').getByText('model_device_lost')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Resume it' }).click();
  const run = page.getByRole('article', { name: /^Run / }).filter({ hasText: '8 cases' });
  await expect(run.first().getByRole('button', { name: /^Root digest/ })).toBeVisible({ timeout: 60_000 });
});
