import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';

test.use({ serviceWorkers: 'allow' });

const TYPES: { readonly [ending: string]: string } = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/** A static host whose folder can be exchanged under an open tab, and that can be switched off. */
class Host {
  folder: string;
  readonly #server: Server;

  private constructor(folder: string) {
    this.folder = folder;
    this.#server = createServer((request, response) => {
      const path = (request.url ?? '/').split('?')[0]?.replace(/^\/lab\//, '') ?? '';
      const file = join(this.folder, path === '' ? 'index.html' : path);
      try {
        const bytes = readFileSync(file);
        response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
        response.end(bytes);
      } catch {
        response.writeHead(404).end();
      }
    });
  }

  static async open(folder: string): Promise<Host> {
    const host = new Host(folder);
    await new Promise<void>((resolve) => host.#server.listen(0, '127.0.0.1', resolve));
    return host;
  }

  get address(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/lab/`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Until the browser says that it keeps the site. */
async function kept(page: Page, address: string): Promise<void> {
  await page.goto(`${address}#/about`);
  await expect(page.getByTestId('offline')).toContainText('it opens without a network');
}

test('after the first visit the site opens and runs its smoke fixtures without a network', async ({
  page,
}) => {
  const host = await Host.open('dist');
  const { address } = host;
  try {
    await kept(page, address);
  } finally {
    await host.close();
  }
  await page.goto(address);
  await page.getByRole('button', { name: /^Run all smoke fixtures/ }).click();
  await expect(page.locator('#content').getByText('All smoke runs are complete')).toBeVisible({
    timeout: 90_000,
  });
  await page.context().setOffline(true);
  await expect(page.getByTestId('no-network')).toContainText('The whole site is here');
  const lines = await page.locator('[data-testid^="smoke-"]').count();
  expect(lines).toBeGreaterThanOrEqual(4);
  await expect(page.getByText('equals the published value')).toHaveCount(lines);
  for (const [route, heading] of [
    ['png-representation', 'PNG representation'],
    ['pong-controls', 'Pong controls'],
    ['vision-controls', 'Vision controls'],
    ['image-signals', 'Image signals'],
    ['evidence', 'Evidence'],
  ] as const) {
    await page.goto(`${address}?from=a-link#/${route}`);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  }
});

test('a deploy under open tabs: the old one goes on, the new one comes when asked for', async ({
  page,
  context,
}) => {
  const next = mkdtempSync(join(tmpdir(), 'pixelproof-deploy-'));
  const host = await Host.open('dist');
  try {
    await kept(page, host.address);
    const other = await context.newPage();
    await other.goto(`${host.address}#/about`);
    await expect(other.getByTestId('offline')).toContainText('it opens without a network');

    // The next build: another index.html, and every part of the vision controls' page has gone.
    cpSync('dist', next, { recursive: true });
    const html = readFileSync(join(next, 'index.html'), 'utf8');
    writeFileSync(join(next, 'index.html'), html.replace('<head>', '<head><meta name="next" />'));
    for (const name of readdirSync(join(next, 'assets'))) {
      const text = readFileSync(join(next, 'assets', name), 'utf8');
      if (name.startsWith('Page-') && text.includes('Vision controls')) rmSync(join(next, 'assets', name));
    }
    execFileSync('node', [
      '--input-type=module',
      '--eval',
      `const { buildOffline } = await import('./scripts/build-offline.mjs'); await buildOffline(${JSON.stringify(next)});`,
    ]);
    host.folder = next;

    // Nobody is switched. The tab says that there is one, and its own parts still come.
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await expect(page.getByTestId('update')).toContainText('A newer version of this site is ready');
    await page.goto(`${host.address}#/vision-controls`);
    await expect(page.getByRole('heading', { level: 1, name: 'Vision controls' })).toBeVisible();
    expect(await page.locator('meta[name=next]').count()).toBe(0);

    await page.getByRole('button', { name: 'Reload with the new version' }).click();
    await expect(page.locator('meta[name=next]')).toHaveCount(1);
    await expect(page.getByTestId('update')).toHaveCount(0);

    // The other tab is told, and finds the parts of its own build although the server has them no longer.
    await expect(other.getByTestId('update')).toContainText('Another tab has taken a newer version');
    await other.evaluate(() => {
      location.hash = '#/vision-controls';
    });
    await expect(other.getByRole('heading', { level: 1, name: 'Vision controls' })).toBeVisible();
    await other.getByRole('button', { name: 'Later' }).click();
    await expect(other.getByTestId('update')).toHaveCount(0);
  } finally {
    await host.close();
    rmSync(next, { recursive: true });
  }
});
