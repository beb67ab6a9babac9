import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { decisionReply, decisionServer, send } from './servers/decisions';
import { expect, exportNewest, importFile, test, wipe } from './support/site';

const PONG = './#/pong-controls';
const SHORT = `${PONG}?frames=80&seeds=36,37`;
const ZERO = { RIGHTFIRE: 0, NOOP: 0, LEFTFIRE: 0, LEFT: 0, RIGHT: 0, FIRE: 0 };
const local = (name: string) => new URL(`../fixtures/pong-controls/${name}`, import.meta.url);

async function sha256(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes))).toString('hex');
}

/** Plays what the address says and waits for its end. */
async function play(page: Page, start: string | RegExp = 'Play the coded rules'): Promise<void> {
  await page.getByRole('button', { name: start }).click();
  await expect(page.getByTestId('verdict')).toBeVisible({ timeout: 90_000 });
}

function files(zip: Uint8Array): Record<string, Uint8Array> {
  return unzipSync(new Uint8Array(zip));
}

test('eight local episodes on our own cartridge have the committed digests', async ({ page }) => {
  await page.goto(PONG);
  await play(page);
  await expect(page.getByTestId('verdict')).toContainText('Net reward over 4 seeds');
  const tree = files(await exportNewest(page, 'zip'));
  const golden = JSON.parse(await readFile(local('paddle-local.json'), 'utf8')) as {
    files: Record<string, string>;
  };
  for (const [path, digest] of Object.entries(golden.files)) {
    expect([path, await sha256(tree[path] ?? new Uint8Array())]).toEqual([path, digest]);
  }
});

const rom = join(process.env.PIXELPROOF_ROM_DIR ?? '', 'pong.bin');
test('eight published episodes on the original cartridge', async ({ page }) => {
  test.skip(!existsSync(rom), 'No pong.bin: set PIXELPROOF_ROM_DIR to compare with the published digests.');
  await page.goto(`${PONG}?rom=pong`);
  await page.getByLabel(/Pong ROM file/).setInputFiles(rom);
  await expect(page.getByText('60e0ea3cbe0913d39803477945e9e5ec')).toBeVisible();
  await play(page);
  const zip = await exportNewest(page, 'zip');
  expect(zip.includes(await readFile(rom)), 'bytes of the ROM in the export').toBe(false);
  const tree = files(zip);
  const { published_files } = JSON.parse(await readFile(local('pong-published.json'), 'utf8')) as {
    published_files: Record<string, { sha256: string }>;
  };
  let compared = 0;
  for (const [path, { sha256: digest }] of Object.entries(published_files)) {
    if (!/^python.*jsonl$/.test(path)) continue;
    expect([path, await sha256(tree[path] ?? new Uint8Array())]).toEqual([path, digest]);
    compared += 1;
  }
  expect(compared).toBe(16);
  await expect(page.getByTestId('seed-table')).toContainText('−15');
});

test('a file that is another game is told by its MD5', async ({ page }) => {
  await page.goto(`${PONG}?rom=pong`);
  await page
    .getByLabel(/Pong ROM file/)
    .setInputFiles({ name: 'other.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(2048) });
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('c99a74c555371a433d121f551d6c6398');
  await expect(page.getByText('Choose the Pong ROM file first').first()).toBeVisible();
});

test('scrub, inspect, branch, replay, check, film, export, wipe, import', async ({ page }) => {
  await page.goto(SHORT);
  await play(page);
  const strips = page.getByTestId('strips');
  await expect(strips.getByRole('img')).toHaveCount(2);
  const decision = page.getByTestId('decision');
  await expect(decision).toContainText('Decision 0, python-2px');
  await page.getByTestId('scrub').focus();
  for (let i = 0; i < 5; i += 1) await page.keyboard.press('ArrowRight');
  await expect(decision).toContainText('Decision 5, python-2px');
  await expect(
    page.locator('#look').getByRole('img', { name: /^python-2px, seed 36, decision 5\. Scored/ }),
  ).toBeVisible();
  await strips.getByRole('radio', { name: /python-4px/ }).check();
  await expect(decision).toContainText('Decision 5, python-4px');
  await decision.getByText('Observation').click();
  await expect(decision).toContainText('"schema_version": "atari-object-observation-v1"');
  await decision.getByText('Next frames').click();
  await expect(decision.getByText(/^frame \d+, reward 0, picture [0-9a-f]{64}$/)).toHaveCount(4);

  await page.getByText('Take another action from here').click();
  await page.getByLabel(/Instead of/).selectOption({ label: 'LEFT (down)' });
  await page.getByRole('button', { name: 'See what follows' }).click();
  await expect(page.getByTestId('branch')).toContainText('They part at frame');
  await expect(page.getByTestId('branch').getByRole('img')).toHaveCount(2);

  await page.getByRole('button', { name: /^Replay python-4px, seed 36/ }).click();
  await expect(page.getByTestId('replay')).toContainText('80 frames executed again', { timeout: 30_000 });
  await page.getByRole('button', { name: 'Check every record' }).click();
  await expect(page.getByTestId('audit')).toContainText('Every record follows', { timeout: 60_000 });
  const [film] = await Promise.all([
    page.waitForEvent('download', { timeout: 60_000 }),
    page.getByRole('button', { name: 'WebM of all arms, seed 36' }).click(),
  ]);
  expect([...(await readFile(await film.path())).subarray(0, 4)]).toEqual([0x1a, 0x45, 0xdf, 0xa3]);

  const zip = await exportNewest(page, 'zip');
  const tree = files(zip);
  expect(Object.keys(tree)).toEqual(
    expect.arrayContaining(['plan.json', 'comparison.json', 'python-2px/seed-37/evaluation.json']),
  );
  expect(Object.keys(tree).some((path) => path.includes('exploration'))).toBe(false);
  await wipe(page);
  await page.goto(PONG);
  await importFile(page, 'run.zip', zip);
  await expect(page.getByTestId('verification')).toContainText('verifies', { timeout: 60_000 });
  await expect(page.getByTestId('verdict')).toContainText('python-4px');
  await expect(page.getByTestId('strips').getByRole('img')).toHaveCount(2);

  // One reward of one decision is somebody else's: the verifier names the line, the replay stops there.
  const path = 'python-2px/seed-36/transitions.jsonl';
  const lines = new TextDecoder().decode(tree[path]).split('\n');
  lines[7] = (lines[7] ?? '').replace('"rewards": [0.0,', '"rewards": [1.0,');
  const edited = zipSync({ ...tree, [path]: strToU8(lines.join('\n')) });
  await page
    .getByLabel('Zip of a run or an episode')
    .setInputFiles({ name: 'edited.zip', mimeType: 'application/zip', buffer: Buffer.from(edited) });
  await expect(page.getByTestId('verdict')).toContainText('edited.zip');
  await page.getByRole('button', { name: 'Check every record' }).click();
  await expect(page.getByTestId('audit')).toContainText('transitions.jsonl line 8', { timeout: 60_000 });
  await page.getByRole('button', { name: /^Replay python-2px, seed 36/ }).click();
  await expect(page.getByTestId('replay')).toContainText('transitions.jsonl line 8', { timeout: 30_000 });
  const frames = 'python-2px/seed-36/frames.jsonl';
  const rows = new TextDecoder().decode(tree[frames]).split('\n');
  rows[9] = (rows[9] ?? '').replace(
    /"rgb_sha256": "./,
    (found) => `${found.slice(0, -1)}${found.endsWith('0') ? '1' : '0'}`,
  );
  await page.getByLabel('Zip of a run or an episode').setInputFiles({
    name: 'picture.zip',
    mimeType: 'application/zip',
    buffer: Buffer.from(zipSync({ ...tree, [frames]: strToU8(rows.join('\n')) })),
  });
  await expect(page.getByTestId('verdict')).toContainText('picture.zip');
  await page.getByRole('button', { name: /^Replay python-2px, seed 36/ }).click();
  await expect(page.getByTestId('replay')).toContainText('frames.jsonl line 10 rgb_sha256', {
    timeout: 30_000,
  });
  await expect(page.getByTestId('replay').getByRole('img')).toHaveCount(2);
});

test('a killed tab goes on: no finished episode is played again', async ({ page, context }) => {
  await page.goto(`${PONG}?frames=2000`);
  await page.getByRole('button', { name: 'Play the coded rules' }).click();
  await expect(page.getByText(/^[1-7] \/ 8$/).first()).toBeVisible({ timeout: 60_000 });
  await page.close({ runBeforeUnload: false });
  const again = await context.newPage();
  await again.goto(PONG);
  const resume = again.getByRole('region', { name: 'Interrupted run' });
  await expect(resume).toContainText(/interrupted at [1-7] of 8 episodes/);
  await resume.getByRole('button', { name: 'Resume it' }).press('Enter');
  await expect(again.getByRole('button', { name: 'Cancel', exact: true })).toBeFocused();
  await expect(again.getByTestId('verdict')).toContainText('Root digest', { timeout: 90_000 });
  await again.close();
});

test('a wiring check of all four arms, replayed from its own exchanges', async ({ page }) => {
  await page.goto(`${SHORT}&who=scripted`);
  await play(page, 'Run the wiring check');
  await expect(page.getByTestId('verdict')).toContainText('Wiring check');
  await page
    .getByTestId('strips')
    .getByRole('radio', { name: /jev-vertical/ })
    .check();
  const decision = page.getByTestId('decision');
  await expect(decision.getByRole('table')).toContainText('RIGHTFIRE');
  await decision.getByText('Reply', { exact: true }).click();
  await expect(decision).toContainText('"choice"');
  const zip = await exportNewest(page, 'zip');
  await page.getByRole('radio', { name: /^Recorded exchanges/ }).check();
  await page
    .getByLabel(/A model-exchanges.jsonl/)
    .setInputFiles({ name: 'run.zip', mimeType: 'application/zip', buffer: zip });
  await expect(page.getByText(/80 exchanges of scripted-decisions-1/)).toBeVisible();
  await page.getByRole('button', { name: 'Replay the recording' }).click();
  await expect(page.getByTestId('verdict')).toContainText('replayed', { timeout: 60_000 });
  const again = files(await exportNewest(page, 'zip', 'Recorded exchanges'));
  const frames = 'jev-vertical/seed-37/frames.jsonl';
  expect(await sha256(again[frames] ?? new Uint8Array())).toBe(
    await sha256(files(zip)[frames] ?? new Uint8Array()),
  );
});

test.describe('a model behind HTTP', () => {
  test.use({ allowed: ['http://127.0.0.1:'] });
  const faults = [
    { name: '402', reply: 402, code: 'provider_http_status' },
    { name: 'another model', reply: { model: 'jev-2.0.0' }, code: 'provider_wrong_model' },
    { name: 'half a reply', reply: '{"model": "jev-1.13.0", "answ', code: 'provider_body_not_json' },
  ] as const;
  for (const { name, reply, code } of faults) {
    test(`${name}: the comparison stops, what there is stays`, async ({ page }) => {
      const server = await decisionServer((_call, number, response) => {
        if (number < 4) send(response, decisionReply('NOOP', { NOOP: 1 }));
        else if (typeof reply === 'number') send(response, { error: 'pay' }, reply);
        else send(response, typeof reply === 'string' ? reply : decisionReply('NOOP', { NOOP: 1 }, reply));
      });
      try {
        await page.goto(`${SHORT}&who=jev`);
        await page.getByLabel(/^Address/).fill(server.url);
        await page.getByRole('textbox', { name: 'Key', exact: true }).fill('a-key-of-nobody');
        await page.getByRole('textbox', { name: 'Key', exact: true }).blur();
        await page.getByRole('button', { name: /^Start: up to 80 calls/ }).click();
        await expect(page.getByRole('alert')).toContainText(code, { timeout: 30_000 });
        await expect(page.getByTestId('verdict')).toContainText('incomplete');
        await expect(page.getByTestId('seed-table')).toContainText('incomplete');
        expect(server.calls).toHaveLength(4);
        expect(server.calls[0]?.authorization).toBe('Bearer a-key-of-nobody');
        const zip = await exportNewest(page, 'zip');
        const tree = files(zip);
        const lines = new TextDecoder()
          .decode(tree['jev-original/seed-36/model-exchanges.jsonl'])
          .trimEnd()
          .split('\n');
        expect(lines).toHaveLength(4);
        for (const bytes of Object.values(tree))
          expect(Buffer.from(bytes).includes('a-key-of-nobody')).toBe(false);
        const comparison = JSON.parse(new TextDecoder().decode(tree['comparison.json'])) as Record<
          string,
          unknown
        >;
        expect(comparison).toMatchObject({ status: 'incomplete', error_type: code });
        await importFile(page, 'run.zip', zip);
        await expect(page.getByTestId('verification')).toContainText('verifies', { timeout: 30_000 });
      } finally {
        await server.close();
      }
    });
  }

  const pinned = { model: 'typesafe/jev-1.13-20260917', provider: 'TypeSafe' };
  const written = { choice: 'LEFT', confidence: 0.5, probabilities: { ...ZERO, LEFT: 1 } };
  const others = [
    {
      name: 'OpenRouter, an alias pinned to the model it stands for',
      who: 'openrouter',
      model: '~typesafe/jev-latest',
      expected: pinned.model,
      reply: decisionReply('LEFT', { LEFT: 1 }, pinned),
      policy: 'openrouter:pong-action-choice-v1',
    },
    {
      name: 'a chat model with structured output, under a name of its own',
      who: 'openai-chat',
      model: 'some-model',
      expected: '',
      reply: {
        model: 'some-model',
        choices: [{ message: { role: 'assistant', content: JSON.stringify(written) } }],
        usage: { prompt_tokens: 7, completion_tokens: 3 },
      },
      policy: 'openai-chat:pong-action-choice-v1',
    },
  ] as const;
  for (const { name, who, model, expected, reply, policy } of others) {
    test(`${name}: all arms to their end, and the run verifies`, async ({ page }) => {
      const server = await decisionServer((_call, _number, response) => send(response, reply));
      try {
        await page.goto(`${SHORT}&who=${who}`);
        await page.getByLabel(/^Address/).fill(server.url);
        await page.getByRole('textbox', { name: 'Model', exact: true }).fill(model);
        await page.getByRole('textbox', { name: 'Model that replies name' }).fill(expected);
        await page.getByRole('textbox', { name: 'Key', exact: true }).fill('a-key-of-nobody');
        await page.getByRole('textbox', { name: 'Key', exact: true }).blur();
        await page.getByRole('button', { name: /^Start: up to 80 calls/ }).click();
        await expect(page.getByTestId('verdict')).toContainText('Root digest', { timeout: 60_000 });
        expect(server.calls).toHaveLength(80);
        const zip = await exportNewest(page, 'zip');
        const manifest = files(zip)['jev-original/seed-36/manifest.json'] ?? new Uint8Array();
        expect(JSON.parse(new TextDecoder().decode(manifest))).toMatchObject({ policy });
        await importFile(page, 'run.zip', zip);
        await expect(page.getByTestId('verification')).toContainText('verifies', { timeout: 30_000 });
      } finally {
        await server.close();
      }
    });
  }
});

test('a sweep refuses test seeds, shows its progress and is cancelled; a rule of one’s own joins', async ({
  page,
}) => {
  await page.goto(`${PONG}?frames=80&seeds=36`);
  await page.getByRole('button', { name: 'Add arm rule-6px' }).click();
  await expect(page.getByRole('checkbox', { name: /^rule-6px/ })).toBeChecked();
  const sweep = page.getByTestId('sweep');
  await sweep.getByLabel('Frames per episode').fill('40');
  await sweep.getByLabel('Seeds', { exact: true }).fill('38');
  await sweep.getByRole('button', { name: 'Sweep' }).click();
  await expect(sweep.getByRole('alert')).toContainText('sweep_seeds');
  await sweep.getByLabel('Seeds', { exact: true }).fill('0..29');
  await sweep.getByRole('button', { name: 'Sweep' }).click();
  await expect(sweep).toContainText('New protocol', { timeout: 60_000 });
  await expect(sweep).toContainText('24 seeds (18 train, 6 development, 6 test seeds left out)');
  await expect(
    sweep
      .getByRole('img', { name: /rule-6px: 24 episodes/ })
      .locator('rect')
      .first(),
  ).toBeVisible();
  await expect(sweep.getByRole('table')).toContainText('rule-6px minus python-4px');
  await sweep.getByLabel('Seeds', { exact: true }).fill('0..999');
  await sweep.getByLabel('Frames per episode').fill('2000');
  await sweep.getByRole('button', { name: 'Sweep' }).click();
  await expect(sweep.getByText(/^\d+ \/ 2,400$/)).toBeVisible({ timeout: 30_000 });
  await sweep.getByRole('button', { name: 'Cancel' }).click();
  await expect(sweep.getByRole('button', { name: 'Sweep' })).toBeVisible({ timeout: 30_000 });
  await play(page);
  await expect(page.getByTestId('seed-table')).toContainText('rule-6px');
});

for (const scheme of ['light', 'dark'] as const) {
  test(`axe finds nothing, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.goto(`${SHORT}&who=scripted`);
    await play(page, 'Run the wiring check');
    await page
      .getByTestId('strips')
      .getByRole('radio', { name: /jev-vertical/ })
      .check();
    await expect(page.getByTestId('decision')).toContainText('jev-vertical');
    await page.getByText('Take another action from here').click();
    await page.getByRole('button', { name: 'See what follows' }).click();
    await expect(page.getByTestId('branch')).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual(
      [],
    );
  });
}

test('320 px, also with text at 200 %, is never wider than the screen', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${SHORT}&who=scripted`);
  await play(page, 'Run the wiring check');
  await expect(page.getByTestId('decision')).toBeVisible();
  await page.getByTestId('decision').getByText('Request', { exact: true }).last().click();
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await width()).toBeLessThanOrEqual(320);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  await page.waitForTimeout(300);
  expect(await width()).toBeLessThanOrEqual(320);
});

test('a run, a scrub and an export by keyboard alone', async ({ page }) => {
  await page.goto(SHORT);
  const reach = async (name: RegExp) => {
    for (let i = 0; i < 200; i += 1) {
      await page.keyboard.press('Tab');
      const label = await page.evaluate(() => {
        const element = document.activeElement;
        const named = element?.getAttribute('aria-label') ?? element?.getAttribute('data-testid');
        return (named ?? element?.textContent ?? '').trim();
      });
      if (name.test(label)) return;
    }
    throw new Error(`No focusable element named ${name} within 200 tabs`);
  };
  await expect(page.getByTestId('plan-hash')).toContainText('Plan hash');
  await reach(/^Play the coded rules$/);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('decision')).toBeVisible({ timeout: 60_000 });
  await reach(/^scrub$/);
  await page.keyboard.press('End');
  await expect(page.getByTestId('decision')).toContainText('Decision 19');
  const download = page.waitForEvent('download');
  await reach(/^Export zip$/);
  await page.keyboard.press('Enter');
  expect((await download).suggestedFilename()).toMatch(/\.zip$/);
});
