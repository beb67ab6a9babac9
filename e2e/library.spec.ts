import { readFile } from 'node:fs/promises';
import { SMOKE_OVERALL, SMOKE_RUNS } from '../src/lab/smoke-runs';
import { Keyboard } from './support/keyboard';
import { expectSound } from './support/look';
import { expect, exportNewest, importFile, PNG, test } from './support/site';

type Page = import('@playwright/test').Page;

/** What this browser keeps of the site, by every kind of storage. */
function keptIn(page: Page) {
  return page.evaluate(async () => ({
    databases: (await indexedDB.databases()).map(({ name }) => name).sort(),
    local: Object.keys(localStorage).sort(),
    session: Object.keys(sessionStorage).sort(),
    caches: (await caches.keys()).sort(),
  }));
}

async function runOnce(page: Page, provider: 'scripted' | 'replay'): Promise<void> {
  await page.goto(`${PNG}?provider=${provider}&v=1`);
  const name = provider === 'scripted' ? 'Run the wiring check' : 'Replay the published run';
  await page.getByRole('button', { name }).click();
  await expect(page.getByTestId('verdict')).toBeVisible({ timeout: 60_000 });
}

test('two stored runs are compared by keyboard, and a case opens in its run', async ({ page }) => {
  await runOnce(page, 'scripted');
  await runOnce(page, 'scripted');
  await runOnce(page, 'replay');
  await page.goto('./#/evidence');
  const compare = page.getByTestId('compare');
  await expect(compare.getByLabel('Run A')).toBeVisible();
  const keyboard = new Keyboard(page);
  await keyboard.tabTo(/^Run A/);
  // The newest stands first: replay, wiring, wiring.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await keyboard.tabTo(/^Run B/);
  for (let at = 0; at < 3; at += 1) await page.keyboard.press('ArrowDown');
  const said = compare.getByTestId('comparison');
  await expect(said).toHaveAttribute('data-findings', 'equal', { timeout: 30_000 });
  await expect(said).toContainText(
    'The findings are equal: both runs have the same root digest over 48 cases.',
  );
  await expect(said).toContainText('The records differ');

  await keyboard.tabTo(/^Run A/, 'Shift+Tab');
  await page.keyboard.press('ArrowUp');
  await expect(said).toHaveAttribute('data-findings', 'different', { timeout: 30_000 });
  // The whole comparison is in the address.
  await page.reload();
  await expect(said).toContainText('The findings differ', { timeout: 30_000 });
  const identities = compare.getByRole('table', { name: 'Identities of both runs' });
  await expect(identities.getByRole('row', { name: /^kind/ })).toContainText('replayed');
  await expect(identities.getByRole('row', { name: /^kind/ })).toContainText('wiring');
  await expect(compare.getByRole('table', { name: /^Members of the frozen plans/ })).toContainText('$.');
  await expectSound(page, 'a comparison');
  await page.setViewportSize({ width: 320, height: 640 });
  await expectSound(page, 'a comparison at 320 px');
  await page.setViewportSize({ width: 1280, height: 800 });

  const cases = compare.getByRole('table', { name: 'Cases that differ' });
  const link = cases.getByRole('link').first();
  const where = (await link.getAttribute('aria-label')) ?? '';
  await link.press('Enter');
  await expect(page).toHaveURL(/#\/png-representation\/judge\?run=.*case=/);
  const [, arm = ''] = /: (\S+) case \d+ in A$/.exec(where) ?? [];
  await expect(page.locator('[id="judge"]')).toContainText(arm);
});

test('a run that is not here is told as such', async ({ page }) => {
  await page.goto('./#/evidence?a=nowhere&b=elsewhere');
  await expect(page.locator('[data-code="store_run_missing"]')).toBeVisible();
});

test('a comparison is tried again once its run is imported, and ends with a run that is deleted', async ({
  page,
}) => {
  await runOnce(page, 'scripted');
  await runOnce(page, 'replay');
  const records = page.getByRole('article', { name: /^Run / });
  // The verdict of the first run stands until the second has ended.
  await expect(records.filter({ hasText: 'Root' })).toHaveCount(2, { timeout: 60_000 });
  await page.goto('./#/evidence');
  await expect(page.getByRole('heading', { level: 1, name: 'Evidence' })).toBeVisible();
  await expect(records).toHaveCount(2);
  const [a = '', b = ''] = await records.evaluateAll((all) =>
    all.map((each) => each.getAttribute('data-run') ?? ''),
  );
  const bytes = await exportNewest(page, 'zip');
  const remove = async (): Promise<void> => {
    await records.first().getByRole('button', { name: 'Delete…' }).click();
    await records.first().getByRole('button', { name: 'Delete it' }).click();
  };
  await remove();
  await expect(records).toHaveCount(1);
  await page.goto(`./#/evidence?a=${a}&b=${b}`);
  const compare = page.getByTestId('compare');
  await expect(compare.locator('[data-code="store_run_missing"]')).toBeVisible();
  await expect(compare.getByLabel('Run A')).toHaveValue(a);
  await expect(compare.getByLabel('Run A').locator('option:checked')).toContainText('not in this browser');
  await importFile(page, 'a.zip', bytes);
  const said = compare.getByTestId('comparison');
  await expect(said).toHaveAttribute('data-findings', 'different', { timeout: 60_000 });
  await expect(compare.locator('[data-code]')).toHaveCount(0);
  await expect(compare.getByLabel('Run A').locator('option:checked')).not.toContainText(
    'not in this browser',
  );

  const first = (await records.first().getAttribute('data-run')) ?? '';
  await remove();
  await expect(said).toHaveCount(0);
  const side = first === a ? 'Run A' : 'Run B';
  await expect(compare.getByLabel(side).locator('option:checked')).toHaveText('Choose a run');
  await expect(compare.getByRole('link')).toHaveCount(0);
  expect(page.url()).not.toContain(first);
});

test('Home says the overall digest only when every run is complete, and lists recent evidence', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1366, height: 768 });
  await page.goto('./');
  await expect(page.getByTestId('recent')).toHaveCount(0);
  for (const card of await page.locator('[data-testid^="card-"]').all())
    expect(((await card.boundingBox())?.y ?? 9999) + ((await card.boundingBox())?.height ?? 0)).toBeLessThan(
      768,
    );
  await page.getByRole('button', { name: /Run all smoke fixtures/ }).click();
  await expect(page.getByText(new RegExp(`^\\d of ${SMOKE_RUNS.length} runs done$`))).toBeVisible();
  await expect(page.getByTestId('overall')).toHaveCount(0);
  const overall = page.getByTestId('overall');
  await expect(overall).toContainText('All roots together give what was published.', { timeout: 90_000 });
  await expect(overall.getByRole('button')).toHaveAttribute('title', new RegExp(`^${SMOKE_OVERALL}`));
  const recent = page.getByTestId('recent');
  await expect(recent.getByRole('listitem')).toHaveCount(5);
  await expect(recent.getByRole('link', { name: `All ${SMOKE_RUNS.length} runs` })).toBeVisible();
  await recent.getByRole('listitem').first().getByRole('link').press('Enter');
  await expect(page).toHaveURL(/\/report\?run=/);

  await page.goto('./');
  await page.reload();
  await page.getByRole('button', { name: /Run all smoke fixtures/ }).click();
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  await page.waitForTimeout(700);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.locator('#content').getByText(/^Cancelled\./)).toBeVisible({ timeout: 30_000 });
  await expect(page.getByTestId('overall')).toHaveCount(0);
});

test('a reset leaves the site as on a first visit, and tells the other tabs', async ({
  page,
  context,
  baseURL,
}) => {
  await runOnce(page, 'replay');
  await page.keyboard.press('t');
  await page.goto('./#/providers');
  await page.evaluate(async () => {
    sessionStorage.setItem('pixelproof-review', '{}');
    localStorage.setItem('of-somebody-else', 'stays');
    await caches.open('pixelproof-downloaded-models');
  });
  const other = await context.newPage();
  await other.goto(`${baseURL}#/evidence`);
  await expect(other.getByRole('article', { name: /^Run / })).toHaveCount(1);
  // A review that is only a draft, in a tab of its own.
  const reviewer = await context.newPage();
  await reviewer.addInitScript(() => {
    if (sessionStorage.getItem('begun') !== null) return;
    sessionStorage.setItem('begun', 'yes');
    sessionStorage.setItem(
      'pixelproof-review',
      JSON.stringify({ reviewFirst: true, reviewer: 'Ada', reviews: [], seen: ['ab'] }),
    );
  });
  await reviewer.goto(`${baseURL}#/image-signals`);
  await expect(reviewer.locator('[id="report"]')).toBeVisible();

  await page.goto('./#/evidence');
  await expect(page.getByRole('article', { name: /^Run / })).toHaveCount(1);
  const keyboard = new Keyboard(page);
  await keyboard.enter(/^Reset this site…/);
  await keyboard.arrives(/^Keep everything$/);
  await expect(page.getByText('1 stored run with pictures')).toBeVisible();
  await page.keyboard.press('Escape');
  await keyboard.arrives(/^Reset this site…/);
  await page.keyboard.press('Enter');
  await keyboard.enter(/^Delete everything$/);
  await expect(page.getByTestId('arrived-reset')).toBeFocused({ timeout: 30_000 });
  await expect(page.getByRole('heading', { name: '0 stored runs' })).toBeVisible();
  await expect(other.locator('[data-code="store_reset"]')).toContainText('deleted in another tab');
  await expect.poll(async () => (await keptIn(reviewer)).session).toEqual(['begun']);
  await reviewer.reload();
  await expect(reviewer.locator('[id="report"]')).toBeVisible();
  expect((await keptIn(reviewer)).session).toEqual(['begun']);
  const kept = await keptIn(page);
  // The list of runs opens an empty one again.
  expect(kept.databases.filter((name) => name !== 'pixelproof')).toEqual([]);
  expect(kept.local).toEqual(['of-somebody-else']);
  expect(kept.session).toEqual([]);
  expect(kept.caches).toEqual([]);
  await page.reload();
  await expect(page.getByRole('heading', { name: '0 stored runs' })).toBeVisible();
  await expect(page.getByTestId('arrived-reset')).toHaveCount(0);
});

test('a reset names what it could not delete', async ({ page, context, baseURL }) => {
  await runOnce(page, 'replay');
  const other = await context.newPage();
  await other.goto(`${baseURL}#/about`);
  // A tab that does not let go when it is asked.
  await other.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const open = indexedDB.open('pixelproof');
        open.onsuccess = () => {
          Reflect.set(window, 'held', open.result);
          resolve();
        };
      }),
  );
  await page.goto('./#/evidence');
  await page.getByRole('button', { name: 'Reset this site…' }).click();
  await page.getByRole('button', { name: 'Delete everything' }).click();
  const note = page.locator('[data-code="reset_incomplete"]');
  await expect(note).toContainText('Runs and their evidence: Another tab holds it open.', {
    timeout: 20_000,
  });
  await expectSound(page, 'a reset that is not whole');
});

test('a tab that keeps nothing writes nothing, shows every run of it, and can keep again', async ({
  page,
}) => {
  await page.goto('./#/evidence');
  const keyboard = new Keyboard(page);
  await keyboard.enter(/^Keep nothing in this tab$/);
  await expect(page.getByTestId('arrived-keeps-nothing')).toBeFocused();
  await expect(page.getByTestId('announcer')).toContainText('This tab keeps nothing from now on.');
  await expect(page.getByTestId('kept')).toContainText('This tab keeps nothing, because you said so');
  await expect(page.getByRole('contentinfo')).toContainText('This tab keeps nothing');
  await page.evaluate(
    () =>
      new Promise((done) => {
        const gone = indexedDB.deleteDatabase('pixelproof');
        gone.onsuccess = done;
      }),
  );
  await page.goto('./');
  await expect(page.getByTestId('kept')).toContainText('This tab keeps nothing');
  await page.keyboard.press('t');
  await runOnce(page, 'replay');
  await page.goto('./#/providers');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(async () => (await keptIn(page)).caches).toEqual([]);

  // The Pong page plays in a worker of its own: its runs are on the list all the same.
  await page.goto('./#/pong-controls?arms=python-2px&seeds=36&frames=400&v=1');
  await page
    .getByRole('button', { name: /^(Start|Run|Play)/ })
    .first()
    .click();
  await expect(page.getByTestId('verdict')).toBeVisible({ timeout: 60_000 });
  await page.goto('./#/evidence');
  const runs = page.getByRole('article', { name: /^Run / });
  await expect(runs).toHaveCount(2);
  await runs.filter({ hasText: 'pong-controls' }).getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByTestId('verification')).toContainText('verifies', { timeout: 30_000 });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    runs.first().getByRole('button', { name: 'Export zip' }).click(),
  ]);
  expect((await readFile(await download.path())).length).toBeGreaterThan(1000);

  const kept = await keptIn(page);
  expect(kept.databases).toEqual([]);
  expect(kept.local).toEqual([]);
  expect(kept.session).toEqual(
    ['pixelproof.keep-nothing', 'pixelproof-review'].filter((key) => kept.session.includes(key)),
  );

  await page.getByRole('button', { name: 'Keep runs again' }).click();
  await expect(page.getByText('2 runs are in memory and end now.')).toBeVisible();
  await page.getByRole('button', { name: 'End them and keep from now on' }).click();
  await expect(page.getByTestId('arrived-keeps-again')).toBeFocused();
  await expect(page.getByRole('heading', { name: '0 stored runs' })).toBeVisible();
  await expect(page.getByRole('contentinfo')).not.toContainText('keeps nothing');
});

test('a reset in a tab that keeps nothing counts what it deletes, and the tab goes on keeping nothing', async ({
  page,
}) => {
  await runOnce(page, 'replay');
  await page.goto('./#/evidence');
  await page.getByRole('button', { name: 'Keep nothing in this tab' }).click();
  await expect(page.getByTestId('arrived-keeps-nothing')).toBeFocused();
  await runOnce(page, 'replay');
  await page.goto('./#/evidence');
  await page.getByRole('button', { name: 'Reset this site…' }).click();
  await expect(
    page.getByText('1 stored run of this browser and 1 run in the memory of this tab, with pictures'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Delete everything' }).click();
  await expect(page.getByTestId('arrived-reset')).toContainText('goes on keeping nothing');
  await expect(page.getByTestId('kept')).toContainText('This tab keeps nothing, because you said so');
  await runOnce(page, 'replay');
  expect((await keptIn(page)).databases).toEqual([]);
});

test('the list of runs follows a run of another tab', async ({ page, context, baseURL }) => {
  const other = await context.newPage();
  await other.goto(`${baseURL}#/evidence`);
  await expect(other.getByRole('heading', { name: '0 stored runs' })).toBeVisible();
  await runOnce(page, 'scripted');
  await other.evaluate(() => dispatchEvent(new Event('focus')));
  const run = other.getByRole('article', { name: /^Run / });
  await expect(run).toContainText('48 cases');
});

test('the list of runs follows the runs of this tab, and so does the choice of runs to compare', async ({
  page,
}) => {
  await runOnce(page, 'scripted');
  await page.goto('./');
  await page.getByRole('button', { name: /Run all smoke fixtures/ }).click();
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  await page.evaluate(() => {
    location.hash = '#/evidence';
  });
  const runs = page.getByRole('article', { name: /^Run / });
  await expect(runs).toHaveCount(SMOKE_RUNS.length + 1, { timeout: 90_000 });
  await expect(runs.filter({ hasText: 'running,' })).toHaveCount(0, { timeout: 60_000 });
  const offered = page.getByTestId('compare').getByLabel('Run A').getByRole('option');
  await expect(offered).toHaveCount(SMOKE_RUNS.length + 2);
  await expect(offered.filter({ hasText: 'running,' })).toHaveCount(0);
});
