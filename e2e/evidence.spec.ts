import type { Page } from '@playwright/test';
import { chatReply, mockOllama, sendJson } from './servers/ollama';
import { expect, exportNewest, importFile, PNG, startOllama, test } from './support/site';

const REPLY = 'TANK_COLUMN: 3\nTARGET_COLUMN: NONE\nCOOLDOWN: READY\nCONFIDENCE: 90';

test('both digests of a run are shown, and an import says the same two', async ({ page }) => {
  await page.goto(PNG);
  await page.getByRole('button', { name: 'Replay the published run' }).click();
  await expect(page.getByTestId('verdict')).toBeVisible({ timeout: 60_000 });
  const run = page.getByRole('article', { name: /^Run / }).first();
  const digest = (of: 'Root' | 'Record', where = run) =>
    where.getByRole('button', { name: new RegExp(`^${of} digest`) });
  await expect(digest('Record')).toBeVisible();
  await expect(run).toContainText('this very run');
  const [root, record] = [
    await digest('Root').getAttribute('title'),
    await digest('Record').getAttribute('title'),
  ];
  expect(record).toMatch(/^sha256:[0-9a-f]{64}/);
  expect(record).not.toBe(root);
  await importFile(page, 'run.zip', await exportNewest(page, 'zip'));
  const said = page.getByTestId('verification');
  await expect(said).toContainText('run.zip verifies', { timeout: 60_000 });
  expect(await digest('Root', said).getAttribute('title')).toBe(root);
  expect(await digest('Record', said).getAttribute('title')).toBe(record);
});

test('a run that goes on is cancelled when it is deleted, and leaves no error behind', async ({
  page,
  allowed,
}) => {
  const server = await mockOllama(async (_call, _n, response) => {
    await new Promise((done) => setTimeout(done, 150));
    sendJson(response, chatReply(REPLY));
  });
  allowed.push(server.url);
  try {
    await page.goto(PNG);
    await startOllama(page, server.url);
    await expect.poll(() => server.chats().length, { timeout: 30_000 }).toBeGreaterThan(3);
    // Another page of the site, whose list has the run while it goes on.
    await page.evaluate(() => {
      location.hash = '#/evidence';
    });
    const run = page.getByRole('article', { name: /^Run / });
    await run.getByRole('button', { name: 'Delete…' }).click();
    await expect(run).toContainText('This run is going on.');
    await run.getByRole('button', { name: 'Delete it' }).click();
    await expect(run).toHaveCount(0);
    const asked = server.chats().length;
    await expect(page.getByRole('heading', { name: '0 stored runs' })).toBeFocused();
    await page.goto(PNG);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText('store_run_missing')).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Interrupted run' })).toHaveCount(0);
    // The call under way may still end; none is begun.
    expect(server.chats().length).toBeLessThanOrEqual(asked + 1);
  } finally {
    await server.close();
  }
});

test('a run that goes on is exported as it is now, and the choice of a comparison says how far it is', async ({
  page,
  allowed,
}) => {
  let upTo = 5;
  const server = await mockOllama(async (_call, n, response) => {
    while (n > upTo) await new Promise((done) => setTimeout(done, 20));
    sendJson(response, chatReply(REPLY));
  });
  allowed.push(server.url);
  try {
    await page.goto(PNG);
    await page.getByRole('button', { name: 'Replay the published run' }).click();
    await expect(page.getByRole('button', { name: /^Root digest/ }).first()).toBeVisible({ timeout: 60_000 });
    await startOllama(page, server.url);
    await expect.poll(() => server.chats().length, { timeout: 60_000 }).toBeGreaterThan(upTo);
    await page.evaluate(() => {
      location.hash = '#/evidence';
    });
    const going = page.getByRole('article', { name: /^Run / }).filter({ hasText: 'Ollama' });
    await going.getByRole('button', { name: 'Verify' }).click();
    await expect(going.getByTestId('verification')).toContainText('The stored run verifies', {
      timeout: 60_000,
    });
    await expect(going.getByTestId('verification')).toContainText('5 of 48 cases');
    const offered = page.getByLabel('Run A').locator('option', { hasText: 'Ollama' });
    await expect(offered).toContainText('running, 5 of 48');
    upTo = 9;
    await expect(offered).toContainText('running, 9 of 48');
    upTo = 48;
    await expect(offered).toContainText('root ', { timeout: 60_000 });
  } finally {
    upTo = 48;
    await server.close();
  }
});

test('a run that goes on in another tab is not deleted under it', async ({ context, baseURL }) => {
  const server = await mockOllama(async (_call, _n, response) => {
    await new Promise((done) => setTimeout(done, 150));
    sendJson(response, chatReply(REPLY));
  });
  try {
    const first = await context.newPage();
    await first.goto(`${baseURL}${PNG}`);
    await startOllama(first, server.url);
    await expect.poll(() => server.chats().length, { timeout: 30_000 }).toBeGreaterThan(3);
    const second = await context.newPage();
    await second.goto(`${baseURL}#/evidence`);
    const run = second.getByRole('article', { name: /^Run / });
    await run.getByRole('button', { name: 'Delete…' }).click();
    await run.getByRole('button', { name: 'Delete it' }).click();
    await expect(run).toContainText('run_locked');
    await expect(first.getByTestId('verdict')).toBeVisible({ timeout: 60_000 });
  } finally {
    await server.close();
  }
});

test('what one tab stores or imports the lists of the others show, unless they keep nothing', async ({
  page,
  context,
  baseURL,
}) => {
  const open = async (address: string): Promise<Page> => {
    const other = await context.newPage();
    await other.goto(`${baseURL}${address}`);
    return other;
  };
  const [home, evidence, apart] = [await open('#/'), await open('#/evidence'), await open('#/evidence')];
  await apart.getByRole('button', { name: 'Keep nothing in this tab' }).click();
  await expect(apart.getByTestId('arrived-keeps-nothing')).toBeVisible();
  const runs = (of: Page) => of.getByRole('article', { name: /^Run / });
  const none = 'not run in this browser yet';
  await expect(home.getByTestId('card-png-representation')).toContainText(none);
  await expect(evidence.getByText('No run is stored yet')).toBeVisible();
  await page.goto(PNG);
  const replay = page.getByRole('button', { name: 'Replay the published run' });
  await replay.click();
  await expect(runs(page)).toContainText('48 cases', { timeout: 60_000 });
  await expect(runs(evidence)).toContainText('48 cases');
  const recent = home.getByTestId('recent').getByRole('listitem');
  await expect(recent).toHaveCount(1);
  await expect(recent).not.toContainText('Not finished');
  await expect(home.getByTestId('card-png-representation')).not.toContainText(none);
  await replay.click();
  await expect(runs(evidence)).toHaveCount(2);
  await expect(runs(evidence)).toContainText(['48 cases', '48 cases'], { timeout: 60_000 });
  await expect(evidence.getByLabel('Run A').locator('option')).toHaveCount(3);
  await expect(recent).toHaveCount(2);
  const zip = await exportNewest(page, 'zip');
  await runs(page).first().getByRole('button', { name: 'Delete…' }).click();
  await runs(page).first().getByRole('button', { name: 'Delete it' }).click();
  await expect(runs(evidence)).toHaveCount(1);
  await expect(recent).toHaveCount(1);
  await importFile(page, 'run.zip', zip);
  await expect(runs(evidence)).toHaveCount(2, { timeout: 60_000 });
  await expect(runs(apart)).toHaveCount(0);
});

test('a long list: more runs take the focus with them, and Find keeps it', async ({ page }) => {
  await page.goto(`${PNG}?provider=scripted`);
  await page.getByRole('button', { name: 'Run the wiring check' }).click();
  await expect(page.getByTestId('verdict')).toBeVisible({ timeout: 60_000 });
  // Forty headers of the one run: the list reads headers only.
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const open = indexedDB.open('pixelproof');
        open.onerror = () => reject(open.error);
        open.onsuccess = () => {
          const change = open.result.transaction('runs', 'readwrite');
          const runs = change.objectStore('runs');
          const all = runs.getAll();
          all.onsuccess = () => {
            const [row] = all.result;
            for (let n = 10; n < 50; n += 1) {
              const copy = structuredClone(row);
              const header = copy.header ?? copy;
              header.run = `copy-${n}`;
              if ('run' in copy) copy.run = `copy-${n}`;
              runs.put(copy);
            }
          };
          change.oncomplete = () => {
            open.result.close();
            resolve();
          };
          change.onerror = () => reject(change.error);
        };
      }),
  );
  await page.goto('./#/evidence');
  const runs = page.getByRole('article', { name: /^Run / });
  await expect(runs).toHaveCount(25);
  await page.getByRole('button', { name: 'Show more' }).press('Enter');
  await expect(runs).toHaveCount(41);
  // The button is gone with the last page: the focus is on the first of the new ones.
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0);
  await expect(runs.nth(25).getByRole('button').first()).toBeFocused();

  const find = page.getByRole('searchbox', { name: 'Find stored runs' });
  await find.focus();
  await page.keyboard.type('copy-17');
  await expect(runs).toHaveCount(1);
  await expect(find).toBeFocused();
  await find.fill('no such run');
  await expect(page.getByText('No stored run matches.')).toBeVisible();
  await expect(find).toBeFocused();
});

test('200 MB of anything are refused by their first bytes', async ({ page }) => {
  await page.goto('./#/evidence');
  const zone = page.getByRole('region', { name: 'Drop a file here' });
  await expect(zone).toBeVisible();
  for (const head of ['anything', '{"a":']) {
    await zone.evaluate((element, beginning) => {
      const data = new DataTransfer();
      data.items.add(new File([beginning, new Uint8Array(200 * 1024 * 1024).fill(97)], 'large.bin'));
      element.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, head);
    const said = page.getByTestId('verification');
    await expect(said).toContainText('bundle_foreign', { timeout: 10_000 });
    // The page answers while the worker reads.
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Evidence');
    await page.reload();
    await expect(zone).toBeVisible();
  }
});

test('a link that names a run of another experiment opens it on its own page', async ({ page }) => {
  await page.goto(PNG);
  await page.getByRole('button', { name: 'Replay the published run' }).click();
  await expect(page.getByTestId('verdict')).toBeVisible({ timeout: 60_000 });
  await page.goto('./#/evidence');
  await page.getByRole('article', { name: /^Run / }).getByRole('button', { name: 'Open' }).click();
  await expect(page).toHaveURL(/#\/png-representation\/report\?run=/);
  const run = /[?&]run=([^&]+)/.exec(page.url())?.[1] ?? '';
  for (const experiment of ['vision-controls', 'pong-controls', 'image-signals']) {
    await page.goto('./#/about');
    await page.goto(`./#/${experiment}/report?run=${run}`);
    await expect(page).toHaveURL(/#\/png-representation\/report\?run=/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('PNG representation');
    await expect(page.getByTestId('verdict')).toContainText('23 of 48');
  }
});
