import { chatReply, mockOllama, sendJson } from './servers/ollama';
import { expect, exportNewest, importFile, PNG, startOllama, test, wipe } from './support/site';

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
