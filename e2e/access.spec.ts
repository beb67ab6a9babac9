import AxeBuilder from '@axe-core/playwright';
import { SMOKE_RUNS } from '../src/lab/smoke-runs';
import { expect, PNG, test } from './support/site';

const ROUTES = ['./#/', PNG, './#/atari', './#/evidence', './#/about'];

for (const scheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on any page, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.goto(PNG);
    await page.getByRole('button', { name: 'Replay the published run' }).click();
    await expect(page.getByTestId('verdict')).toBeVisible({ timeout: 30_000 });
    for (const route of ROUTES) {
      await page.goto(route);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.waitForTimeout(500);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
      expect(told, `${route} in ${scheme}`).toEqual([]);
    }
  });
}

test('nothing is wider than a 320 px screen', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(PNG);
  await page.getByRole('button', { name: 'Replay the published run' }).click();
  await expect(page.getByTestId('verdict')).toBeVisible({ timeout: 30_000 });
  for (const route of ROUTES) {
    await page.goto(route);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForTimeout(300);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, route).toBeLessThanOrEqual(320);
  }
});

test('a model name of 400 letters widens no page of a 320 px screen', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(PNG);
  await page.getByRole('radio', { name: /^Ollama/ }).check();
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
  await expect(page.getByTestId('smoke-replay')).toContainText('equals the published value', {
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
