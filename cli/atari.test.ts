import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { cartridgeOf, fixture } from '../fixtures/atari/read';
import { readTrace } from '../src/atari';
import { main } from './main';

const folder = mkdtempSync(join(tmpdir(), 'pixelproof-atari-'));
afterAll(() => rmSync(folder, { recursive: true }));

const selftest = fixture<{ rom_base64: string; rom_md5: string; actions: number[] }>('selftest-bank-e0.json');
const rom = join(folder, 'cartridge.bin');
writeFileSync(rom, cartridgeOf(selftest));

const empty = { actions: [], ram_sha256_16: [] };
/** Every event is an hour at most, all of them are not. */
const endless = { ...empty, prelude_events_frames: new Array(100).fill(['noop', 216_000]) };

function file(name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
}

/** Runs a command line and gives its exit code and what it printed. */
async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += text;
    return true;
  });
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += text;
    return true;
  });
  try {
    return { code: await main(['atari', ...args]), out, err };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
}

describe('pixelproof atari', () => {
  it('info names MD5, scheme, size and game', async () => {
    const { code, out } = await run('info', '--rom', rom, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ md5: selftest.rom_md5, scheme: 'E0', size: 8192, name: null });
  });

  it('trace --against: 0 when every frame is equal, 1 on a difference', async () => {
    const good = await run('trace', '--rom', rom, '--against', file('good.json', selftest), '--json');
    expect(good.code).toBe(0);
    expect(JSON.parse(good.out)).toEqual({
      frames: 300,
      ram_equal: 300,
      rgb_equal: 300,
      first_difference: null,
    });
    const other = { ...selftest, actions: selftest.actions.map(() => 0) };
    const bad = await run('trace', '--rom', rom, '--against', file('bad.json', other), '--json');
    expect(bad.code).toBe(1);
    expect(JSON.parse(bad.out).first_difference).not.toBeNull();
  });

  it('trace records what it can compare, sticky or not', async () => {
    const script = file('script.json', [0, 3, 'RIGHT', 'DOWNLEFTFIRE', 1]);
    for (const how of [
      ['--script', 'noop'],
      ['--script', script],
      ['--seed', '7', '--sticky', '0.25'],
    ]) {
      const { code, out } = await run('trace', '--rom', rom, ...how, '--frames', '40', '--json');
      expect(code).toBe(0);
      expect(readTrace(JSON.parse(out)).actions).toHaveLength(40);
      writeFileSync(join(folder, 'made.json'), out);
      const again = await run('trace', '--rom', rom, '--against', join(folder, 'made.json'), '--json');
      expect(JSON.parse(again.out)).toMatchObject({ ram_equal: 40, rgb_equal: 40, first_difference: null });
    }
  });

  it('bench prints both speeds', async () => {
    const { code, out } = await run('bench', '--rom', rom, '--frames', '20', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      frames_per_second_ram: expect.any(Number),
      frames_per_second_sha256: expect.any(Number),
    });
  });

  it.each([
    ['file_unreadable', ['info', '--rom', join(folder, 'none')]],
    ['atari_rom_empty', ['info', '--rom', image('empty', 0)]],
    ['atari_rom_odd_size', ['info', '--rom', image('odd', 3000)]],
    ['atari_rom_too_large', ['trace', '--rom', image('large', 40_000)]],
    ['atari_rom_unsupported', ['bench', '--rom', image('tape', 8448)]],
    ['atari_no_frame', ['trace', '--rom', image('jam', 4096)]],
    ['atari_sticky_out_of_range', ['trace', '--rom', rom, '--seed', '1', '--sticky', '1.5']],
    ['atari_sticky_out_of_range', ['trace', '--rom', rom, '--seed', '1', '--sticky', 'often']],
    ['file_not_json', ['trace', '--rom', rom, '--against', rom]],
    ['atari_trace_invalid', ['trace', '--rom', rom, '--against', file('t1.json', [])]],
    ['atari_trace_invalid', ['trace', '--rom', rom, '--against', file('t2.json', { actions: [18] })]],
    ['atari_trace_invalid', ['trace', '--rom', rom, '--against', file('t3.json', { actions: [1] })]],
    ['atari_trace_invalid', ['trace', '--rom', rom, '--against', file('t4.json', prelude('jump'))]],
    ['atari_trace_invalid', ['trace', '--rom', rom, '--against', file('t5.json', prelude('noop', 1.5))]],
    ['atari_trace_invalid', ['trace', '--rom', rom, '--against', file('t6.json', prelude('noop', -1))]],
    ['atari_trace_invalid', ['trace', '--rom', rom, '--against', file('t7.json', prelude('noop', 1, 1))]],
    ['atari_trace_invalid', ['trace', '--rom', rom, '--against', file('t8.json', endless)]],
    ['atari_trace_invalid', ['trace', '--rom', rom, '--against', file('t9.json', { ...empty, console: [] })]],
    ['atari_trace_invalid', ['trace', '--rom', rom, '--against', nested()]],
    ['atari_game_unknown', ['trace', '--rom', rom, '--game', 'chess']],
    ['atari_script_invalid', ['trace', '--rom', rom, '--script', file('s.json', ['up'])]],
    ['atari_action_out_of_range', ['trace', '--rom', rom, '--script', file('a.json', [99])]],
    ['option_out_of_range', ['trace', '--rom', rom, '--frames', '0']],
    ['option_out_of_range', ['bench', '--rom', rom, '--frames', '-3']],
  ])('%s is exit code 2', async (code, args) => {
    const result = await run(...args);
    expect(result.err).toContain(`${code}: `);
    expect(result.code).toBe(2);
    expect(result.out).toBe('');
  });
});

/** An image of opcodes that stop the processor. */
function image(name: string, size: number): string {
  const path = join(folder, `${name}.bin`);
  writeFileSync(path, new Uint8Array(size).fill(0x02));
  return path;
}

/** JSON that can be read, but is too deep to be written back. */
function nested(): string {
  const path = join(folder, 'nested.json');
  writeFileSync(path, `{"actions":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  return path;
}

function prelude(event: string, ...frames: number[]): unknown {
  return { ...empty, prelude_events_frames: [[event, ...(frames.length === 0 ? [1] : frames)]] };
}
