import { expect, type Page } from '@playwright/test';

/** The element that has the focus, as a person at the keyboard meets it. */
export interface Stop {
  readonly tag: string;
  readonly name: string;
  readonly ring: boolean;
  readonly inSight: boolean;
}

/** Runs in the page. */
function stopHere(): Stop {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) {
    return { tag: 'BODY', name: '', ring: true, inSight: true };
  }
  const labels = 'labels' in element ? [...((element.labels as NodeListOf<HTMLElement> | null) ?? [])] : [];
  const described = element.getAttribute('aria-labelledby');
  const name =
    element.getAttribute('aria-label') ??
    (described === null ? null : document.getElementById(described)?.textContent) ??
    (labels.length > 0 ? labels.map((label) => label.textContent).join(' ') : element.textContent) ??
    '';
  // A radio drawn by its label wears the ring on the text beside it.
  const worn = element.classList.contains('visually-hidden') ? element.nextElementSibling : element;
  const style = getComputedStyle(worn ?? element);
  const box = (worn ?? element).getBoundingClientRect();
  const points = [0.02, 0.5, 0.98].flatMap((x) => [0.05, 0.5, 0.95].map((y) => [x, y] as const));
  const inSight = points.some(([x, y]) => {
    const hit = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
    return hit !== null && (element.contains(hit) || worn?.contains(hit) || hit.contains(element));
  });
  return {
    tag: element.tagName,
    name: name.replace(/\s+/g, ' ').trim(),
    ring: style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0,
    inSight,
  };
}

/** A person with a keyboard and nothing else. Every stop must be visible: a ring, and not scrolled or covered away. */
export class Keyboard {
  readonly page: Page;
  /** Stops met so far, for those who want to know the way. */
  stops = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async here(): Promise<Stop> {
    return this.page.evaluate(stopHere);
  }

  /** Presses a key, then checks that the focus can be seen where it is. */
  async press(key: string): Promise<Stop> {
    await this.page.keyboard.press(key);
    const stop = await this.here();
    this.stops += 1;
    expect(stop.ring, `a focus ring on ${stop.tag} “${stop.name}” after ${key}`).toBe(true);
    expect(stop.inSight, `${stop.tag} “${stop.name}” in sight after ${key}`).toBe(true);
    return stop;
  }

  /** Tabs on until a stop has this name. A trap would never get there, and is told by where it held. */
  async tabTo(name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab', most = 150): Promise<Stop> {
    const way: string[] = [];
    for (let at = 0; at < most; at += 1) {
      const stop = await this.press(key);
      if (name.test(stop.name)) return stop;
      way.push(`${stop.tag} ${stop.name.slice(0, 40)}`);
    }
    throw new Error(
      `No stop named ${name} within ${most} presses of ${key}; the last: ${way.slice(-12).join(' | ')}`,
    );
  }

  /** Goes to a stop and presses Enter there. */
  async enter(name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await this.tabTo(name, key);
    await this.page.keyboard.press('Enter');
  }

  /** Waits until the focus is on a stop with this name, and checks that it can be seen. */
  async arrives(name: RegExp): Promise<void> {
    await expect.poll(async () => (await this.here()).name, { message: `focus on ${name}` }).toMatch(name);
    const stop = await this.here();
    expect(stop.ring, `a focus ring on “${stop.name}”`).toBe(true);
    await expect
      .poll(async () => (await this.here()).inSight, { message: `“${stop.name}” in sight` })
      .toBe(true);
  }
}

/** Everything that the live region says, from now on and after a reload. */
export async function listen(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript(() => {
    const said: string[] = [];
    Reflect.set(window, 'said', said);
    new MutationObserver(() => {
      const text = document.querySelector('[data-testid="announcer"]')?.textContent ?? '';
      if (text !== '' && text !== said.at(-1)) said.push(text);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => Reflect.get(window, 'said') as string[]);
}
