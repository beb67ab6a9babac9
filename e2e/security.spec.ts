import type { Page } from '@playwright/test';
import { expect, test } from './support/site';

const ROUTES = [
  '',
  'png-representation',
  'pong-controls',
  'vision-controls',
  'image-signals',
  'atari',
  'evidence',
  'about',
];

test('every page keeps to a policy that allows no inline script, no eval and no foreign worker', async ({
  page,
}) => {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedScript|TrustedHTML/.test(message.text()))
      refused.push(message.text());
  });
  for (const route of ROUTES) {
    await page.goto(`./#/${route}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  expect(refused).toEqual([]);

  // What the policy is there for: each of these must fail, and the page must say so.
  const outcome = await page.evaluate(async () => {
    const tried: Record<string, string> = {};
    // The protocol that this call came by lifts the ban on eval until its first pause.
    await new Promise((resolve) => setTimeout(resolve));
    const attempt = async (name: string, action: () => unknown) => {
      try {
        await action();
        tried[name] = 'allowed';
      } catch (error) {
        tried[name] = error instanceof Error ? error.name : 'refused';
      }
    };
    await attempt('eval', () => Reflect.construct(Function, ['return 1']));
    await attempt('html', () => {
      document.createElement('p').innerHTML = '<b>x</b>';
    });
    await attempt('worker', () => new Worker('data:text/javascript,'));
    await attempt('policy', () =>
      (
        globalThis as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }
      ).trustedTypes.createPolicy('mine', {}),
    );
    await attempt('inline script', () => {
      document.createElement('script').textContent = 'window.ran = true';
    });
    await attempt('inline style', () => {
      const style = document.createElement('style');
      style.textContent = 'body { color: red }';
      document.head.append(style);
      if (style.sheet === null) throw new TypeError('not applied');
    });
    return tried;
  });
  expect(outcome).toMatchObject({
    eval: 'EvalError',
    html: 'TypeError',
    worker: 'TypeError',
    policy: 'TypeError',
    'inline script': 'TypeError',
    'inline style': 'TypeError',
  });
  expect(refused.length).toBeGreaterThan(0);
});

/** Words of the page, seen or only heard, in which a character acts that nobody sees. */
function turned(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const words = [document.title];
    for (const element of document.querySelectorAll('body, body *')) {
      for (const name of ['aria-label', 'title', 'alt'])
        if (element.hasAttribute(name)) words.push(element.getAttribute(name) ?? '');
      for (const child of element.childNodes)
        if (child.nodeType === Node.TEXT_NODE) words.push(child.textContent ?? '');
    }
    return words.filter((text) => /[\u200b\u200e\u200f\u202a-\u202e\u2066\u2067]/.test(text));
  });
}

test('a name from outside turns no words of the page around, seen or spoken', async ({ page }) => {
  // As it may be called on a disk, in a link or in a model's folder, and as it is shown.
  const HOSTILE = 'a\u202egnp.\u2066b\u200b';
  const SHOWN = 'a\ufffdgnp.\ufffdb\ufffd';
  const named = encodeURIComponent(HOSTILE);
  const file = (ending: string, buffer: Buffer) => ({
    name: `${HOSTILE}.${ending}`,
    mimeType: 'application/octet-stream',
    buffer,
  });
  const told = page.getByTestId('announcer');

  await test.step('a bundle of a link', async () => {
    let answer = () => {};
    const asked = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/runs/*.zip', (route) => asked.then(() => route.fulfill({ status: 404 })));
    await page.goto(`./#/evidence?bundle=runs/${named}.zip`);
    await expect(page.getByTestId('linked')).toContainText(`Fetching runs/${SHOWN}.zip from this site`);
    expect(await turned(page)).toEqual([]);
    answer();
    await expect(page.getByTestId('linked').getByRole('alert')).toBeVisible();
    expect(await turned(page)).toEqual([]);
  });

  await test.step('pictures of Image signals, readable and not', async () => {
    await page.goto('./#/image-signals');
    await page.getByTestId('draw-scenes').click();
    await expect(page.getByTestId('measured')).toContainText('9 pictures measured', { timeout: 60_000 });
    await page.getByLabel('Choose files').setInputFiles(file('png', Buffer.from('no picture')));
    await expect(page.getByTestId('pictures')).toContainText(`${SHOWN}.png`);
    expect(await turned(page)).toEqual([]);
  });

  await test.step('families and pictures of Vision controls, and where its Start leads', async () => {
    await page.goto(
      `./#/vision-controls?fixture=own&first=${named}&provider=llama-server&url=http://localhost:1/${named}`,
    );
    const own = page.getByTestId('own');
    await own.getByLabel(`Pictures of ${SHOWN}, two or more`).setInputFiles(file('png', Buffer.from('none')));
    await expect(own.getByRole('listitem')).toContainText(`${SHOWN}.png, first family:`);
    await expect(own.getByRole('button', { name: `Remove ${SHOWN}.png` })).toBeVisible();
    await expect(page.getByRole('button', { name: `Start: ask http://localhost:1/${SHOWN}` })).toBeVisible();
    await page.getByLabel('Receipt', { exact: true }).setInputFiles(file('json', Buffer.from('{"\u202e": ')));
    await expect(page.getByTestId('receipt').getByText(`${SHOWN}.json: `)).toBeVisible();
    expect(await turned(page)).toEqual([]);
  });

  await test.step('a cartridge of the console', async () => {
    await page.goto('./#/atari');
    await page.getByLabel('ROM file of a game you own').setInputFiles(file('bin', Buffer.alloc(4096, 0xea)));
    await expect(page.getByTestId('cartridge-title')).toHaveText(SHOWN);
    await expect(told).toHaveText(`${SHOWN} is in the console, paused.`);
    expect(await turned(page)).toEqual([]);
  });

  await test.step('a model of this device', async () => {
    await page.goto(`./#/png-representation?provider=transformers&model=${named}%20q4`);
    await expect(page.getByTestId('local-model').getByRole('option', { name: SHOWN })).toBeAttached();
    expect(await turned(page)).toEqual([]);
  });
});
