import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { decodePng } from '../src/pixels/decode/png';
import { expect, test } from './support/site';

const ATARI = './#/atari';
const FOLDER = new URL('../fixtures/atari/', import.meta.url);
const SELF_TESTS = readdirSync(FOLDER).filter((name) => name.startsWith('selftest-'));

const textOf = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');
const romOf = (name: string) =>
  Buffer.from((JSON.parse(textOf(name)) as { rom_base64: string }).rom_base64, 'base64');

/** Gives an image to the page, as a person who chooses a file. */
async function insert(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page
    .getByLabel('ROM file of a game you own')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
}

async function opened(page: Page, name = 'selftest-tia-2.json'): Promise<void> {
  await page.goto(ATARI);
  await insert(page, 'own.bin', romOf(name));
  await expect(page.getByTestId('cartridge-title')).toHaveText('own');
}

/** What the browser's own decoder reads in a GIF: how many frames, and the last one's pixels. */
function decodedGif(page: Page, bytes: Buffer) {
  return page.evaluate(
    async (given) => {
      const decoder = new ImageDecoder({ data: new Uint8Array(given), type: 'image/gif' });
      await decoder.tracks.ready;
      await decoder.completed;
      const frames = decoder.tracks.selectedTrack?.frameCount ?? 0;
      const { image } = await decoder.decode({ frameIndex: frames - 1 });
      const { codedWidth: width, codedHeight: height } = image;
      const rgba = new Uint8Array(image.allocationSize({ format: 'RGBA' }));
      await image.copyTo(rgba, { format: 'RGBA' });
      let rgb = '';
      for (let i = 0; i < rgba.length; i += 4) rgb += String.fromCharCode(...rgba.subarray(i, i + 3));
      return { frames, width, height, rgb: btoa(rgb) };
    },
    [...bytes],
  );
}

const frameNumber = async (page: Page) =>
  Number((await page.getByTestId('frame').textContent())?.replace(/\D/g, ''));
/** The whole digests of RAM and picture, which the page keeps in each button's tooltip. */
async function digestsOf(page: Page): Promise<(string | null)[]> {
  const digest = (name: string) => page.getByRole('button', { name }).getAttribute('title');
  return [await digest('RAM: '), await digest('RGB picture: ')];
}

test('every self-test cartridge equals its reference trace on every frame in the worker', async ({
  page,
}) => {
  test.setTimeout(180_000);
  await page.goto(ATARI);
  expect(SELF_TESTS).toHaveLength(15);
  for (const name of SELF_TESTS) {
    await insert(page, `${name}.bin`, romOf(name));
    await expect(page.getByTestId('cartridge-title')).toHaveText(name);
    await page
      .getByLabel('Trace of this cartridge (JSON)')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(textOf(name)) });
    const comparison = page.getByTestId('comparison');
    await expect(comparison).toContainText(name, { timeout: 30_000 });
    await expect(comparison).toContainText('Equal on every frame.');
    await expect(comparison).toContainText('300 frames; RAM equal in 300, picture in 300');
  }
});

test('a trace that differs is named by its first frame, and a broken one by its code', async ({ page }) => {
  await opened(page);
  const trace = JSON.parse(textOf('selftest-tia-2.json')) as { ram_sha256_16: string[] };
  trace.ram_sha256_16[41] = '0123456789abcdef';
  const give = (text: string) =>
    page
      .getByLabel('Trace of this cartridge (JSON)')
      .setInputFiles({ name: 'changed.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await give(JSON.stringify(trace));
  await expect(page.getByTestId('comparison')).toContainText('First difference: frame 42, ram');
  await give('{"actions": "none"}');
  await expect(page.locator('[data-code="atari_trace_invalid"]')).toBeVisible();
  await give('not JSON');
  await expect(page.locator('[data-code="file_not_json"]')).toBeVisible();
});

test('plays by keyboard; pause, one frame, back, and the digests are those that were there', async ({
  page,
}) => {
  await opened(page, 'selftest-cpu-1.json');
  await page.getByRole('checkbox', { name: 'SHA-256 of each frame shown' }).check();
  const screen = page.getByTestId('screen');
  await screen.focus();
  await page.keyboard.press('.');
  await expect(page.getByTestId('frame')).toHaveText('frame 1');
  await page.keyboard.press('p');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.keyboard.down('ArrowRight');
  await expect.poll(() => frameNumber(page)).toBeGreaterThan(40);
  await page.keyboard.up('ArrowRight');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await page.waitForTimeout(300);
  const stood = await frameNumber(page);
  await screen.focus();
  await page.keyboard.press('.');
  await expect(page.getByTestId('frame')).toHaveText(`frame ${stood + 1}`);
  const there = await digestsOf(page);
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('.');
  await expect(page.getByTestId('frame')).toHaveText(`frame ${stood + 4}`);
  for (let i = 0; i < 3; i += 1) await page.keyboard.press(',');
  await expect(page.getByTestId('frame')).toHaveText(`frame ${stood + 1}`);
  expect(await digestsOf(page)).toEqual(there);
});

test('the key that is held is the action that the frame applies, and a rebound key too', async ({ page }) => {
  await opened(page);
  await page.getByRole('button', { name: 'Change the key for fire' }).click();
  await page.keyboard.press('KeyX');
  await page.getByTestId('screen').focus();
  await page.keyboard.down('ArrowUp');
  await page.keyboard.down('KeyX');
  await page.keyboard.press('.');
  await expect(page.getByTestId('applied')).toHaveText('UPFIRE');
  await page.keyboard.up('ArrowUp');
  await page.keyboard.press('.');
  await expect(page.getByTestId('applied')).toHaveText('FIRE');
});

test('plays by gamepad: stick, cross and buttons, and nothing when it is taken away', async ({ page }) => {
  await page.addInitScript(() => {
    const pad = {
      id: 'Test pad',
      axes: [0, 0],
      buttons: Array.from({ length: 16 }, () => ({ pressed: false })),
    };
    Object.assign(globalThis, { pad });
    navigator.getGamepads = () => [null, (globalThis as unknown as { pad: Gamepad | null }).pad];
  });
  await opened(page);
  await expect(page.getByText('Gamepad: Test pad')).toBeVisible();
  const holds = async (axes: readonly number[], buttons: readonly number[], action: string) => {
    await page.evaluate(
      ({ axes, buttons }) => {
        const { pad } = globalThis as unknown as { pad: { axes: number[]; buttons: { pressed: boolean }[] } };
        pad.axes = axes;
        for (const [n, button] of pad.buttons.entries()) button.pressed = buttons.includes(n);
      },
      { axes: [...axes], buttons: [...buttons] },
    );
    await expect(page.getByTestId('applied')).toHaveText(action);
  };
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await holds([0.9, 0], [], 'RIGHT');
  await holds([0.3, 0.2], [], 'NOOP');
  await holds([-0.7, -0.7], [0], 'UPLEFTFIRE');
  await holds([0, 0], [13, 7], 'DOWNFIRE');
  await holds([0, 0], [15], 'RIGHT');
  await page.evaluate(() => Object.assign(globalThis, { pad: null }));
  await expect(page.getByTestId('applied')).toHaveText('NOOP');
  await expect(page.getByText('Gamepad: Test pad')).toBeHidden();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });

  test('plays by touch: the stick and the button together', async ({ page }) => {
    await opened(page);
    const stick = await page.getByTestId('touch-stick').boundingBox();
    const fire = await page.getByTestId('touch-fire').boundingBox();
    if (stick === null || fire === null) throw new Error('The touch controls are not shown.');
    await page.getByTestId('touch-stick').scrollIntoViewIfNeeded();
    const client = await page.context().newCDPSession(page);
    const pad = await page.getByTestId('touch-stick').boundingBox();
    const button = await page.getByTestId('touch-fire').boundingBox();
    if (pad === null || button === null) throw new Error('The touch controls are not shown.');
    const left = { x: pad.x + pad.width * 0.1, y: pad.y + pad.height / 2, id: 1 };
    const thumb = { x: button.x + button.width / 2, y: button.y + button.height / 2, id: 2 };
    await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [left] });
    await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [left, thumb] });
    await page
      .getByRole('button', { name: 'Play', exact: true })
      .evaluate((b: HTMLButtonElement) => b.click());
    await expect(page.getByTestId('applied')).toHaveText('LEFTFIRE');
    await expect.poll(() => frameNumber(page)).toBeGreaterThan(20);
    await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await expect(page.getByTestId('applied')).toHaveText('NOOP');
  });
});

test('saving, playing on and loading gives the same frames again', async ({ page }) => {
  await opened(page);
  await page.getByRole('checkbox', { name: 'SHA-256 of each frame shown' }).check();
  const on = page.getByRole('button', { name: 'Frame on' });
  for (let i = 0; i < 5; i += 1) await on.click();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save state' }).click(),
  ]);
  const state = await readFile(await saved.path());
  for (let i = 0; i < 7; i += 1) await on.click();
  await expect(page.getByTestId('frame')).toHaveText('frame 12');
  const first = await digestsOf(page);
  const load = (buffer: Buffer) =>
    page
      .getByLabel('Load state')
      .setInputFiles({ name: 'a.state', mimeType: 'application/octet-stream', buffer });
  await load(state);
  await expect(page.getByTestId('frame')).toHaveText('frame 5');
  for (let i = 0; i < 7; i += 1) await on.click();
  await expect(page.getByTestId('frame')).toHaveText('frame 12');
  expect(await digestsOf(page)).toEqual(first);

  await load(Buffer.from('nonsense'));
  await expect(page.locator('[data-code="atari_snapshot_invalid"]')).toBeVisible();
  await expect(page.getByTestId('frame')).toHaveText('frame 12');
  await insert(page, 'other.bin', romOf('selftest-tia-3.json'));
  await expect(page.getByTestId('cartridge-title')).toHaveText('other');
  await load(state);
  await expect(page.locator('[data-code="atari_snapshot_rom"]')).toBeVisible();
});

test('our own cartridge plays, is described in words, and equals its reference traces in the worker', async ({
  page,
}) => {
  await page.goto(ATARI);
  await page.getByRole('button', { name: 'Put Paddle in' }).click();
  await expect(page.getByTestId('cartridge-title')).toHaveText('Paddle');
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeFocused();
  await page.getByTestId('screen').focus();
  const paddle = page.getByTestId('ram-51');
  await page.keyboard.press('p');
  await expect.poll(() => frameNumber(page)).toBeGreaterThan(30);
  const before = Number(await paddle.textContent());
  await page.keyboard.down('ArrowDown');
  await expect.poll(async () => Number(await paddle.textContent())).toBeGreaterThan(before + 8);
  await page.keyboard.up('ArrowDown');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('picture')).toHaveAttribute(
    'aria-label',
    /^Paddle, frame \d+[.] Score: computer \d+, you \d+[.].* Your paddle on the right, rows/,
  );
  for (const name of ['noop', 'random', 'tracker']) {
    const file = `trace-${name}.json`;
    await page.getByLabel('Trace of this cartridge (JSON)').setInputFiles({
      name: file,
      mimeType: 'application/json',
      buffer: readFileSync(new URL(`../fixtures/cartridge/${file}`, import.meta.url)),
    });
    await expect(page.getByTestId('comparison')).toContainText(file, { timeout: 60_000 });
    await expect(page.getByTestId('comparison')).toContainText('Equal on every frame.');
  }
});

test('what cannot be a cartridge is refused with its code, and the running one stays', async ({ page }) => {
  await opened(page);
  await page.getByRole('button', { name: 'Frame on' }).click();
  for (const [code, buffer] of [
    ['atari_rom_empty', Buffer.alloc(0)],
    ['atari_rom_odd_size', Buffer.alloc(3000)],
    ['atari_rom_too_large', Buffer.alloc(40_000)],
    ['atari_rom_unsupported', Buffer.alloc(8448)],
    ['atari_no_frame', Buffer.alloc(4096, 0x02)],
  ] as const) {
    await insert(page, 'bad.bin', buffer);
    await expect(page.locator(`[data-code="${code}"]`)).toBeVisible();
    await expect(page.getByTestId('frame')).toHaveText('frame 1');
  }
  await page.getByLabel('Sticky probability').fill('2');
  await page.getByRole('button', { name: 'Start again' }).click();
  await expect(page.locator('[data-code="atari_sticky_out_of_range"]')).toBeVisible();
  await expect(page.getByTestId('frame')).toHaveText('frame 1');
});

test('files: a screenshot with the emulator’s pixels, an animation, a video, a log without the ROM', async ({
  page,
}) => {
  await opened(page, 'selftest-tia-3.json');
  const download = async (name: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name }).click(),
    ]);
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
  };
  const on = page.getByRole('button', { name: 'Frame on' });
  await on.click();
  const shot = await download('Screenshot PNG');
  expect(decodePng(shot.bytes)).toMatchObject({ width: 160 });
  for (const kind of ['Record APNG', 'Record GIF', 'Record WebM']) {
    await page.getByRole('button', { name: kind }).click();
    // A video's encoder takes a moment to open; what is recorded begins when the page says so.
    await expect(page.getByRole('button', { name: 'Stop recording' })).toBeVisible();
    for (let i = 0; i < 4; i += 1) await on.click();
    await expect(page.getByText('4 frames', { exact: true })).toBeVisible();
    const { bytes, name } = await download('Stop recording');
    if (kind === 'Record APNG') {
      expect(bytes.includes('acTL')).toBe(true);
      expect(decodePng(bytes)).toMatchObject({ width: 160 });
    } else if (kind === 'Record GIF') {
      expect(name).toMatch(/-9[.]gif$/);
      const gif = await decodedGif(page, bytes);
      expect(gif.frames).toBe(4);
      const now = decodePng((await download('Screenshot PNG')).bytes);
      expect(gif).toMatchObject({ width: 160, height: now.height });
      expect(Buffer.from(gif.rgb, 'base64').equals(now.data)).toBe(true);
    } else {
      expect(name).toMatch(/[.]webm$/);
      expect(bytes.subarray(0, 4).toString('hex')).toBe('1a45dfa3');
    }
  }
  await page.getByRole('button', { name: 'Record APNG' }).click();
  await page.getByRole('button', { name: 'Stop recording' }).click();
  await expect(page.locator('[data-code="recording_empty"]')).toBeVisible();
  const log = JSON.parse((await download('Save log of every frame')).bytes.toString('utf8')) as {
    frames: number;
    rgb_sha256_16: string[];
  };
  expect(log.frames).toBe(13);
  expect(log.rgb_sha256_16).toHaveLength(13);
  expect(Object.keys(log).filter((key) => key.startsWith('rom'))).toEqual(['rom_md5', 'rom_bytes']);
});

for (const scheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on the play page, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await opened(page);
    await page.getByRole('checkbox', { name: 'SHA-256 of each frame shown' }).check();
    await page.getByRole('button', { name: 'Frame on' }).click();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)).toEqual(
      [],
    );
  });
}

test('the play page is no wider than a 320 px screen', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await opened(page);
  await page.getByRole('checkbox', { name: 'SHA-256 of each frame shown' }).check();
  await page.getByRole('button', { name: 'Frame on' }).click();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await expect(page.getByTestId('touch-stick')).toBeVisible();
  // A thumb hits everything that does something: 44 pixels.
  const low = await page
    .locator(
      'main :is(button:not([title]), select, input:not([type="checkbox"], .visually-hidden), label.button)',
    )
    .evaluateAll((found) =>
      found
        .filter((element) => element.getBoundingClientRect().height < 44)
        .map((element) => element.outerHTML.slice(0, 120)),
    );
  expect(low).toEqual([]);
});
