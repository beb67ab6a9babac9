import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cartridgeOf, fixture } from '../fixtures/atari/read';
import type { Trace, TraceComparison } from '../src/atari';
import { EXIT } from './exit';
import { main } from './main';

const FIXTURES = new URL('../fixtures/atari/', import.meta.url).pathname;
const NAMES = readdirSync(FIXTURES).filter((name) => name.startsWith('selftest-'));
const folder = mkdtempSync(join(tmpdir(), 'pixelproof-atari-'));
const romOf = (name: string) => join(folder, `${name}.bin`);

interface SelfTest {
  readonly rom_base64: string;
  readonly rom_md5: string;
}

/** Runs a command line and gives its exit code and what it printed. */
async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const printed = { out: '', err: '' };
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.out += String(text);
    return true;
  });
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed.err += String(text);
    return true;
  });
  try {
    return { code: await main(['atari', ...args]), ...printed };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

beforeAll(() => {
  for (const name of NAMES) writeFileSync(romOf(name), cartridgeOf(fixture<SelfTest>(name)));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('atari trace --against', () => {
  it.each(NAMES)('%s: equal on every frame, exit 0', async (name) => {
    const { code, out } = await run(
      'trace',
      '--rom',
      romOf(name),
      '--against',
      join(FIXTURES, name),
      '--json',
    );
    expect(code).toBe(EXIT.complete);
    expect(JSON.parse(out)).toEqual({
      frames: 300,
      ram_equal: 300,
      rgb_equal: 300,
      first_difference: null,
    });
  });

  it('a difference gives exit 1 and its place', async () => {
    const trace = fixture<Trace>('selftest-tia-2.json');
    const file = join(folder, 'changed.json');
    const got = trace.rgb_sha256_16?.[7] ?? '';
    writeFileSync(
      file,
      JSON.stringify({ ...trace, rgb_sha256_16: trace.rgb_sha256_16?.with(7, '0123456789abcdef') }),
    );
    const { code, out } = await run(
      'trace',
      '--rom',
      romOf('selftest-tia-2.json'),
      '--against',
      file,
      '--json',
    );
    expect(code).toBe(EXIT.difference);
    expect((JSON.parse(out) as TraceComparison).first_difference).toEqual({
      frame: 8,
      field: 'rgb',
      expected: '0123456789abcdef',
      got,
    });
  });
});

describe('atari trace --script, --seed', () => {
  it.each([
    ['noop', ['--script', 'noop']],
    ['seeded and sticky', ['--seed', '37', '--sticky', '0.25']],
  ])('%s: what is recorded compares equal', async (_, how) => {
    const rom = romOf('selftest-cpu-1.json');
    const recorded = await run('trace', '--rom', rom, ...how, '--frames', '90', '--json');
    expect(recorded.code).toBe(EXIT.complete);
    const file = join(folder, 'recorded.json');
    writeFileSync(file, recorded.out);
    const { code, out } = await run('trace', '--rom', rom, '--against', file, '--json');
    expect(code).toBe(EXIT.complete);
    expect(JSON.parse(out)).toMatchObject({ frames: 90, ram_equal: 90, rgb_equal: 90 });
  });

  it('a script file is repeated as often as needed, and the ROM is not in the trace', async () => {
    const script = join(folder, 'script.json');
    writeFileSync(script, '[1, 3, 4]');
    const rom = romOf('selftest-tia-3.json');
    const { out } = await run('trace', '--rom', rom, '--script', script, '--frames', '5', '--json');
    const trace = JSON.parse(out) as Trace;
    expect(trace.actions).toEqual([1, 3, 4, 1, 3]);
    expect(trace.rom_md5).toBe(fixture<SelfTest>('selftest-tia-3.json').rom_md5);
    expect(out).not.toContain(readFileSync(rom).subarray(0, 24).toString('base64'));
  });
});

describe('atari info and bench', () => {
  it('info names scheme, size and MD5', async () => {
    const { code, out } = await run('info', '--rom', romOf('selftest-bank-e0.json'), '--json');
    expect(code).toBe(EXIT.complete);
    expect(JSON.parse(out)).toEqual({
      md5: fixture<SelfTest>('selftest-bank-e0.json').rom_md5,
      scheme: 'E0',
      size: 8192,
      name: null,
    });
  });
  it('bench gives two speeds', async () => {
    const { code, out } = await run(
      'bench',
      '--rom',
      romOf('selftest-bank-f8.json'),
      '--frames',
      '20',
      '--json',
    );
    expect(code).toBe(EXIT.complete);
    const speeds = JSON.parse(out) as { frames_per_second_ram: number; frames_per_second_sha256: number };
    expect(speeds.frames_per_second_ram).toBeGreaterThan(0);
    expect(speeds.frames_per_second_sha256).toBeGreaterThan(0);
  });
});

describe('bad input: exit 2 and a code', () => {
  const bad = (name: string, bytes: Uint8Array | string) => {
    const file = join(folder, name);
    writeFileSync(file, bytes);
    return file;
  };
  const rom = romOf('selftest-tia-1.json');
  it.each<[string, () => string[]]>([
    ['atari_rom_empty', () => ['info', '--rom', bad('empty.bin', '')]],
    ['atari_rom_odd_size', () => ['info', '--rom', bad('odd.bin', new Uint8Array(3000))]],
    ['atari_rom_too_large', () => ['info', '--rom', bad('large.bin', new Uint8Array(65536))]],
    ['atari_rom_unsupported', () => ['info', '--rom', bad('tape.bin', new Uint8Array(8448))]],
    ['atari_no_frame', () => ['bench', '--rom', bad('jam.bin', new Uint8Array(4096).fill(2))]],
    ['file_unreadable', () => ['info', '--rom', join(folder, 'absent.bin')]],
    ['file_not_json', () => ['trace', '--rom', rom, '--against', bad('text.json', 'text')]],
    ['atari_trace_invalid', () => ['trace', '--rom', rom, '--against', bad('form.json', '{}')]],
    ['atari_script_invalid', () => ['trace', '--rom', rom, '--script', bad('script.json', '[]')]],
    ['atari_action_out_of_range', () => ['trace', '--rom', rom, '--script', bad('script.json', '[99]')]],
    ['atari_game_unknown', () => ['trace', '--rom', rom, '--game', 'chess']],
    ['atari_sticky_out_of_range', () => ['trace', '--rom', rom, '--sticky', 'often']],
    ['usage', () => ['trace', '--rom', rom, '--frames', 'many']],
    ['usage', () => ['bench', '--rom', rom, '--frames', '-3']],
  ])('%s', async (code, args) => {
    const result = await run(...args());
    expect(result.err).toMatch(new RegExp(`^${code}: `));
    expect(result.code).toBe(EXIT.usage);
  });
  it('a missing option and an unknown one', async () => {
    expect((await run('info')).code).toBe(EXIT.usage);
    expect((await run('trace', '--rom', rom, '--nonsense')).code).toBe(EXIT.usage);
  });
});
