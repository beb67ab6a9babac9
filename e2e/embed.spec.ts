import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type FrameLocator, type Page, test } from '@playwright/test';

// Host pages as docs authors have them, on another origin than the site.

const TYPES: { readonly [ending: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};
const ROOT = 'sha256:89f1346432cf62ec34d135feb2cbe544ddcaf8be05206a05283b27d77a35d090';

let server: Server;
let host = '';
let site = '';
/** Pages of the host by path, with the headers they come with. */
const pages = new Map<string, { html: string; headers?: Record<string, string> }>();

test.beforeAll(async () => {
  server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const page = pages.get(path);
    if (page !== undefined) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...page.headers });
      response.end(page.html);
      return;
    }
    // The site, without a header that would let another origin read it.
    try {
      const bytes = readFileSync(join('dist', path.replace(/^\/tools\/lab\//, '')));
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' });
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  // Two names of one machine are two origins, and two sites.
  host = `http://localhost:${port}`;
  site = `http://127.0.0.1:${port}/tools/lab/`;
});
test.afterAll(() => new Promise((resolve) => server.close(resolve)));

const demo = (attributes = '') =>
  `<pixelproof-demo experiment="png-representation" run="replay" ${attributes}></pixelproof-demo>`;
const included = () => `<script src="${site}embed.js" defer></script>`;
const document_ = (body: string, head = '') =>
  `<!doctype html><html lang="en"><head><title>Host</title>${head}</head><body><h1>Docs</h1>${body}</body></html>`;

/** Opens a host page and listens as its author would. */
async function open(page: Page, path: string, origin = host): Promise<FrameLocator> {
  await page.addInitScript(() => {
    const heard: unknown[] = [];
    Object.assign(window, { heard });
    addEventListener('pixelproof-result', (event) => heard.push((event as CustomEvent).detail));
    addEventListener('pixelproof-ready', (event) => heard.push((event as CustomEvent).detail));
  });
  await page.goto(`${origin}${path}`);
  return page.frameLocator('pixelproof-demo iframe').first();
}

async function runs(page: Page, frame: FrameLocator): Promise<void> {
  await frame.getByRole('button', { name: 'Run it here' }).click();
  await expect(frame.getByText('equals the published value')).toBeVisible({ timeout: 60_000 });
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { heard: unknown[] }).heard.at(-1)))
    .toMatchObject({
      experiment: 'png-representation',
      provider: 'replay',
      kind: 'replayed',
      complete: true,
      root_digest: ROOT,
      equal: true,
    });
}

/** The frame is as tall as its content: it never scrolls by itself. */
async function fits(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const frame = page.frames().find((one) => one.url().includes('embed.html'));
      return frame?.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    })
    .toBeLessThanOrEqual(0);
}

test('a plain page: the demo runs, tells its host, sizes itself, and leaves no global', async ({ page }) => {
  pages.set('/plain', { html: document_(demo(), included()) });
  const frame = await open(page, '/plain');
  await runs(page, frame);
  await fits(page);
  const added = await page.evaluate(async (address) => {
    const before = new Set(Object.keys(window));
    await new Promise((resolve) => {
      const script = document.createElement('script');
      script.src = `${address}embed.js`;
      script.onload = resolve;
      document.head.append(script);
    });
    return Object.keys(window).filter((name) => !before.has(name));
  }, site);
  expect(added).toEqual([]);
});

test('a demo’s frame asks for what it shows, and for no page of the site', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''));
  pages.set('/plain', { html: document_(demo(), included()) });
  await runs(page, await open(page, '/plain'));
  expect(asked.filter((name) => name.endsWith('.png')).toSorted()).toEqual([
    expect.stringMatching(/^card-lane-enhanced-v1/),
    expect.stringMatching(/^card-unlabelled-v1/),
  ]);
  expect(asked.filter((name) => /^(Home|Page|sw|start)\b/.test(name))).toEqual([]);
});

test('a page of the same origin below a path, and two demos on it that do not mix', async ({ page }) => {
  pages.set('/guide/deep/page', {
    html: document_(
      `${demo('id="one"')}<pixelproof-demo id="two" experiment="vision-controls" run="scripted"></pixelproof-demo>`,
      included(),
    ),
  });
  await open(page, '/guide/deep/page', new URL(site).origin);
  const two = page.frameLocator('#two iframe');
  await two.getByRole('button', { name: 'Run it here' }).click();
  await expect(two.getByText('equals the published value')).toBeVisible({ timeout: 60_000 });
  const sources = await page.evaluate(() =>
    (window as unknown as { heard: { experiment?: string }[] }).heard.flatMap(
      ({ experiment }) => experiment ?? [],
    ),
  );
  expect(sources).toEqual(['vision-controls']);
  await expect(page.frameLocator('#one iframe').getByText('equals the published value')).toHaveCount(0);
});

test('a page with a strict policy that names only the site', async ({ page }) => {
  const origin = new URL(site).origin;
  pages.set('/strict', {
    html: document_(demo(), included()),
    headers: {
      'content-security-policy': `default-src 'none'; script-src ${origin}; frame-src ${origin}; require-trusted-types-for 'script'`,
    },
  });
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text());
  });
  await runs(page, await open(page, '/strict'));
  expect(refused.filter((text) => /policy|Trusted/i.test(text))).toEqual([]);
});

test('a frame in a sandbox: with its origin it runs, without it says what it needs', async ({ page }) => {
  pages.set('/sandbox', {
    html: document_(
      `<iframe id="with" sandbox="allow-scripts allow-same-origin" width="600" height="900" src="${site}embed.html?experiment=png-representation&run=replay"></iframe>
       <iframe id="without" sandbox="allow-scripts" width="600" height="300" src="${site}embed.html?experiment=png-representation"></iframe>`,
    ),
  });
  await open(page, '/sandbox');
  const frame = page.frameLocator('#with');
  await frame.getByRole('button', { name: 'Run it here' }).click();
  await expect(frame.getByText('equals the published value')).toBeVisible({ timeout: 60_000 });
  await expect(page.frameLocator('#without').getByText('allow-same-origin')).toBeVisible();
});

test('a demo that begins to listen after the page has said hello is greeted again', async ({ page }) => {
  pages.set('/late', { html: document_(demo(), included()) });
  // As if its script had run after the frame's load: the first hello finds nobody.
  await page.addInitScript(() => {
    if (window === window.parent) return;
    const lose = (event: MessageEvent): void => {
      if ((event.data as { type?: string }).type !== 'hello') return;
      removeEventListener('message', lose, true);
      event.stopImmediatePropagation();
    };
    addEventListener('message', lose, true);
  });
  await runs(page, await open(page, '/late'));
  await fits(page);
});

test('storage denied: the demo runs in memory and says so', async ({ page }) => {
  await page.addInitScript(() => {
    if (location.pathname.includes('embed.html'))
      Object.defineProperty(globalThis, 'indexedDB', { value: undefined, configurable: true });
  });
  pages.set('/denied', { html: document_(demo(), included()) });
  await page.route(/\/assets\/runner-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    const script =
      "Object.defineProperty(globalThis, 'indexedDB', { value: undefined, configurable: true });\n";
    await route.fulfill({ response, body: script + (await response.text()) });
  });
  const frame = await open(page, '/denied');
  await expect(frame.getByText('keeps nothing for this frame')).toBeVisible();
  await runs(page, frame);
});

test('a dark page that switches, whatever the system prefers', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  pages.set('/dark', {
    html: document_(
      demo(),
      `${included()}<style>body{background:#101114;color:#eee;transition:background-color 0.4s}body.light{background:#fff;color:#111}</style>`,
    ),
  });
  const frame = await open(page, '/dark');
  await expect(frame.locator('html')).toHaveAttribute('data-theme', 'dark');
  const paper = () =>
    frame
      .locator('article')
      .first()
      .evaluate((main) => getComputedStyle(main).backgroundColor);
  expect(await paper()).toBe('rgb(20, 21, 23)');
  await page.evaluate(() => {
    document.body.className = 'light';
  });
  await expect(frame.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect.poll(paper).toBe('rgb(251, 250, 247)');
});

test('messages from elsewhere and malformed ones change nothing; an unknown experiment is named', async ({
  page,
}) => {
  pages.set('/hostile', {
    html: document_(
      `${demo('id="one"')}<pixelproof-demo id="two" experiment="no-such"></pixelproof-demo>`,
      included(),
    ),
  });
  const frame = await open(page, '/hostile');
  await expect(frame.getByRole('heading', { name: 'PNG representation' })).toBeVisible();
  await expect(page.frameLocator('#two iframe').getByText('There is no experiment “no-such”')).toBeVisible();
  await fits(page);
  const height = () => page.locator('#one').evaluate((element) => element.getBoundingClientRect().height);
  const before = await height();
  await page.evaluate(() => {
    // From the host's own window, and not from the demo's.
    for (const data of [
      { pixelproof: 1, type: 'size', height: 9 },
      { pixelproof: 1, type: 'result', result: { experiment: 'forged' } },
      null,
      'size',
    ])
      postMessage(data, '*');
  });
  // From the demo's window, and not what a demo says.
  const inside = page.frames().find((one) => one.url().includes('run=replay'));
  await inside?.evaluate(() => {
    for (const data of [
      { pixelproof: 1, type: 'size', height: -5 },
      { pixelproof: 1, type: 'size', height: 1e9 },
      { pixelproof: 2, type: 'size', height: 50 },
      { pixelproof: 1, type: 'result', result: { experiment: 7 } },
    ])
      parent.postMessage(data, '*');
  });
  await page.waitForTimeout(300);
  expect(await height()).toBe(before);
  expect(
    await page.evaluate(() =>
      (window as unknown as { heard: { experiment?: unknown }[] }).heard.filter((one) => one.experiment),
    ),
  ).toEqual([]);
});

test('the examples of docs/embedding.md are live, made from its text, and do what it says', async ({
  page,
}) => {
  await page.goto(`${site}examples.html`);
  const documented = [
    ...readFileSync('docs/embedding.md', 'utf8').matchAll(/^```html\n([\s\S]*?)^```$/gm),
  ].map(([, html]) => html?.trim() ?? '');
  expect(await page.locator('pre').allTextContents()).toEqual(documented);
  await expect(page.locator('#outcome')).toHaveText('Not run yet.');
  await page.locator('#demo').scrollIntoViewIfNeeded();
  await page.frameLocator('#demo iframe').getByRole('button', { name: 'Run it here' }).click();
  await expect(page.locator('#outcome')).toContainText(`Root digest ${ROOT}, as published.`, {
    timeout: 60_000,
  });
  const plain = page.frameLocator('iframe[src*="vision-controls"]');
  await expect(plain.getByRole('heading', { name: 'Vision controls' })).toBeVisible();
  expect((await new AxeBuilder({ page }).exclude('iframe').analyze()).violations).toEqual([]);
});
