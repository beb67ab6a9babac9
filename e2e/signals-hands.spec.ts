// What people do with the page: drop, mistype, ask services, review, come back.
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { zipSync } from 'fflate';
import { sha256Hex } from '../src/evidence/identity/sha256';
import { FROZEN_FILE, PROMPT_SHA256 } from '../src/experiments/image-signals/protocol';
import { oddFiles } from '../src/pixels/testing/odd-files';
import { mockImages } from './servers/images';
import { dropFromDesktop } from './support/drop';
import { expect, exportNewest, importFile, test, wipe } from './support/site';

const SIGNALS = './#/image-signals';
const GOLDEN = fileURLToPath(new URL('../fixtures/image-signals/golden', import.meta.url));
const scene = () => readFile(join(GOLDEN, 'g35_scene_256.png'));

async function savedRecords(page: Page): Promise<Record<string, unknown>[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save them as JSON' }).click(),
  ]);
  return JSON.parse(await readFile(await download.path(), 'utf8'));
}

test('files, a folder with other files in it, and zips, dropped: a line each, and the rest goes on', async ({
  page,
}) => {
  const place = await mkdtemp(join(tmpdir(), 'drop-'));
  const odd = oddFiles();
  await mkdir(join(place, 'folder/inner'), { recursive: true });
  for (const { name, bytes } of odd) await writeFile(join(place, 'folder/inner', name), bytes);
  await writeFile(join(place, 'folder/.hidden.png'), await scene());
  await writeFile(join(place, 'single.png'), await scene());
  const zip = zipSync({ 'a/zipped.png': await scene(), 'b/notes.txt': new Uint8Array([110, 111]) });
  await writeFile(join(place, 'good.zip'), zip);
  await writeFile(join(place, 'cut.zip'), zip.slice(0, 60));
  const foreign = zip.slice();
  foreign[8] = 12;
  await writeFile(join(place, 'foreign.zip'), foreign);
  await page.goto(SIGNALS);
  await dropFromDesktop(
    page.getByTestId('drop'),
    ['folder', 'single.png', 'good.zip', 'cut.zip', 'foreign.zip'].map((name) => join(place, name)),
  );
  const read = odd.filter(({ refused }) => refused === null).length + 2;
  await expect(page.getByTestId('measured')).toContainText(`${read} pictures measured`, { timeout: 30_000 });
  const records = await savedRecords(page);
  const found = Object.fromEntries(
    records.map(({ file, error, warnings }) => [
      file,
      [
        (error as { code: string } | undefined)?.code ?? null,
        ((warnings ?? []) as { code: string }[]).map(({ code }) => code),
      ],
    ]),
  );
  expect(found).toEqual({
    ...Object.fromEntries(
      odd.map(({ name, refused, warned }) => [`folder/inner/${name}`, [refused, warned]]),
    ),
    'single.png': [null, []],
    'good.zip/a/zipped.png': [null, []],
    'good.zip/b/notes.txt': ['image_format_unknown', []],
    'cut.zip': ['zip_damaged', []],
    'foreign.zip': ['zip_unsupported', []],
  });
  await expect(page.getByTestId('pictures')).toContainText('zip_damaged');
});

test('files of a DataTransfer that a script made are taken too', async ({ page }) => {
  await page.goto(SIGNALS);
  const base64 = (await scene()).toString('base64');
  await page.getByTestId('drop').evaluate((zone, data) => {
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    const transfer = new DataTransfer();
    for (const name of ['one.png', 'two.png']) transfer.items.add(new File([bytes], name));
    for (const type of ['dragover', 'drop'])
      zone.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, base64);
  await expect(page.getByTestId('measured')).toContainText('2 pictures measured', { timeout: 30_000 });
});

test("a definition of one's own: what is wrong with it is named, what is right is measured and kept", async ({
  page,
}) => {
  await page.goto(SIGNALS);
  await page.getByLabel('Choose files').setInputFiles(join(GOLDEN, 'g35_scene_256.png'));
  await expect(page.getByTestId('measured')).toContainText('1 picture measured', { timeout: 30_000 });
  await page.getByText('Use a definition of your own (JSON)').click();
  const editor = page.getByLabel('Definition as JSON');
  const use = page.getByRole('button', { name: 'Use this definition' });
  await editor.fill('{ "schema": ');
  await use.click();
  await expect(page.getByText('json_syntax')).toBeVisible();
  await editor.fill(JSON.stringify({ ...FROZEN_FILE, mask: 'no such predicate' }));
  await use.click();
  await expect(page.getByText('definition_invalid')).toBeVisible();
  await expect(page.getByTestId('definition')).toContainText('the frozen cell');
  const own = {
    schema: 'pixelproof-signals/1',
    id: 'green-low',
    title: 'Green in the lower half',
    predicates: {
      dark: [{ feature: 'min', at_most: 229 }],
      green: [{ feature: 'green_dominance', at_least: 20 }],
    },
    mask: 'dark',
    signals: [
      {
        id: 'green-share',
        statistic: 'share',
        region: { x: ['0', '1'], y: ['1/2', '1'] },
        where: 'green',
        pass: { at_least: '1/10' },
      },
      { id: 'things', statistic: 'components', least_area: '1/250' },
    ],
  };
  await editor.fill(JSON.stringify(own));
  await use.click();
  await expect(page.getByTestId('definition')).toContainText('Green in the lower half');
  await expect(page.getByTestId('pictures')).toContainText('green share');
  await expect(page.getByTestId('pictures')).toContainText('0.00 %');
  await page.getByRole('button', { name: 'Keep as evidence' }).click();
  await expect(page.getByTestId('verdict')).toContainText('Of 1 picture', { timeout: 30_000 });
  const zip = await exportNewest(page, 'zip');
  await wipe(page);
  await page.goto(SIGNALS);
  await importFile(page, 'run.zip', zip);
  await expect(page.getByTestId('verification')).toContainText('verifies', { timeout: 30_000 });
  await expect(page.getByTestId('definition')).toContainText('Green in the lower half');
});

test.describe('image services', () => {
  test.use({ allowed: ['http://127.0.0.1:'] });
  const SERVICES = [
    ['SwarmUI', /checkpoint 1 of 5/, ['/API/GetNewSession', '/API/GenerateText2Image']],
    ['MiniMax', /MiniMax \(hosted calibration\)/, ['/v1/image_generation']],
    ['OpenAI-compatible images', /OpenAI GPT Image 2 Medium/, ['/images/generations']],
  ] as const;
  for (const [label, arm, paths] of SERVICES) {
    test(`${label}: the frozen prompt, the exchange kept, the key nowhere`, async ({ page }) => {
      const server = await mockImages(await scene());
      await page.goto(SIGNALS);
      const cell = page.getByTestId('cell');
      await page.getByRole('button', { name: new RegExp(`${arm.source}.*repetition 1:`) }).click();
      if (label === 'SwarmUI') {
        await cell.getByLabel('Reason').fill('A server is at hand for this test.');
        await cell.getByRole('button', { name: 'Plan it again' }).click();
      }
      await cell.getByText('Ask an image service').click();
      await cell.getByLabel('Address of the image service').fill(server.url);
      await cell.getByLabel('Image model').fill('a-model');
      await cell.getByLabel('Key', { exact: true }).fill('key-of-this-test');
      await cell.getByRole('button', { name: `Ask ${label} at ${server.url}` }).click();
      await expect(
        page.getByRole('button', { name: new RegExp(`${arm.source}.*repetition 1: done`) }),
      ).toBeVisible({ timeout: 20_000 });
      await cell.getByText('what shows it').last().click();
      await expect(cell.locator('pre').last()).toContainText('"request_sha256"');
      await expect(cell).not.toContainText('key-of-this-test');
      await server.close();
      expect(server.calls.map(({ path }) => path)).toEqual([...paths]);
      expect(server.calls.every(({ key }) => key === 'Bearer key-of-this-test')).toBe(true);
      const prompt = String(server.calls.at(-1)?.body.prompt);
      expect(sha256Hex(new TextEncoder().encode(prompt))).toBe(PROMPT_SHA256);
      await page.getByRole('button', { name: 'Keep as evidence' }).click();
      await expect(page.getByTestId('verdict')).toContainText('Of 1 picture', { timeout: 30_000 });
      const json = (await exportNewest(page, 'JSON')).toString();
      expect(json).toContain('request_sha256');
      expect(json).not.toContain('key-of-this-test');
      const zip = await exportNewest(page, 'zip');
      await importFile(page, 'run.zip', zip);
      await expect(page.getByTestId('verification')).toContainText('verifies', { timeout: 30_000 });
    });
  }
});

test('a blind review outlives a reload: scores, who reviews, and what is not revealed yet', async ({
  page,
}) => {
  const files = ['g35_scene_256.png', 'g36_q90_420.jpg'].map((name) => join(GOLDEN, name));
  await page.goto(SIGNALS);
  await page.getByLabel(/Review first/).check();
  await page.getByLabel('Choose files').setInputFiles(files);
  await expect(page.getByTestId('measured')).toContainText('2 pictures measured', { timeout: 30_000 });
  const review = page.getByTestId('review');
  const score = async (word: string) => {
    for (const item of ['prompt adherence', 'attribute binding', 'spatial layout']) {
      await review.getByRole('group', { name: item }).getByLabel(word, { exact: true }).check();
    }
    await review.getByRole('button', { name: 'Score it and reveal its numbers' }).click();
  };
  await review.getByLabel('Reviewer').fill('Ada');
  await score('met');
  await expect(review).toContainText('1 picture to score');
  await page.getByRole('button', { name: 'Keep as evidence' }).click();
  await expect(page.getByTestId('verdict')).toBeVisible({ timeout: 30_000 });
  await review.getByLabel('Reviewer').fill('Ben');
  await score('partly');
  await page.reload();
  // One score of each is there again, also Ben's, which no stored run holds yet.
  await expect(page.getByTestId('review-state')).toContainText('6 scores by 2 reviewers: Ada, Ben', {
    timeout: 30_000,
  });
  await expect(page.getByLabel(/Review first/)).toBeChecked();
  await expect(review.getByLabel('Reviewer')).toHaveValue('Ben');
  await expect(review).toContainText('1 picture to score');
  await expect(page.getByTestId('pictures').getByText('hidden').first()).toBeVisible();
  await score('partly');
  await review.getByLabel('Reviewer').fill('Ada');
  await score('met');
  await expect(page.getByTestId('agreement')).toContainText('Ada and Ben: 0 of 2 pictures scored alike');
  await page.getByRole('button', { name: 'Keep as evidence' }).click();
  await expect(page.getByText('What is on this page is stored as evidence.')).toBeVisible({
    timeout: 30_000,
  });
  await page.reload();
  await expect(page.getByTestId('review-state')).toContainText('12 scores by 2 reviewers', {
    timeout: 30_000,
  });
  // Numbers that were shown once cannot be reviewed blindly after a reload either.
  await page.getByLabel(/Show the numbers/).check();
  await page.reload();
  await page.getByLabel(/Review first/).check();
  await review.getByLabel('Reviewer').fill('Cem');
  await expect(review).toContainText('0 pictures to score');
});

test('a link to a run that is not stored here says so', async ({ page }) => {
  await page.goto('./#/image-signals?run=no-such-run');
  await expect(page.getByText('run_not_found')).toBeVisible();
});
