import type { Page } from '@playwright/test';
import { chatReply, mockOllama, sendJson } from './servers/ollama';
import { expect, exportNewest, importFile, PNG, startOllama, test, wipe } from './support/site';

/**
 * Gives a page's runner a slow disk: each write takes a while. A run without a server is else over before a tab can be
 * killed in its middle.
 */
async function slowStorage(page: Page): Promise<void> {
  await page.route(/\/runner-[^/]+\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `(${slowWrites})();${await response.text()}` });
  });
}

/** Runs in the worker, before its own script. */
function slowWrites(): void {
  const open = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...asked: Parameters<typeof open>) {
    const until = performance.now() + (asked[1] === 'readwrite' ? 60 : 0);
    while (performance.now() < until);
    return open.apply(this, asked);
  };
}

const REPLY = 'TANK_COLUMN: 3\nTARGET_COLUMN: NONE\nCOOLDOWN: READY\nCONFIDENCE: 90';

test('a run whose tab is killed goes on: no case lost, no finished call made twice', async ({
  context,
  baseURL,
}) => {
  const server = await mockOllama(async (_call, _n, response) => {
    await new Promise((done) => setTimeout(done, 60));
    sendJson(response, chatReply(REPLY));
  });
  try {
    const first = await context.newPage();
    await first.goto(`${baseURL}${PNG}`);
    await startOllama(first, server.url);
    await expect.poll(() => server.chats().length, { timeout: 30_000 }).toBeGreaterThan(9);
    await first.close({ runBeforeUnload: false });
    const before = server.chats().length;
    expect(before).toBeLessThan(48);

    const second = await context.newPage();
    await second.goto(`${baseURL}${PNG}`);
    await second.getByRole('button', { name: 'Resume it' }).click();
    await expect(second.getByTestId('verdict')).toBeVisible({ timeout: 60_000 });
    await expect(second.getByRole('article', { name: /^Run / }).first()).toContainText('48 cases');
    // One call can have been under way when the tab was killed; it had not finished.
    expect(server.chats().length).toBeLessThanOrEqual(49);
    const seen = server.chats().map((call) => call.imageSha256);
    expect(new Set(seen).size).toBe(48);
  } finally {
    await server.close();
  }
});

for (const { name, view, button, total } of [
  { name: 'the published run', view: '', button: 'Replay the published run', total: 48 },
  { name: 'a wiring check', view: '?provider=scripted', button: 'Run the wiring check', total: 48 },
]) {
  test(`${name} killed in the middle goes on, and its root digest is that of a run nobody killed`, async ({
    context,
    baseURL,
    browser,
  }) => {
    const address = `${baseURL}${PNG}${view}`;
    const root = async (page: Page): Promise<string> => {
      const run = page
        .getByRole('article', { name: /^Run / })
        .filter({ hasText: `${total} cases` })
        .first();
      await expect(run).toBeVisible({ timeout: 60_000 });
      return (await run.getByRole('button', { name: /^Root digest/ }).getAttribute('title')) ?? '';
    };
    const elsewhere = await browser.newContext();
    const whole = await elsewhere.newPage();
    await whole.goto(address);
    await whole.getByRole('button', { name: button }).click();
    const expected = await root(whole);
    expect(expected).toMatch(/^sha256:[0-9a-f]{64}/);
    await elsewhere.close();

    const first = await context.newPage();
    await slowStorage(first);
    // These runs take a moment only: the page itself calls out when the first case is done.
    const begun = new Promise<void>((resolve) => void first.exposeFunction('begun', resolve));
    await first.addInitScript((of) => {
      const begin = new RegExp(`^[1-9]\\d* / ${of}$`);
      new MutationObserver(() => {
        const numbers = document.querySelector('.bar .numbers')?.textContent?.trim() ?? '';
        if (begin.test(numbers)) void Reflect.get(window, 'begun')();
      }).observe(document, { subtree: true, childList: true, characterData: true });
    }, total);
    await first.goto(address);
    await first.getByRole('button', { name: button }).click();
    await begun;
    await first.close({ runBeforeUnload: false });

    const second = await context.newPage();
    await second.goto(address);
    const waiting = second.getByRole('region', { name: 'Interrupted run' });
    await expect(waiting).toContainText(new RegExp(`at \\d+ of ${total} cases`), { timeout: 30_000 });
    await waiting.getByRole('button', { name: 'Resume it' }).click();
    expect(await root(second)).toBe(expected);
  });
}

test('two tabs: the same run is worked on in one only', async ({ context, baseURL }) => {
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
    await second.goto(`${baseURL}${PNG}`);
    await second.getByRole('button', { name: 'Resume it' }).click();
    await expect(second.getByText('run_locked').first()).toBeVisible({ timeout: 10_000 });
    await expect(first.getByTestId('verdict')).toBeVisible({ timeout: 60_000 });
    expect(server.chats().length).toBe(48);
  } finally {
    await server.close();
  }
});

test('export, wipe, import, verify; a flipped byte is named', async ({ page }) => {
  await page.goto(PNG);
  await page.getByRole('button', { name: 'Replay the published run' }).click();
  await expect(page.getByTestId('verdict')).toBeVisible({ timeout: 30_000 });
  const zip = await exportNewest(page, 'zip');
  const json = await exportNewest(page, 'JSON');
  await wipe(page);
  await expect(page.getByRole('article', { name: /^Run / })).toHaveCount(0);

  for (const [name, bytes] of [
    ['run.zip', zip],
    ['run.json', json],
  ] as const) {
    const damaged = Buffer.from(bytes);
    const at = Math.floor(bytes.length / 3);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    await importFile(page, name, damaged);
    await expect(page.getByTestId('verification').last()).toContainText('does not verify', {
      timeout: 30_000,
    });
    await expect(page.getByTestId('verification').last().locator('code').first()).toHaveText(/^[a-z_]+$/);
    await expect(page.getByRole('article', { name: /^Run / })).toHaveCount(0);
  }

  await importFile(page, 'run.zip', zip);
  await expect(page.getByTestId('verification').last()).toContainText('verifies', { timeout: 30_000 });
  await expect(page.getByRole('article', { name: /^Run / })).toHaveCount(1);
  await importFile(page, 'run.json', json);
  await expect(page.getByTestId('verification').last()).toContainText('already stored', { timeout: 30_000 });
  await expect(page.getByRole('article', { name: /^Run / })).toHaveCount(1);

  const run = page.getByRole('article', { name: /^Run / }).first();
  await run.getByRole('button', { name: 'Delete…' }).click();
  await run.getByRole('button', { name: 'Delete it' }).click();
  await expect(page.getByRole('article', { name: /^Run / })).toHaveCount(0);
});

test('a foreign file is refused with a code and nothing is stored', async ({ page }) => {
  await page.goto('./#/evidence');
  await importFile(page, 'holiday.zip', Buffer.from('not a zip at all'));
  await expect(page.getByTestId('verification')).toContainText('bundle_foreign');
});

test('a dead server is plumbing: no case, resumable, the code shown', async ({ page, baseURL }) => {
  await page.goto(PNG);
  await startOllama(page, `${new URL(baseURL ?? '').origin}/nothing-here`);
  await expect(page.getByText('provider_http_status').first()).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText(/counted nowhere/).first()).toBeVisible();
  await expect(page.getByRole('article', { name: /^Run / }).first()).toContainText('incomplete, 0 of 48');
});
