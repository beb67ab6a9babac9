import AxeBuilder from '@axe-core/playwright';
import { expect, type FrameLocator, type Page, test } from '@playwright/test';
import { demosHeld, type Hosted, heard, hostPages, listen } from './support/host-page';

// Pages as two documentation tools build them, with their style resets, their switches of scheme and their navigation
// that loads no new document (fixtures/host-pages), on another origin than the site.

interface Tool {
  readonly name: string;
  readonly folder: string;
  /** Switches the page between light and dark, as a reader does. */
  readonly toggle: (page: Page) => Promise<void>;
}

const TOOLS: readonly Tool[] = [
  {
    name: 'MkDocs Material',
    folder: 'mkdocs-material',
    // A label that a mouse presses: its field takes the keyboard.
    toggle: (page) => page.locator('form[data-md-component=palette] label:visible').click(),
  },
  {
    name: 'Docusaurus',
    folder: 'docusaurus',
    toggle: (page) => page.getByRole('button', { name: /^Switch between dark and light mode/ }).click(),
  },
];
const PNG_ROOT = 'sha256:89f1346432cf62ec34d135feb2cbe544ddcaf8be05206a05283b27d77a35d090';

/** The demo at that place on the page, scrolled to, so that the browser loads its frame. */
async function demoAt(page: Page, at: number): Promise<FrameLocator> {
  const demo = page.locator('pixelproof-demo').nth(at);
  await demo.scrollIntoViewIfNeeded();
  const frame = demo.locator('iframe').contentFrame();
  await expect(frame.getByRole('button', { name: 'Run it here' })).toBeVisible();
  return frame;
}

async function runs(frame: FrameLocator): Promise<void> {
  await frame.getByRole('button', { name: 'Run it here' }).click();
  await expect(frame.getByText('equals the published value')).toBeVisible({ timeout: 60_000 });
}

/** As wide as its place, without a border, and as tall as its content: the host's reset has no hold on it. */
async function sits(page: Page, at: number): Promise<void> {
  const demo = page.locator('pixelproof-demo').nth(at);
  await expect
    .poll(async () => {
      const inner = await demo
        .locator('iframe')
        .contentFrame()
        .locator('html')
        .evaluate((html) => ({ over: html.scrollHeight - innerHeight, wide: html.scrollWidth - innerWidth }));
      return demo.evaluate((element, { over, wide }) => {
        const frame = element.shadowRoot?.querySelector('iframe');
        if (frame === null || frame === undefined) return null;
        const [own, place] = [frame.getBoundingClientRect(), element.getBoundingClientRect()];
        const parent = element.parentElement?.getBoundingClientRect().width ?? 0;
        return {
          scrolls: over > 0 || wide > 0,
          border: getComputedStyle(frame).borderTopWidth,
          filled: Math.abs(own.width - place.width) < 1 && Math.abs(place.width - parent) < 1,
          squeezed: Math.abs(own.height - Number.parseFloat(frame.style.height)) >= 1,
        };
      }, inner);
    })
    .toEqual({ scrolls: false, border: '0px', filled: true, squeezed: false });
}

/** What is in a frame or a shadow root of these pages is ours, the rest the tool's. */
function ours<Node extends { readonly target: readonly unknown[] }>(nodes: readonly Node[]): Node[] {
  return nodes.filter(({ target }) => target.length > 1 || Array.isArray(target[0]));
}

for (const { name, folder, toggle } of TOOLS) {
  test.describe(name, () => {
    let hosted: Hosted;
    let strangers: string[] = [];
    let complaints: string[] = [];
    test.beforeAll(async () => {
      hosted = await hostPages(`fixtures/host-pages/${folder}/built`, `/${folder}/`);
    });
    test.afterAll(() => hosted.close());
    test.beforeEach(async ({ page }) => {
      strangers = [];
      complaints = [];
      const own = [hosted.host, hosted.site].map((address) => new URL(address).origin);
      page.on('request', (request) => {
        const url = request.url();
        if (!/^(data|blob):/.test(url) && !own.includes(new URL(url).origin)) strangers.push(url);
      });
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      await listen(page);
      await page.goto(hosted.host);
    });
    test.afterEach(() => {
      expect(strangers, 'requests to a third origin').toEqual([]);
      expect(complaints, 'errors and warnings in the console').toEqual([]);
    });

    test('two demos on one page run, size themselves and tell the page', async ({ page }) => {
      const first = await demoAt(page, 0);
      await runs(first);
      await sits(page, 0);
      await runs(await demoAt(page, 1));
      await sits(page, 1);
      const { results } = await heard(page);
      expect(results.map(({ experiment, equal }) => [experiment, equal])).toEqual([
        ['png-representation', true],
        ['vision-controls', true],
      ]);
      expect(results[0]?.root_digest).toBe(PNG_ROOT);
    });

    test('the demos follow the page’s own switch of scheme, there and back', async ({ page }) => {
      const first = await demoAt(page, 0);
      const second = await demoAt(page, 1);
      await page.evaluate(() => scrollTo(0, 0));
      for (const [scheme, paper] of [
        ['light', 'rgb(251, 250, 247)'],
        ['dark', 'rgb(20, 21, 23)'],
        ['light', 'rgb(251, 250, 247)'],
      ] as const) {
        for (const frame of [first, second]) {
          await expect(frame.locator('html')).toHaveAttribute('data-theme', scheme);
          await expect(frame.locator('article')).toHaveCSS('background-color', paper);
        }
        await toggle(page);
      }
    });

    test('to the other page and back without a new document: demos appear and run, and nothing is left behind', async ({
      page,
    }) => {
      await page.evaluate(() => Object.assign(window, { sameDocument: true }));
      const go = async (link: string, title: string, demos: number) => {
        await page.getByRole('article').getByRole('link', { name: link }).press('Enter');
        await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
        await expect(page.locator('pixelproof-demo')).toHaveCount(demos);
        await demoAt(page, demos - 1);
      };
      await demoAt(page, 1);
      const { listeners } = await heard(page);
      for (let round = 0; round < 3; round++) {
        await go('one demo', 'One demo', 1);
        expect((await heard(page)).listeners).toBe(listeners - 1);
        await go('two demos', 'Two demos', 2);
        expect((await heard(page)).listeners).toBe(listeners);
      }
      // Nine were made. What the tool still holds of the pages before is empty.
      const before = await demosHeld(page);
      expect(before).toMatchObject({ shown: 2, withFrame: 2 });
      await page.evaluate(async () => {
        for (let i = 0; i < 20; i++) {
          const demo = document.createElement('pixelproof-demo');
          demo.setAttribute('experiment', 'png-representation');
          document.body.append(demo);
          await new Promise((resolve) => setTimeout(resolve, 10));
          demo.remove();
        }
      });
      // The script above may still hold its last one, and nobody the others.
      await expect.poll(async () => (await demosHeld(page)).held).toBeLessThanOrEqual(before.held + 1);
      expect(page.frames()).toHaveLength(3);
      await runs(await demoAt(page, 0));
      expect((await heard(page)).results).toHaveLength(1);
      await go('one demo', 'One demo', 1);
      await runs(await demoAt(page, 0));
      expect((await heard(page)).results).toHaveLength(2);
      expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
    });

    test('on a screen of 320 px it fits, and axe finds nothing in it, light and dark', async ({ page }) => {
      // A frame out of sight stands in the middle of its transitions.
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await toggle(page);
      for (const scheme of ['dark', 'light']) {
        await page.setViewportSize({ width: 320, height: 640 });
        for (const [at, title] of ['PNG representation', 'Vision controls'].entries()) {
          const frame = await demoAt(page, at);
          await expect(frame.locator('html')).toHaveAttribute('data-theme', scheme);
          if (scheme === 'dark') await runs(frame);
          await sits(page, at);
          // Frames that are out of sight are drawn and answered late: each is looked at where it is.
          await frame.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
          // On a busy machine axe may give a frame up before it answered: then it has not looked into it.
          await expect(async () => {
            const { violations, passes } = await new AxeBuilder({ page }).analyze();
            const seen = ours(passes.flatMap(({ nodes }) => nodes)).map(({ html }) =>
              html.replace(/<[^>]*>/g, ''),
            );
            expect(seen, 'axe looked into the frame').toContain(title);
            expect(
              violations.flatMap(({ id, nodes }) =>
                ours(nodes).map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
              ),
            ).toEqual([]);
          }).toPass({ timeout: 40_000 });
        }
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.evaluate(() => scrollTo(0, 0));
        if (scheme === 'dark') await toggle(page);
      }
    });
  });
}
