import { expect, test } from './support/site';

test('whoever already uses the page is not taken to the section of the link', async ({ page }) => {
  // A key the moment that the page's first part is there: a person's could come too late on a fast machine.
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('main h1')?.textContent !== 'Vision controls') return;
      observer.disconnect();
      dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }));
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  await page.goto('./#/vision-controls/report');
  await expect(page.getByRole('heading', { name: 'Evidence of this experiment' })).toBeVisible();
  await page.waitForTimeout(500);
  expect(await page.evaluate(() => [scrollY, document.activeElement?.tagName])).toEqual([0, 'BODY']);
});

test('a page that comes late does not land on the page that was asked for after it', async ({ page }) => {
  await page.goto('./');
  await expect(page.getByRole('button', { name: /^Run all/ })).toBeVisible();
  let held = 0;
  await page.route(/\/Page-[^/]*\.js$/, async (route) => {
    held += 1;
    if (held === 1) await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await page.evaluate(async () => {
    location.hash = '#/image-signals/judge';
    await new Promise((resolve) => setTimeout(resolve, 100));
    location.hash = '#/png-representation/look';
  });
  const look = page.getByRole('heading', { level: 2, name: /^Look/ });
  await expect(look).toBeFocused();
  await page.waitForTimeout(2500);
  expect(held).toBeGreaterThan(1);
  await expect(look).toBeFocused();
});

test('the grid of pictures keeps the focus, whichever of its rows are drawn', async ({ page }) => {
  await page.goto('./#/png-representation?fixture=canonical&v=1');
  const cell = (name: string) => page.locator(`[data-cell="${name}"]`);
  await cell('0:0').focus();
  await page.keyboard.press('Control+End');
  await expect(page.locator(':focus')).toHaveAttribute('data-cell', /^111:/);
  await page.keyboard.press('Control+Home');
  await expect(cell('0:0')).toBeFocused();
  await cell('1:1').click();
  await cell('1:1').hover();
  await page.mouse.wheel(0, 3000);
  const grid = page.getByRole('region', { name: /^Every picture of this plan/ });
  await expect(cell('1:1')).toHaveCount(0);
  await expect(grid).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(cell('2:1')).toBeFocused();
});

test('a damaged bundle of a link is told where the link lands', async ({ page }) => {
  await page.route('**/runs/damaged.zip', (route) => route.fulfill({ body: 'PK nothing of the kind' }));
  await page.goto('./#/png-representation/judge?bundle=runs/damaged.zip');
  await expect(page.getByTestId('linked')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Evidence of this experiment' })).toBeVisible();
  await page.waitForTimeout(500);
  await expect(page.getByTestId('linked')).toBeInViewport();
});
