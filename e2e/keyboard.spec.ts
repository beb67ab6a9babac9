import { readFile } from 'node:fs/promises';
import UPNG from 'upng-js';
import { Keyboard, listen } from './support/keyboard';
import { expect, test } from './support/site';

/** The file of one picture, as a pixel reader of its own. */
async function pixelsOf(variant: string): Promise<(x: number, y: number) => readonly number[]> {
  const url = new URL(`../src/app/pages/png-representation/card-${variant}.png`, import.meta.url);
  const image = UPNG.decode(new Uint8Array(await readFile(url)).buffer);
  const rgba = new Uint8Array(UPNG.toRGBA8(image)[0] ?? new ArrayBuffer(0));
  return (x, y) => [...rgba.subarray((y * image.width + x) * 4, (y * image.width + x) * 4 + 3)];
}

function numbers(text: string): readonly number[] {
  return [...text.matchAll(/\d+/g)].map((match) => Number(match[0]));
}

/** No pointer, no focus() and no click() in this file: only keys. */
test('the whole experiment by keyboard alone', async ({ page }) => {
  test.setTimeout(480_000);
  const said = await listen(page);
  const keys = new Keyboard(page);
  await page.goto('./');

  await test.step('from Home to the experiment', async () => {
    await keys.tabTo(/^Skip to the content$/, 'Tab', 1);
    await page.keyboard.press('Enter');
    expect((await keys.here()).tag).toBe('MAIN');
    await keys.tabTo(/^Run all smoke fixtures/, 'Tab', 1);
    await keys.enter(/^PNG representation$/);
    await keys.arrives(/^PNG representation$/);
  });

  await test.step('the plan: states, representations, provider', async () => {
    await keys.tabTo(/Smoke, 8 states/);
    await keys.press('ArrowRight');
    await expect(page.getByTestId('plan-size')).toContainText('672 cases');
    await keys.press('ArrowLeft');
    await keys.enter(/^All eleven$/);
    await expect(page.getByTestId('plan-size')).toContainText('88 cases');
    await keys.tabTo(/^Published replies/);
    await keys.press('ArrowDown');
    await expect(page.getByRole('radio', { name: /^Scripted/ })).toBeChecked();
  });

  await test.step('a wiring check, announced while it runs and at its end', async () => {
    await keys.enter(/^Run the wiring check$/);
    await keys.arrives(/^Cancel$/);
    await expect(page.getByTestId('run-verdict')).toContainText('88 scripted answers', { timeout: 60_000 });
    await keys.arrives(/^Run the wiring check$/);
    await expect
      .poll(async () => (await said()).at(-1))
      .toContain('All 88 scripted answers came through exact');
    expect(
      (await said()).some((text) => /^\d+ of 88: /.test(text)),
      (await said()).join('\n'),
    ).toBe(true);
  });

  await test.step('back to the plan by a shortcut, and the published run', async () => {
    await page.keyboard.press('1');
    await keys.arrives(/^Plan$/);
    await keys.enter(/^Stage 2E/);
    await keys.tabTo(/^Scripted/);
    await keys.press('ArrowUp');
    await keys.enter(/^Replay the published run$/);
    await expect(page.getByTestId('run-verdict')).toContainText('23 of 48 cases', { timeout: 60_000 });
    await keys.arrives(/^Replay the published run$/);
    await expect.poll(async () => (await said()).at(-1)).toContain('23 of 48 cases read exactly');
  });

  await test.step('the grid of pictures: one stop, arrows inside, two pictures chosen', async () => {
    await page.keyboard.press('3');
    await keys.arrives(/^Look$/);
    await keys.tabTo(/^tank 0, no target, ready, labelled-v1/);
    for (let row = 0; row < 6; row += 1) await keys.press('ArrowDown');
    const last = await keys.press('End');
    expect(last.name).toMatch(/^tank 3, target 1, blocked, lane-enhanced-v1/);
    await keys.press('a');
    await keys.press('Home');
    await keys.press('ArrowRight');
    await keys.press('b');
    await expect(page.getByRole('heading', { name: /^A lane-enhanced-v1, tank 3, target 1/ })).toBeVisible();
    await expect(page.getByRole('heading', { name: /^B unlabelled-v1, tank 3, target 1/ })).toBeVisible();
    expect((await keys.press('Control+End')).name).toMatch(/^tank 2, target 5, blocked, lane-enhanced-v1/);
    expect((await keys.press('Control+Home')).name).toMatch(/^tank 0, no target, ready, labelled-v1/);
    expect((await keys.press('ArrowUp')).name).toMatch(/^tank 0, no target, ready, labelled-v1/);
  });

  await test.step('zoom, move, read a pixel', async () => {
    const lane = await pixelsOf('lane-enhanced-v1');
    await keys.tabTo(/^Picture A/, 'Tab', 8);
    const spot = page.getByTestId('pixel').first();
    const reads = async (): Promise<readonly number[]> => {
      await expect(spot).toContainText(/x \d+, y \d+:/);
      return numbers((await spot.textContent()) ?? '');
    };
    const before = await reads();
    for (let times = 0; times < 4; times += 1) await keys.press('+');
    await expect(
      page
        .getByText('507 %')
        .or(page.getByText(/^[2-9]\d\d %$/))
        .first(),
    ).toBeVisible();
    await keys.press('Shift+ArrowLeft');
    await keys.press('Shift+ArrowUp');
    await keys.press('ArrowLeft');
    const [x = 0, y = 0, ...rgb] = await reads();
    expect([x, y]).not.toEqual(before.slice(0, 2));
    expect(rgb).toEqual(lane(x, y));
    // Into the corner: what no scrolling alone could bring under a fixed cross.
    for (let times = 0; times < 60; times += 1) await page.keyboard.press('Shift+ArrowUp');
    await expect.poll(async () => (await reads())[1]).toBe(0);
    await page.keyboard.press('0');
  });

  await test.step('compare: blink, difference, slider, both values', async () => {
    const [lane, plain] = [await pixelsOf('lane-enhanced-v1'), await pixelsOf('unlabelled-v1')];
    await keys.tabTo(/^A and B, by slider/);
    await page.keyboard.press('b');
    await keys.arrives(/^A and B, by blink/);
    // Space stops the blinking at one picture; from then on each press shows the other one.
    await page.keyboard.press(' ');
    await expect(page.getByRole('button', { name: 'Blink', exact: true })).toBeVisible();
    const which = page.locator('.which');
    const first = (await which.textContent()) ?? '';
    await page.keyboard.press(' ');
    await expect(which).not.toHaveText(first);
    await page.keyboard.press('d');
    await keys.arrives(/^A and B, by difference/);
    await expect(page.getByTestId('diff-sentence')).toContainText('14,704 pixels of 458,752 differ');
    await keys.press('ArrowRight');
    const spot = page.getByTestId('pixel').nth(1);
    await expect(spot).toContainText(/A .*B /s);
    const [x = 0, y = 0, ...both] = numbers((await spot.textContent()) ?? '');
    expect(both).toEqual([...lane(x, y), ...plain(x, y)]);
    await page.keyboard.press('s');
    await keys.arrives(/^A and B, by slider/);
    const range = await keys.tabTo(/^Where B begins/, 'Tab', 6);
    expect(range.tag).toBe('INPUT');
    await keys.press('ArrowLeft');
    await expect(page.getByRole('slider', { name: /^Where B begins/ })).toHaveValue('49');
  });

  await test.step('step through the recipe', async () => {
    await keys.enter(/^How A is made/);
    await keys.enter(/^1 /);
    await keys.arrives(/^1 /);
    await expect(page.getByRole('region', { name: /^Step before and after/ })).toBeVisible();
    await keys.tabTo(/^Step before and after/);
    await expect(page.getByText('The whole chain')).toBeVisible();
  });

  await test.step('readings, a case opened and closed, the focus back where it was', async () => {
    await page.keyboard.press('4');
    await keys.arrives(/^Judge$/);
    await keys.tabTo(/^Cooldown$/);
    await keys.press('ArrowRight');
    await expect(page.getByTestId('reading-verdict')).toContainText('tank column');
    await keys.press('ArrowLeft');
    await expect(page.getByTestId('reading-verdict')).toContainText('READY, every time');
    await keys.tabTo(/^READY: open the case labelled-v1/);
    await keys.press('ArrowDown');
    const wrong = await keys.press('ArrowRight');
    expect(wrong.name).toMatch(/^READY, wrong: open the case unlabelled-v1, tank 6, no target, blocked/);
    await page.keyboard.press('Enter');
    await keys.arrives(/^unlabelled-v1, case 1/);
    await page.keyboard.press('Escape');
    await keys.arrives(/^READY, wrong: open the case unlabelled-v1, tank 6/);
    await expect(page.getByTestId('case-detail')).toHaveCount(0);
  });

  await test.step('the table: skip it, filter, sort, a case down to its raw exchange', async () => {
    await keys.enter(/^Skip the table$/);
    expect((await keys.here()).name).toContain('End of the table: Every case');
    await keys.tabTo(/^Filter: Every case/, 'Shift+Tab');
    await page.keyboard.type('rejected');
    await expect(page.getByText('1 of 48 rows')).toBeVisible();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('changing');
    await keys.enter(/^Says/);
    await expect(page.getByRole('columnheader', { name: 'Says' })).toHaveAttribute('aria-sort', 'ascending');
    const row = await keys.tabTo(/: open$/);
    await page.keyboard.press('Enter');
    await keys.arrives(/-v1, case \d/);
    await expect(page.getByTestId('case-detail')).toContainText(/Raw reply|it is not what the model said/);
    await keys.enter(/^Close$/);
    await keys.arrives(new RegExp(`^${row.name}$`));
  });

  await test.step('the policy map', async () => {
    await keys.tabTo(/; chosen/);
    const before = await page.getByTestId('policy-sentence').textContent();
    await page.keyboard.press('ArrowRight');
    await keys.arrives(/^tank 3, target 4, ready: .*; chosen/);
    expect(await page.getByTestId('policy-sentence').textContent()).not.toBe(before);
  });

  await test.step('comparison and gates', async () => {
    await page.keyboard.press('5');
    await keys.arrives(/^Report$/);
    await keys.enter(/^Exact/);
    await expect(page.getByRole('columnheader', { name: 'Exact' })).toHaveAttribute('aria-sort', 'ascending');
    const gate = page.getByTestId('interpretation-gate');
    await expect(gate).toContainText('no effect may be attributed');
    await keys.enter(/^I have looked at both$/);
    await expect(gate.locator('[data-check="inspection"]')).toHaveAttribute('data-verdict', 'pass');
    await keys.arrives(/^The interpretation gate is closed/);
    await keys.enter(/^I have reviewed this smoke result$/);
    await keys.arrives(/^From smoke to canonical$/);
  });

  await test.step('help opens and closes; the focus returns', async () => {
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Keyboard shortcuts' })).toBeFocused();
    await keys.tabTo(/^Close$/, 'Tab', 4);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await keys.arrives(/^From smoke to canonical$/);
  });

  let file = '';
  await test.step('verify, export, delete', async () => {
    await keys.enter(/^Verify$/);
    await expect(page.getByTestId('verification')).toContainText('verifies', { timeout: 30_000 });
    await keys.arrives(/^Verify$/);
    const downloading = page.waitForEvent('download');
    await keys.enter(/^Export zip$/, 'Shift+Tab');
    file = await (await downloading).path();
    await keys.arrives(/^Export zip$/);
    await keys.enter(/^Delete…$/);
    await keys.arrives(/^Keep it$/);
    await page.keyboard.press('Escape');
    await keys.arrives(/^Delete…$/);
    await page.keyboard.press('Enter');
    await keys.arrives(/^Keep it$/);
    await keys.enter(/^Delete it$/);
    await keys.arrives(/^1 stored run$/);
    await keys.enter(/^Delete…$/);
    await keys.enter(/^Delete it$/);
    await keys.arrives(/^0 stored runs$/);
    await expect(page.getByTestId('verdict')).toHaveCount(0);
  });

  await test.step('import, verified and shown again', async () => {
    await keys.tabTo(/^Import and verify a bundle/, 'Shift+Tab');
    const choosing = page.waitForEvent('filechooser');
    await page.keyboard.press('Enter');
    await (await choosing).setFiles(file);
    await expect(page.getByTestId('verification')).toContainText('verifies', { timeout: 30_000 });
    await keys.arrives(/^Import and verify a bundle/);
    await expect
      .poll(async () => (await said()).some((text) => /verified\. It was stored\./.test(text)))
      .toBe(true);
    await expect(page.getByTestId('verdict')).toContainText('23 of 48 cases read exactly');
    await expect(page.getByTestId('reading-verdict')).toContainText('READY, every time');
  });
});
