import { createHash } from 'node:crypto';
import type { Page, Route } from '@playwright/test';
import demo from '../fixtures/vision-controls/demo-manifest.json' with { type: 'json' };
import {
  ANNOTATION,
  BOUNDARY,
  CONSUMER_OMITTED,
  CONSUMER_ROWS,
  CONSUMER_TOKENS,
  MANIFESTS,
  PARTNERS,
  PREFIXES,
  SCENARIO_RESULTS,
  USER_TEXT,
} from '../src/experiments/vision-controls/testing/published';
import { bareReceipt, SCENARIOS } from '../src/experiments/vision-controls/testing/receipts';
import { expect, exportNewest, test } from './support/site';

const VISION = './#/vision-controls';
const CONDITIONS = ['present', 'omitted', 'swapped'];

/** Presses Start and gives the finished run's bundle, read. */
async function ran(page: Page, query: string, start: string) {
  await page.goto(`${VISION}?${query}`);
  await page.getByRole('button', { name: start }).click();
  await expect(page.getByTestId('run-verdict')).toContainText(/^(Fail|Pass)/, { timeout: 60_000 });
  const bundle = JSON.parse((await exportNewest(page, 'JSON')).toString('utf8'));
  const text = (path: string): string =>
    bundle.contents.find((each: { path: string }) => each.path === path).text;
  const cases = text('cases.jsonl').trim().split('\n');
  return {
    plan: bundle.manifest.plan,
    cases: cases.map((line) => JSON.parse(line)),
    manifest: text('manifest.json'),
    receipt: JSON.parse(text('receipt.json')),
  };
}

const hex = (text: string): string => createHash('sha256').update(text).digest('hex');

for (const revision of ['five-row', 'six-row'] as const) {
  test(`${revision}: manifest, matrix and every prompt in Chromium are the published ones`, async ({
    page,
  }) => {
    const { plan, cases, manifest } = await ran(
      page,
      `provider=blind&fixture=${revision}`,
      'Run the blind harness',
    );
    expect(hex(manifest)).toBe(MANIFESTS[revision]);
    expect(plan.fixture).toMatchObject({ name: revision, manifest_sha256: `sha256:${MANIFESTS[revision]}` });
    expect(plan.prompts.user_text_sha256).toBe(`sha256:${USER_TEXT}`);
    const [omitted, imaged] = PREFIXES.native_gemma3_turn;
    const expected = PARTNERS[revision].flatMap(([row, partner]) =>
      [row, null, partner].map((image, at) => [
        row,
        CONDITIONS[at],
        image,
        `sha256:${image === null ? omitted : imaged}`,
      ]),
    );
    expect(
      cases.map(({ evidence }) => [
        evidence.unique_data_id,
        evidence.condition,
        evidence.image_unique_data_id,
        evidence.prefix_sha256,
      ]),
    ).toEqual(expected);
    for (const { arm, ordinal, evidence } of cases) {
      const { category, requires_login } = evidence.annotation;
      const digests =
        ordinal === 0 ? ANNOTATION[arm]?.map((digest) => `sha256:${digest}`) : [undefined, undefined];
      expect([category?.prefix_sha256, requires_login?.prefix_sha256]).toEqual(digests);
    }
  });
}

test('Gemma 4 prompts, and the published receipt’s figures, in Chromium', async ({ page }) => {
  const { cases, receipt, plan } = await ran(page, 'provider=replay', 'Replay the published receipt');
  const [omitted, imaged] = PREFIXES.native_gemma4_turn;
  expect(plan.prompts).toMatchObject({
    omitted_prefix_sha256: `sha256:${omitted}`,
    imaged_prefix_sha256: `sha256:${imaged}`,
  });
  expect(cases).toHaveLength(12);
  for (const [row, present, swapped, margin, seconds] of CONSUMER_ROWS) {
    const controls = receipt.visual_controls.filter(
      (one: { unique_data_id: string }) => one.unique_data_id === row,
    );
    expect(controls.map((one: { probability: number }) => one.probability)).toEqual([
      present,
      CONSUMER_OMITTED,
      swapped,
    ]);
    const [with_, without] = CONSUMER_TOKENS;
    expect(controls.map((one: { tokens_evaluated: number }) => one.tokens_evaluated)).toEqual([
      with_,
      without,
      with_,
    ]);
    expect(controls.map((one: { seconds: number }) => one.seconds)).toEqual(seconds);
    const pair = receipt.paired_ordering.find(
      (one: { unique_data_id: string }) => one.unique_data_id === row,
    );
    expect(pair).toMatchObject({ margin, ordered: true });
  }
});

test('gate arithmetic in Chromium: the reference scenarios and the boundary of 0.10', async ({ page }) => {
  await page.goto(VISION);
  const judged = async (receipt: unknown, name: string) => {
    const buffer = Buffer.from(JSON.stringify(receipt));
    await page
      .getByLabel('Receipt', { exact: true })
      .setInputFiles({ name: `${name}.json`, mimeType: 'application/json', buffer });
    await expect(page.getByTestId('receipt')).toContainText(`${name}.json: `);
    return JSON.parse((await page.getByTestId('receipt').locator('pre').textContent()) ?? '');
  };
  for (const [name, [verdict, cause, counts, ordered, least]] of Object.entries(SCENARIO_RESULTS)) {
    const found = await judged(bareReceipt(SCENARIOS[name as keyof typeof SCENARIOS]), name);
    const { counted, hits, uncounted } = found.hits;
    const pairs: { ordered: boolean; margin: number }[] = found.paired_ordering;
    expect([found.verdict, [counted, hits, uncounted], pairs.filter((pair) => pair.ordered).length]).toEqual([
      verdict,
      counts,
      ordered,
    ]);
    expect(found.cause ?? '').toContain(cause ?? '');
    expect(Math.min(...pairs.map(({ margin }) => margin))).toBe(least);
  }
  for (const [fox, other, verdict] of BOUNDARY) {
    const probability = (image: string | null, isFox: boolean) =>
      image === null ? 0.5 : isFox ? fox : other;
    expect((await judged(bareReceipt({ probability }), `${fox} and ${other}`)).verdict).toBe(verdict);
  }
});

/** The demo screens as files, drawn by the page itself. */
async function demoScreens(page: Page): Promise<Buffer[]> {
  await page.goto(VISION);
  await page.getByRole('button', { name: 'Run the wiring check' }).click();
  await expect(page.getByTestId('run-verdict')).toContainText('The wiring holds', { timeout: 60_000 });
  const screens: Buffer[] = [];
  for (const { unique_data_id } of demo.rows) {
    const image = page.getByRole('button', { name: `${unique_data_id}, present` }).locator('img');
    const url = await image.getAttribute('src');
    const bytes = await page.evaluate(
      async (from) => [...new Uint8Array(await (await fetch(from ?? '')).arrayBuffer())],
      url,
    );
    screens.push(Buffer.from(bytes));
  }
  return screens;
}

/** Drops files on the place for the published originals, as a person does with a folder's files. */
async function drop(page: Page, files: readonly (readonly [string, Buffer])[]): Promise<void> {
  const data = await page.evaluateHandle(
    (given) => {
      const transfer = new DataTransfer();
      for (const [name, bytes] of given)
        transfer.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/png' }));
      return transfer;
    },
    files.map(([name, bytes]) => [name, [...bytes]] as const),
  );
  await page
    .getByRole('region', { name: 'Published pictures' })
    .dispatchEvent('drop', { dataTransfer: data });
}

/**
 * Nobody may hand on the published originals, so their digests and lengths in the built program are exchanged for those
 * of the demo screens: whatever recognises an original then recognises a demo screen, in the page and in its workers.
 */
async function exchangeDigests(page: Page): Promise<void> {
  const rows = bareReceipt(SCENARIOS.perfect).rows.map((row) => String(row.screenshot_sha256));
  const lengths = [331403, 367515, 421138, 539964, 624821];
  await page.context().route(/assets\/.*\.js$/, async (route: Route) => {
    const response = await route.fetch();
    let body = await response.text();
    for (const [at, digest] of rows.entries()) {
      const { sha256, byte_count } = demo.rows[at]?.screenshot ?? { sha256: '', byte_count: 0 };
      body = body
        .replaceAll(digest, sha256)
        .replace(new RegExp(`\\b${lengths[at]}\\b`, 'g'), String(byte_count));
    }
    await route.fulfill({ response, body });
  });
}

test('published originals are recognised by digest, under any name; an altered one is told', async ({
  page,
}) => {
  const screens = await demoScreens(page);
  await exchangeDigests(page);
  await page.goto('about:blank');
  await page.goto(`${VISION}?fixture=five-row&annotation=none`);
  const start = page.getByRole('button', { name: 'Run the wiring check' });
  const rows = page.getByTestId('published-rows').getByRole('listitem');
  await expect(rows).toHaveCount(5);
  await expect(start).toBeDisabled();
  const altered = Buffer.from(screens[4] ?? []);
  altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1;
  // In another order, under names that say nothing, beside a file that is no picture and one that was changed.
  await drop(page, [
    ['c.png', screens[2] ?? Buffer.of()],
    ['IMG 0001.PNG', screens[0] ?? Buffer.of()],
    ['notes.txt', Buffer.from('no picture')],
    [`${String(bareReceipt(SCENARIOS.perfect).rows[4]?.unique_data_id)}.png`, altered],
    ['b (1).png', screens[1] ?? Buffer.of()],
    ['d', screens[3] ?? Buffer.of()],
  ]);
  await expect(rows.nth(0)).toContainText('here, as IMG 0001.PNG');
  await expect(rows.nth(1)).toContainText('here, as b (1).png');
  await expect(rows.nth(2)).toContainText('here, as c.png');
  await expect(rows.nth(3)).toContainText('here, as d');
  await expect(rows.nth(4)).toContainText('missing');
  await expect(rows.filter({ hasText: 'notes.txt' })).toContainText(
    'not a PNG, JPEG or WebP. It is not used.',
  );
  await expect(rows.filter({ hasText: 'wr1p1yj7aot3ae.png' })).toContainText(
    'no published picture has its digest. It is not used.',
  );
  await expect(page.locator('#run')).toContainText('4 of 5 published pictures are here');
  await expect(start).toBeDisabled();
  await drop(page, [['last one.png', screens[4] ?? Buffer.of()]]);
  await expect(rows.nth(4)).toContainText('here, as last one.png');
  await start.click();
  await expect(page.getByTestId('run-verdict')).toContainText('all 5 rows are ordered', { timeout: 60_000 });
});
