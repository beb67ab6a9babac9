import type { Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import demo from '../fixtures/vision-controls/demo-manifest.json' with { type: 'json' };
import { type MockApi, mockApi, secretsOf } from './servers/apis';
import { expectFits, expectSound } from './support/look';
import { expect, exportNewest, PNG, test } from './support/site';

const yes = new Set(
  demo.rows
    .filter(({ visual_family }) => visual_family === 'tide_board')
    .map(({ screenshot }) => `sha256:${screenshot.sha256}`),
);

// The fixture fails a test on any other origin than these and the site's.
test.use({ allowed: ['http://127.0.0.1:'] });

const open: MockApi[] = [];
test.afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});
async function serve(options: Parameters<typeof mockApi>[0] = {}): Promise<MockApi> {
  const server = await mockApi(options);
  open.push(server);
  return server;
}

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true });

test('settings: kept, used by the experiments, asked by nobody', async ({ page }) => {
  const server = await serve();
  await page.goto('./#/providers');
  await expect(page.getByRole('heading', { level: 1, name: 'Providers' })).toBeVisible();
  const vllm = card(page, 'vLLM');
  await vllm.getByRole('textbox', { name: 'Address' }).fill(server.url);
  await vllm.getByRole('textbox', { name: 'Model' }).fill('mock-vision');
  await vllm.getByText('Limits', { exact: true }).click();
  await vllm.getByLabel('Between two starts, ms').fill('1');
  await vllm.getByLabel('Between two starts, ms').blur();
  await expectSound(page, 'settings with an open card');
  // A password in an address is neither kept nor left standing.
  const gateway = card(page, 'OpenAI-compatible').getByRole('textbox', { name: 'Address' });
  await gateway.fill('http://me:canary-of-an-address@host/');
  await gateway.blur();
  await expect(page.getByRole('alert')).toContainText('a name or a password');
  await expect(gateway).toHaveValue('http://…@host/');
  await page.reload();
  await expect(vllm.getByRole('textbox', { name: 'Address' })).toHaveValue(server.url);
  await expect(gateway).toHaveValue('');

  await page.goto(`${PNG}?provider=vllm&variants=labelled-v1`);
  await expect(page.getByRole('textbox', { name: 'Address' })).toHaveValue(server.url);
  await page.goto(`${PNG}?provider=vllm&variants=labelled-v1&url=http://127.0.0.1:1`);
  await expect(page.getByRole('textbox', { name: 'Address' })).toHaveValue('http://127.0.0.1:1');
  await page.goto(`${PNG}?provider=vllm&variants=labelled-v1`);
  expect(server.calls).toEqual([]);

  // By keyboard: a start asks eight questions, one a case.
  await page.getByRole('button', { name: /^Start: 8 calls/ }).press('Enter');
  await expect(page.getByTestId('run-verdict')).toBeVisible({ timeout: 60_000 });
  expect(server.asked()).toHaveLength(8);
});

test('a settings page of 320 px in the dark holds its cards', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('./#/providers');
  await expect(card(page, 'Anthropic')).toBeVisible();
  await expectFits(page, 'providers at 320 px');
  await expectSound(page, 'providers at 320 px, dark');
});

/** Distinctive words in every field that may hold a secret. */
const CANARY = (name: string) => `sk-canary-${name}-7f3a9c2e`;
const KEYED = ['openai-responses', 'anthropic', 'gemini'] as const;

/** Everything the page and its exports hold, as text: zip entries and JSON with their strings decoded. */
async function everything(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const found: string[] = [
      location.href,
      document.documentElement.outerHTML,
      document.body.textContent ?? '',
    ];
    for (const field of document.querySelectorAll('input, textarea, select'))
      found.push((field as HTMLInputElement).value);
    for (const area of [localStorage, sessionStorage]) found.push(JSON.stringify({ ...area }));
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) found.push(request.url);
    }
    const text = (value: unknown): string =>
      value instanceof Uint8Array || value instanceof ArrayBuffer
        ? new TextDecoder('latin1').decode(value)
        : typeof value === 'object' && value !== null
          ? Object.entries(value)
              .map(([name, inner]) => `${name}\n${text(inner)}`)
              .join('\n')
          : String(value);
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined || name === 'pixelproof-keys') continue;
      const db = await new Promise<IDBDatabase>((done, fail) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => done(opening.result);
        opening.onerror = () => fail(opening.error);
      });
      for (const store of db.objectStoreNames) {
        const all = await new Promise<unknown[]>((done) => {
          const reading = db.transaction(store).objectStore(store).getAll();
          reading.onsuccess = () => done(reading.result);
        });
        found.push(text(all));
      }
      db.close();
    }
    return found.join('\n');
  });
}

/** The words of an export, every entry of it and every string in its JSON decoded. */
async function exported(page: Page, format: 'zip' | 'JSON'): Promise<string> {
  const bytes = await exportNewest(page, format);
  const texts =
    format === 'zip'
      ? Object.entries(unzipSync(bytes)).map(
          ([name, part]) => `${name}\n${Buffer.from(part).toString('latin1')}`,
        )
      : [bytes.toString('utf8')];
  const strings: string[] = [...texts];
  const decode = (text: string) => {
    for (const line of [text, ...text.split('\n')]) {
      if (!/^\s*[{["]/.test(line)) continue;
      try {
        JSON.stringify(JSON.parse(line), (name, value) => {
          strings.push(name);
          if (typeof value === 'string' && !strings.includes(value)) {
            strings.push(value);
            if (/^\s*[{[]/.test(value)) decode(value);
          }
          return value;
        });
      } catch {
        // A line that is no JSON stands in the text above.
      }
    }
  };
  for (const text of texts) decode(text);
  return strings.join('\n');
}

test('canaries in every key field, sent back by the servers, are in nothing but the key store', async ({
  page,
}) => {
  test.setTimeout(240_000);
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error.stack)));
  const server = await serve({ echo: true, yes });
  const url = encodeURIComponent(server.url);

  for (const id of KEYED) {
    await page.goto(`${PNG}?provider=${id}&variants=labelled-v1&model=mock-vision&url=${url}`);
    const key = page.getByLabel('Key', { exact: true });
    await key.fill(CANARY(id));
    await key.blur();
    await expect(page.getByText('A key is held in this tab’s memory')).toBeVisible();
    await expect(key).toHaveValue('');
    // One of them is kept in the browser, where the search must not find it outside its own store.
    if (id === 'gemini') {
      await page.getByRole('checkbox', { name: 'Keep the key in this browser' }).check();
      await expect(page.getByText('A key is kept in this browser')).toBeVisible();
    }
    await page.getByRole('button', { name: /^Start: 8 calls/ }).click();
    await expect(page.getByTestId('run-verdict')).toBeVisible({ timeout: 60_000 });
    for (const format of ['zip', 'JSON'] as const) {
      const words = await exported(page, format);
      expect(words).not.toContain('canary');
      // The same export holds what the server said beside the echo: this search can fail.
      expect(words).toContain('[REDACTED]');
    }
    expect(await everything(page)).not.toContain('canary');
  }

  await page.goto(`./#/vision-controls?provider=gemini&annotation=none&model=mock-vision&url=${url}`);
  await expect(page.getByText('A key is kept in this browser')).toBeVisible();
  await page.getByRole('button', { name: /^Start: ask / }).click();
  await expect(page.getByTestId('run-verdict')).toContainText('Pass', { timeout: 60_000 });
  expect(await exported(page, 'zip')).not.toContain('canary');

  // Every canary reached the server, so each search above looked for something that was there.
  const reached = new Set(server.calls.flatMap(secretsOf));
  for (const id of KEYED) expect([...reached]).toContain(CANARY(id));
  expect(await everything(page)).not.toContain('canary');
  expect(said.join('\n')).not.toContain('canary');

  // It is in the key store, and Forget takes it and the store away.
  const databases = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  expect(await databases()).toContain('pixelproof-keys');
  await page.reload();
  await page.getByRole('button', { name: /^Forget the key/ }).click();
  await expect.poll(databases).not.toContain('pixelproof-keys');
});

test('a search for canaries finds one that leaks', async ({ page }) => {
  await page.goto('./');
  await page.evaluate(() => sessionStorage.setItem('leak', 'sk-canary-leaks'));
  expect(await everything(page)).toContain('canary');
});

test('canaries of the services that decide and draw are in no record either', async ({ page }) => {
  test.setTimeout(180_000);
  const server = await serve({ echo: true, answer: () => ({ status: 500, body: { error: 'no' } }) });
  const url = encodeURIComponent(`${server.url}/v1/chat/completions`);
  await page.goto(
    `./#/pong-controls?who=openai-chat&model=m&arms=jev-original&seeds=36&frames=80&url=${url}`,
  );
  const key = page.getByLabel('Key', { exact: true });
  await key.fill(CANARY('pong'));
  await key.blur();
  await page.getByRole('button', { name: /^Start: / }).click();
  await expect(page.getByText('provider_http_status').first()).toBeVisible({ timeout: 60_000 });
  expect(await exported(page, 'zip')).not.toContain('canary');
  expect(await everything(page)).not.toContain('canary');

  await page.goto('./#/image-signals');
  const name = 'OpenAI GPT Image 2 Medium (hosted calibration), repetition 1';
  await page.getByRole('button', { name: `${name}: planned` }).click();
  const cell = page.getByTestId('cell');
  await cell.getByText('Ask an image service').click();
  await cell.getByLabel('Address of the image service').fill(server.url);
  await cell.getByLabel('Key', { exact: true }).fill(CANARY('draws'));
  await cell.getByRole('button', { name: /^Ask OpenAI/ }).click();
  await expect(page.getByRole('button', { name: `${name}: failed` })).toBeVisible({ timeout: 20_000 });
  const reached = server.calls.flatMap(secretsOf);
  expect(reached).toEqual(expect.arrayContaining([CANARY('pong'), CANARY('draws')]));
  expect(await everything(page)).not.toContain('canary');
});
