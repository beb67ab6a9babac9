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
