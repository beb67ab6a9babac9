import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, chromium, type Frame, type Page } from '@playwright/test';
import { serve } from '../scripts/serve.mjs';
import { note } from './servers/fault-notes';
import { CANARY, type FaultServer, MODEL, TLS } from './servers/fault-server';
import { CASES, type Fault, keyOf, PAGE_CASES } from './servers/faults';
import { expectSound, LOOKS, lookAs } from './support/look';
import { expect, test } from './support/site';

const BASE = '/some/sub/path/';
const open: { close(): Promise<unknown> }[] = [];
test.afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});
test.use({ allowed: ['http://127.0.0.1:', 'https://127.0.0.1:'] });

type Case = (typeof CASES)[number];
const casesOf = (...opened: (Fault['opened'] | undefined)[]): readonly Case[] =>
  PAGE_CASES.filter(({ fault }) => opened.includes(fault.opened ?? 'local'));

async function started({ fault, kind }: Case): Promise<FaultServer> {
  const server = await fault.serve(kind);
  open.push(server);
  return server;
}

/** Opens the vision controls with the server chosen, checks it as a person does, and gives the code of the verdict. */
async function checked(page: Page | Frame, site: string, each: Case, server: FaultServer): Promise<string> {
  const { fault, kind } = each;
  const address = fault.typed?.url?.(server.url) ?? server.url;
  const query = new URLSearchParams({
    provider: kind,
    url: address,
    model: fault.typed?.model ?? MODEL,
    timeout: String(fault.seconds ?? 60),
  });
  await page.goto(`${site}#/vision-controls?${query}`);
  const forget = page.getByRole('button', { name: /^Forget the key/ });
  await expect(page.getByLabel('Key', { exact: true })).toBeVisible();
  if (await forget.isVisible()) await forget.click();
  const key = keyOf(each);
  if (key !== null) {
    const field = page.getByLabel('Key', { exact: true });
    await field.fill(key);
    await field.blur();
    await expect(forget).toBeVisible();
  }
  const doctor = page.getByTestId('doctor');
  await doctor.getByRole('button', { name: /^Check / }).click();
  const verdict = doctor.getByRole('region', { name: /^What the check of / });
  await expect(verdict, fault.name).toBeVisible({ timeout: 30_000 });
  const code = (await verdict.getAttribute('data-code')) ?? '';
  note('page', fault.name, kind, code);
  return code;
}

test('the page names each fault of a server', async ({ page, baseURL }) => {
  test.setTimeout(300_000);
  for (const each of casesOf('local')) {
    const server = await started(each);
    const code = await checked(page, baseURL ?? '', each, server);
    expect.soft(code, `${each.fault.name}, ${each.kind}`).toBe(each.fault.page);
    expect.soft(await page.content(), each.fault.name).not.toContain(CANARY);
    expect(page.url()).not.toContain(CANARY);
    // The key went along with each request that could be read, and with no other.
    const key = keyOf(each);
    const sent = key === null ? [null] : [`Bearer ${key}`, null];
    for (const came of server.keys) expect.soft(sent, each.fault.name).toContain(came);
    if (key !== null && code === 'doctor_ok') expect.soft(server.keys).not.toContain(null);
    await server.close();
  }
});

/** The built site by https and by http under names of the internet, and a page of another origin with it in a frame. */
async function elsewhere(): Promise<{ browser: Browser; secure: string; plain: string; framing: string }> {
  const folder = new URL('../dist', import.meta.url).pathname;
  const [secure, plain] = await Promise.all([
    serve({ folder, base: BASE, tls: TLS }),
    serve({ folder, base: BASE }),
  ]);
  const at = (url: string) => new URL(url).port;
  const site = `https://pixelproof.test:${at(secure.url)}${BASE}`;
  const outer = createSecureServer(TLS, (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><iframe src="${site}"></iframe>`),
  );
  await new Promise<void>((done) => outer.listen(0, '127.0.0.1', done));
  const ports = [at(secure.url), at(plain.url), String((outer.address() as AddressInfo).port)];
  const config = test.info().project.use.launchOptions ?? {};
  const browser = await chromium.launch({
    ...config,
    args: [
      ...(config.args ?? []),
      '--host-resolver-rules=MAP *.test 127.0.0.1',
      // Chromium takes these for servers of the internet, so that the local network's permission applies.
      `--ip-address-space-overrides=${ports.map((port) => `127.0.0.1:${port}=public`).join(',')}`,
    ],
  });
  open.push(browser, secure, plain, { close: async () => outer.close() });
  return {
    browser,
    secure: site,
    plain: `http://pixelproof.test:${at(plain.url)}${BASE}`,
    framing: `https://around.test:${ports[2]}/`,
  };
}

test('the page names what the browser does not allow', async () => {
  test.setTimeout(180_000);
  const { browser, secure, plain, framing } = await elsewhere();
  const opened = async (
    each: Case,
  ): Promise<{ context: BrowserContext; page: Page | Frame; site: string }> => {
    const how = each.fault.opened;
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    if (how === 'public, allowed') await context.grantPermissions(['local-network-access']);
    const page = await context.newPage();
    if (how !== 'framed') return { context, page, site: how === 'insecure' ? plain : secure };
    await page.goto(framing);
    const frame = page.frames().find((one) => one.url().startsWith(secure));
    if (frame === undefined) throw new Error('the frame did not open');
    return { context, page: frame, site: secure };
  };
  for (const each of casesOf('public', 'public, allowed', 'framed', 'https', 'insecure')) {
    const server = await started(each);
    const { context, page, site } = await opened(each);
    const code = await checked(page, site, each, server);
    expect.soft(code, `${each.fault.name}, ${each.kind}`).toBe(each.fault.page);
    // What is known beforehand is not tried out.
    if (code === 'mixed_content') expect.soft(server.paths).toEqual([]);
    await context.close();
  }
});

const ONE = CASES.find(({ fault }) => fault.name === 'nothing is wrong');
const REFUSED = CASES.find(({ fault }) => fault.name === 'CORS refused');
const SILENT = CASES.find(({ fault }) => fault.name === 'it stalls before its reply');
if (ONE === undefined || REFUSED === undefined || SILENT === undefined)
  throw new Error('a fault has another name');

test('nothing is sent before the button is pressed, and all that is sent is listed', async ({
  page,
  baseURL,
}) => {
  const server = await started(ONE);
  await page.goto(`${baseURL}#/vision-controls?provider=ollama&model=${MODEL}&url=${server.url}`);
  const doctor = page.getByTestId('doctor');
  await expect(doctor).toContainText('At most five requests');
  await page.waitForTimeout(500);
  expect(server.paths).toEqual([]);
  await doctor.getByRole('button', { name: /^Check this server/ }).click();
  await expect(doctor.getByRole('region')).toContainText('the model looks at the picture');
  await doctor.getByText('3 requests were sent').click();
  const listed = await doctor.getByRole('list').last().getByRole('listitem').allTextContents();
  expect(listed.map((line) => /127[.]0[.]0[.]1:\d+(\S+)/.exec(line)?.[1])).toEqual(server.paths);
  // What was found is dropped with the settings that it was found with.
  const model = page.getByLabel('Model, exactly as listed');
  await model.fill('another');
  await model.blur();
  await expect(doctor.getByRole('region')).toHaveCount(0);
});

test('a check is cancelled with the keyboard, and the focus stays', async ({ page, baseURL }) => {
  const server = await started(SILENT);
  await page.goto(`${baseURL}#/vision-controls?provider=ollama&model=${MODEL}&url=${server.url}`);
  const doctor = page.getByTestId('doctor');
  await doctor.getByRole('button', { name: /^Check this server/ }).focus();
  await page.keyboard.press('Enter');
  const cancel = doctor.getByRole('button', { name: 'Cancel the check' });
  await expect(cancel).toBeFocused();
  await page.waitForTimeout(700);
  await page.keyboard.press('Enter');
  await expect(doctor).toContainText('The check was cancelled.');
  await expect(doctor.getByRole('button', { name: /^Check this server/ })).toBeFocused();
  await expect(page.getByTestId('announcer')).toContainText('cancelled');
});

test('the verdict is sound on a phone and in the dark, and its lines follow the system', async ({
  page,
  baseURL,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const server = await started(REFUSED);
  const code = await checked(page, baseURL ?? '', REFUSED, server);
  expect(code).toBe('cors_refused');
  const { origin } = new URL(baseURL ?? '');
  const doctor = page.getByTestId('doctor');
  for (const [system, line] of [
    ['macOS', `launchctl setenv OLLAMA_ORIGINS "${origin}"`],
    ['Windows', `setx OLLAMA_ORIGINS "${origin}"`],
    ['Linux', `[Service]\nEnvironment="OLLAMA_ORIGINS=${origin}"`],
  ] as const) {
    await doctor.getByRole('radio', { name: system }).check();
    const button = doctor.getByRole('button', { name: /^Copy: (Tell Ollama|Add these lines)/ });
    await button.click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(line);
  }
  for (const look of LOOKS.filter(({ name }) => ['light', 'dark', '320 px'].includes(name))) {
    await lookAs(page, look);
    await expectSound(page, `the verdict, ${look.name}`);
  }
});
