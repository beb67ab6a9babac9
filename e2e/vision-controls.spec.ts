import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import demo from '../fixtures/vision-controls/demo-manifest.json' with { type: 'json' };
import { Keyboard } from './support/keyboard';
import { expectFits, expectSound, LOOKS, lookAs, unfold } from './support/look';
import { expect, exportNewest, importFile, test, wipe } from './support/site';

const VISION = './#/vision-controls';
const verdict = (page: Page) => page.getByTestId('run-verdict');

async function scripted(page: Page): Promise<void> {
  await page.goto(VISION);
  await page.getByRole('button', { name: 'Run the wiring check' }).click();
  await expect(verdict(page)).toContainText('The wiring holds: all 5 rows are ordered', { timeout: 60_000 });
}

test('a scripted run of the demo set: verdict, matrix, raw exchange, attachment, blind line', async ({
  page,
}) => {
  await scripted(page);
  const cells = page.getByTestId('matrix').getByRole('button');
  await expect(cells).toHaveCount(15);
  await expect(page.getByTestId('matrix').getByText('no image')).toHaveCount(5);
  await page.getByRole('button', { name: /^demo-tide-table, swapped, probability of yes/ }).click();
  await expect(page.getByTestId('exchange').first()).toContainText('reply_text');
  await expect(page.getByTestId('cell')).toContainText('<__media__>');
  await expect(page.getByTestId('attachment')).toContainText('Least growth: 259 prompt tokens');
  await expect(page.getByTestId('threshold')).toContainText('10 of 10');
  await expect(page.getByTestId('threshold')).toContainText('gets 5 of 10 and no ordered row');
  await expect(page.getByTestId('margins').getByText('floor 0.10')).toBeVisible();
  await expect(page.getByTestId('margins').getByText('blind, all 0.7545: 0')).toBeVisible();
});

test('the published receipt, replayed, and its saved receipt judged again offline', async ({ page }) => {
  await page.goto(`${VISION}?provider=replay`);
  await page.getByRole('button', { name: 'Replay the published receipt' }).click();
  await expect(verdict(page)).toContainText('Pass: the picture moved the judgment', { timeout: 60_000 });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the receipt' }).click(),
  ]);
  const receipt = await readFile(await download.path());
  const judge = (buffer: Buffer) =>
    page
      .getByLabel('Receipt', { exact: true })
      .setInputFiles({ name: 'r.json', mimeType: 'application/json', buffer });
  await judge(receipt);
  await expect(page.getByTestId('receipt')).toContainText('r.json: pass');
  await expect(page.getByTestId('receipt')).toContainText('Every figure it states follows');
  await judge(Buffer.from('{"issue": 154}'));
  await expect(page.getByTestId('receipt')).toContainText('r.json: refused');
});

test('the blind harness fails: it did not move the judgment', async ({ page }) => {
  await page.goto(`${VISION}?provider=blind`);
  await page.getByRole('button', { name: 'Run the blind harness' }).click();
  await expect(verdict(page)).toContainText('did not move the judgment', { timeout: 60_000 });
});

test('prompts and manifest digests in Chromium are the published ones', async ({ page }) => {
  await page.goto(`${VISION}?fixture=five-row`);
  const plan = page.locator('#plan');
  await expect(plan).toContainText('9fbba4c88f8d');
  await expect(page.getByTestId('prompt')).toHaveText(
    '<start_of_turn>user\n<__media__>\nA screen capture taken during a recorded desktop browsing session.\n\nshows_fox_news_chrome: Is the website in this screenshot Fox News?\n\nOptions:\nControl 0 → true: Fox News site chrome or branding is clearly visible in the screenshot.\nControl 1 → false: It is not.\n\nAnswer with exactly one control string (the digit shown), not the original label text.<end_of_turn>\n<start_of_turn>model\n',
    { useInnerText: false },
  );
  await expect(page.getByText('0 of 5 published pictures are here')).toBeVisible();
  await page.getByLabel('Published, six rows').check();
  await expect(plan).toContainText('312d954ea3f5');
});

test('own pictures: a state that names a family is refused, then the run holds', async ({ page }) => {
  await scripted(page);
  const screens: Buffer[] = [];
  for (const row of demo.rows) {
    const image = page.getByRole('button', { name: `${row.unique_data_id}, present` }).locator('img');
    const url = await image.getAttribute('src');
    const bytes = await page.evaluate(
      async (from) => [...new Uint8Array(await (await fetch(from ?? '')).arrayBuffer())],
      url,
    );
    screens.push(Buffer.from(bytes));
  }
  await page.goto(`${VISION}?fixture=own`);
  const files = (from: number, to: number) =>
    screens
      .slice(from, to)
      .map((buffer, at) => ({ name: `shot ${from + at}.png`, mimeType: 'image/png', buffer }));
  await page.getByLabel(/^First family/).fill('Tide Board');
  await page.getByLabel(/^Second family/).fill('Seed Shop');
  await page.getByLabel('Question, yes or no').fill('Is this Tide Board?');
  await page.getByLabel(/^Pictures of Tide Board/).setInputFiles(files(0, 3));
  await page.getByLabel(/^Pictures of Seed Shop/).setInputFiles(files(3, 5));
  await expect(page.getByTestId('plan-size')).toContainText('15 controls');
  await expect(page.getByTestId('leak-ban')).toContainText('tideboard');
  const state = page.getByLabel(/^Neutral state/);
  await state.fill('A capture of a seed shop.');
  await expect(page.getByTestId('own')).toContainText(
    'the term “seed shop”, which would give the answer away',
  );
  await expect(page.getByRole('button', { name: 'Run the wiring check' })).toBeDisabled();
  await state.fill('A screen capture.');
  await page.getByRole('button', { name: 'Run the wiring check' }).click();
  await expect(page.locator('#run')).toContainText('15 scoring calls', { timeout: 60_000 });
  await expect(verdict(page)).toContainText('all 5 rows are ordered');
});

test('export, wipe, import, verify', async ({ page }) => {
  await scripted(page);
  const zip = await exportNewest(page, 'zip');
  await wipe(page);
  await expect(page.getByRole('heading', { name: '0 stored runs' })).toBeVisible();
  await importFile(page, 'run.zip', zip);
  await expect(page.getByTestId('verification')).toContainText('verif', { timeout: 60_000 });
  await expect(page.getByRole('article', { name: /^Run / })).toHaveCount(1);
});

test('by keyboard alone: run, then open a control', async ({ page }) => {
  await page.goto(VISION);
  const keyboard = new Keyboard(page);
  await keyboard.enter(/^Run the wiring check$/);
  await expect(verdict(page)).toContainText('The wiring holds', { timeout: 60_000 });
  await keyboard.enter(/^demo-tide-table, present, probability/);
  await expect(page.getByTestId('exchange').first()).toBeVisible();
});

for (const look of LOOKS) {
  test(`the page is sound: ${look.name}`, async ({ page }) => {
    await page.goto(VISION);
    await lookAs(page, look);
    await scripted(page);
    await page.getByRole('button', { name: /^demo-seed-shelf, swapped/ }).click();
    await expect(page.getByTestId('exchange').first()).toBeVisible();
    await expectSound(page, 'a run with an open control');
    await page.screenshot({ path: test.info().outputPath('page.png'), fullPage: true });
    await unfold(page);
    await expectFits(page, 'unfolded');
    for (const view of ['fixture=own', 'fixture=six-row&provider=openai-sampled']) {
      await page.goto(`${VISION}?${view}`);
      await page.waitForTimeout(700);
      await expectSound(page, view);
    }
  });
}
