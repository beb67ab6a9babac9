import { SMOKE_RUNS } from '../src/lab/smoke-runs';
import { expectFits, expectSound, LOOKS, lookAs, unfold } from './support/look';
import { expect, importFile, PNG, test } from './support/site';

/** Every page; of the long one, the view with the most in it. */
const ROUTES = [
  './#/',
  './#/png-representation?case=unlabelled-v1:3&steps=0&compare=difference',
  './#/image-signals',
  './#/vision-controls?cell=demo-seed-shelf:swapped',
  './#/pong-controls',
  './#/atari',
  './#/providers',
  './#/evidence',
  './#/about',
  './#/self-check',
  './#/no-such-page',
  './examples.html',
  './verifier.html',
];
/** More views of it, for their width. */
const WIDTHS = [
  './#/png-representation?case=lane-enhanced-v1:1&factor=target&a=combined-v1:57&steps=2&compare=blink&published.q=root',
  './#/png-representation?fixture=canonical&provider=ollama&variants=combined-v1',
];

for (const look of LOOKS) {
  test(`every page is sound after the smoke runs: ${look.name}`, async ({ page }) => {
    test.setTimeout(480_000);
    await page.goto('./');
    await lookAs(page, look);
    await page.getByRole('button', { name: /Run all smoke fixtures/ }).click();
    await expect(page.getByText(/^All smoke runs are complete/).first()).toBeVisible({ timeout: 60_000 });
    await expectSound(page, 'Home, the runs just done');
    for (const route of ROUTES) {
      await page.goto(route);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.waitForTimeout(700);
      await expectSound(page, route);
      await unfold(page);
      await expectFits(page, `${route}, unfolded`);
    }
    for (const route of WIDTHS) {
      await page.goto(route);
      await page.waitForTimeout(1500);
      await unfold(page);
      await expectFits(page, route);
    }
  });

  test(`empty pages and errors are sound: ${look.name}`, async ({ page }) => {
    test.setTimeout(480_000);
    await page.goto('./#/evidence');
    await lookAs(page, look);
    await expect(page.getByRole('heading', { name: '0 stored runs' })).toBeVisible();
    await expectSound(page, 'no evidence');
    await importFile(page, 'holiday.zip', Buffer.from('not a zip at all'));
    await expect(page.getByTestId('verification')).toContainText('bundle_foreign');
    await expectSound(page, 'a foreign file');

    await page.goto('./#/png-representation?run=nowhere');
    await expect(page.getByText('run_not_found').first()).toBeVisible();
    await expectSound(page, 'a link to a run that is not here');
    await page.goto(`${PNG}?variants=none`);
    await expect(page.getByText('Choose at least one representation.')).toBeVisible();
    await expectSound(page, 'a plan that is refused');
    const dead = encodeURIComponent(`${new URL(page.url()).origin}/nothing-here`);
    await page.goto(`${PNG}?provider=ollama&url=${dead}`);
    await page.getByRole('button', { name: /^Start: 48 calls/ }).click();
    await expect(page.getByText('provider_http_status').first()).toBeVisible({ timeout: 20_000 });
    await expectSound(page, 'a dead server');
    const record = page.getByRole('article', { name: /^Run / }).first();
    await record.getByRole('button', { name: 'Delete…' }).click();
    await expectSound(page, 'asked whether to delete');
    await page.getByRole('button', { name: /^Keyboard shortcuts/ }).click();
    await expectSound(page, 'the list of shortcuts');
  });
}

test('a model name of 400 letters widens no page of a 320 px screen', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(PNG);
  await page.getByRole('radio', { name: /^Ollama(?! generate)/ }).check();
  const model = page.getByRole('textbox', { name: /^Model/ });
  await model.fill('m'.repeat(400));
  await model.blur();
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect(page.getByText(/asked of m{400} at/)).toBeVisible();
  expect(await width()).toBeLessThanOrEqual(320);
  // An address of the site's own, where nobody answers as Ollama does.
  await page.getByRole('textbox', { name: 'Address' }).fill(new URL(page.url()).origin);
  await page.getByRole('button', { name: /^Start: 48 calls/ }).click();
  await expect(page.getByText('provider_http_status').first()).toBeVisible();
  expect(await width()).toBeLessThanOrEqual(320);
  await page.goto('./#/evidence');
  await expect(page.getByText(/^Ollama, m{400}$/)).toBeVisible();
  expect(await width()).toBeLessThanOrEqual(320);
});

test('on a narrow screen the pages are behind one button, by keyboard too', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('./');
  const menu = page.getByRole('button', { name: 'Menu' });
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await expect(menu).toHaveAttribute('aria-expanded', 'false');
  await expect(pages).toBeHidden();
  await menu.press('Enter');
  await expect(pages.getByRole('link', { name: 'Home' })).toBeVisible();
  await expectSound(page, 'the menu');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await expect(pages).toBeHidden();
  await expect(menu).toBeFocused();
  await menu.press('Enter');
  await pages.getByRole('link', { name: 'About' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('About and limits');
  await expect(pages).toBeHidden();
});

test('the smoke, an export and a delete by keyboard alone', async ({ page }) => {
  await page.goto('./');
  const press = async (name: RegExp) => {
    for (let i = 0; i < 200; i++) {
      await page.keyboard.press('Tab');
      const label = await page.evaluate(() => {
        const element = document.activeElement;
        return element === null
          ? ''
          : (element.getAttribute('aria-label') ?? element.textContent ?? '').trim();
      });
      if (name.test(label)) return page.keyboard.press('Enter');
    }
    throw new Error(`No focusable element named ${name} within 200 tabs`);
  };
  await press(/Run all smoke fixtures/);
  await expect(page.getByTestId('smoke-vision-controls-replay')).toContainText('equals the published value', {
    timeout: 60_000,
  });
  await press(/^Evidence$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Evidence' })).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent('download'), press(/^Export zip$/)]);
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
  await press(/^Delete…$/);
  await press(/^Delete it$/);
  await expect(page.getByRole('article', { name: /^Run / })).toHaveCount(SMOKE_RUNS.length - 1);
});

test('a page that does not arrive says so where the keyboard is', async ({ page, context }) => {
  await page.goto('./');
  const stored = page.getByRole('link', { name: 'Stored evidence' });
  await expect(stored).toBeVisible();
  await expect(page.getByTestId('no-network')).toBeHidden();
  await context.setOffline(true);
  await expect(page.getByTestId('no-network')).toContainText('a page not opened yet may not arrive');
  await expectSound(page, 'without a network');
  await stored.press('Enter');
  await expect(page.getByText('This page could not be opened')).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await context.setOffline(false);
  await expect(page.getByTestId('no-network')).toBeEmpty();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Evidence', level: 1 })).toBeVisible();
});

for (const look of LOOKS.filter(({ width }) => width === 320)) {
  test(`the bar of steps shows them all, and stays low: ${look.name}`, async ({ page }) => {
    await page.goto('./#/png-representation');
    await lookAs(page, look);
    const bar = page.getByRole('navigation', { name: 'Steps of this experiment' });
    const steps = await bar.getByRole('link').all();
    expect(steps).toHaveLength(5);
    for (const step of steps) {
      const box = await step.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
    }
    expect((await bar.boundingBox())?.height).toBeLessThanOrEqual(look.text === undefined ? 48 : 104);
  });
}

test('a page and a part whose stylesheet did not arrive have it when they are asked for again', async ({
  page,
}) => {
  const styled = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].every(({ sheet }) => {
        try {
          return (sheet?.cssRules.length ?? 0) > 0;
        } catch {
          // The rules of one that failed may not be read.
          return false;
        }
      }),
    );
  await page.goto('./');
  await page.route(/\/(Page|LocalModel)-[^/]+\.css$/, (route) => route.abort());
  await page.getByRole('link', { name: 'PNG representation', exact: true }).first().click();
  await expect(page.getByText('This page could not be opened')).toBeVisible();
  expect(await styled()).toBe(false);
  await page.unroute(/\/(Page|LocalModel)-[^/]+\.css$/);
  await page.getByRole('link', { name: 'Pixelproof', exact: true }).click();
  await page.goto(PNG);
  await expect(page.getByRole('heading', { level: 2, name: 'Plan' })).toBeVisible();
  expect(await styled()).toBe(true);

  await page.route(/\/LocalModel-[^/]+\.css$/, (route) => route.abort());
  await page.getByRole('radio', { name: /SmolVLM/ }).check();
  await expect(page.getByText('The choice of a model of this device did not arrive')).toBeVisible();
  await page.unroute(/\/LocalModel-[^/]+\.css$/);
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(page.getByTestId('model-state')).toBeVisible();
  expect(await styled()).toBe(true);
  await expect(page.locator('body')).not.toBeFocused();
});
