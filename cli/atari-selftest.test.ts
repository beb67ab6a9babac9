import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it, vi } from 'vitest';
import { cartridgeOf, fixture } from '../fixtures/atari/read';
import { EXIT } from './exit';
import { main } from './main';

const fixtures = fileURLToPath(new URL('../fixtures/atari/', import.meta.url));
const names = readdirSync(fixtures).filter((name) => name.startsWith('selftest-'));
const folder = mkdtempSync(join(tmpdir(), 'pixelproof-selftest-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each(names)('atari trace --against %s: every frame equal, exit code 0', async (name) => {
  const rom = join(folder, `${name}.bin`);
  writeFileSync(rom, cartridgeOf(fixture<{ rom_base64: string }>(name)));
  const printed: string[] = [];
  const write = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => printed.push(String(text)) > 0);
  const code = await main(['atari', 'trace', '--rom', rom, '--against', join(fixtures, name), '--json']);
  write.mockRestore();
  expect(code).toBe(EXIT.complete);
  expect(JSON.parse(printed.join(''))).toEqual({
    frames: 300,
    ram_equal: 300,
    rgb_equal: 300,
    first_difference: null,
  });
});
