import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const NARROW = { width: 320, height: 640 };
const WIDE = { width: 1280, height: 800 };

/** A way of looking at the site that a person can have. */
export interface Look {
  readonly name: string;
  readonly width: 320 | 1280;
  readonly media: {
    readonly colorScheme?: 'light' | 'dark';
    readonly forcedColors?: 'active';
    readonly reducedMotion?: 'reduce' | 'no-preference';
  };
  /** The browser's own text size, in pixels, where it is not the usual 16. */
  readonly text?: 32;
}

export const LOOKS: readonly Look[] = [
  { name: 'light', width: 1280, media: { colorScheme: 'light', reducedMotion: 'no-preference' } },
  { name: 'dark', width: 1280, media: { colorScheme: 'dark', reducedMotion: 'no-preference' } },
  { name: 'forced colours', width: 1280, media: { forcedColors: 'active' } },
  { name: 'reduced motion', width: 1280, media: { reducedMotion: 'reduce' } },
  { name: '320 px', width: 320, media: { colorScheme: 'light' } },
  { name: '320 px, text of 200 %', width: 320, media: { colorScheme: 'dark' }, text: 32 },
];

/** Looks so from now on. Call it on a page of the site: another site's page would take the text size with it. */
export async function lookAs(page: Page, look: Look): Promise<void> {
  await page.setViewportSize(look.width === 320 ? NARROW : WIDE);
  await page.emulateMedia(look.media);
  if (look.text === undefined) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', {
    fontSizes: { standard: look.text, fixed: (look.text * 13) / 16 },
  });
  await page.reload();
  const size = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
  expect(size, 'the text size that was asked for').toBe(`${look.text}px`);
}

/** Nothing is wider than the screen. */
export async function expectFits(page: Page, where: string): Promise<void> {
  const wide = await page.evaluate(() => {
    const { scrollWidth } = document.documentElement;
    if (scrollWidth <= innerWidth) return null;
    const past = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > innerWidth + 1,
    );
    return `${scrollWidth} > ${innerWidth}: ${past
      .slice(0, 5)
      .map((element) => element.outerHTML.slice(0, 80))
      .join(' | ')}`;
  });
  expect(wide, `wider than the screen: ${where}`).toBeNull();
}

/** Nothing wider than the screen, and nothing that axe finds. */
export async function expectSound(page: Page, where: string): Promise<void> {
  await expectFits(page, where);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
  expect(told, where).toEqual([]);
}

/** Opens everything that is folded away, so that it is looked at too. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  await page.waitForTimeout(400);
}
