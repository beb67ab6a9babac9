import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cartridgeOf, fixture } from '../../fixtures/atari/read';
import { Console } from './console';
import { compareTrace } from './trace';
import { readTrace } from './trace-form';

interface SelfTest {
  readonly rom_base64: string;
  readonly rom_md5: string;
  readonly start_ram_hex: string;
  readonly screen_sha256_16: readonly string[];
}

const names = readdirSync(new URL('../../fixtures/atari/', import.meta.url))
  .filter((name) => name.startsWith('selftest-'))
  .sort();

describe('self-written cartridges against their reference traces', () => {
  it('there are fifteen', () => {
    expect(names).toHaveLength(15);
  });

  it.each(names)('%s is equal in RAM and picture on every frame', async (name) => {
    const file = fixture<SelfTest>(name);
    const rom = cartridgeOf(file);
    const trace = readTrace(file);
    expect(await compareTrace(rom, trace)).toEqual({
      frames: 300,
      ram_equal: 300,
      rgb_equal: 300,
      first_difference: null,
    });
    // The indexed pictures too: a wrong register value with the right colour would pass the RGB digests.
    const { rgb_sha256_16: _, ...indexed } = trace;
    expect((await compareTrace(rom, indexed)).rgb_equal).toBe(300);
  });

  it.each(names)('%s: detected scheme, MD5 and RAM at the start', async (name) => {
    const file = fixture<SelfTest>(name);
    const console = await Console.powered(cartridgeOf(file), { properties: { ...readTrace(file).console } });
    expect(console.cartridge.md5).toBe(file.rom_md5);
    const scheme = /^selftest-bank-(.*)[.]json$/.exec(name)?.[1]?.toUpperCase();
    if (scheme !== undefined) expect(console.cartridge.scheme).toBe(scheme);
    console.consoleReset();
    for (const [event, frames] of readTrace(file).prelude_events_frames) console.hold(event, frames);
    expect(Buffer.from(console.ram).toString('hex')).toBe(file.start_ram_hex);
  });

  it('a difference is named by its first frame', async () => {
    const file = fixture<SelfTest>('selftest-tia-2.json');
    const trace = readTrace(file);
    const ram = trace.ram_sha256_16.with(41, '0123456789abcdef').with(50, '0123456789abcdef');
    const result = await compareTrace(cartridgeOf(file), { ...trace, ram_sha256_16: ram });
    expect(result.ram_equal).toBe(298);
    expect(result.rgb_equal).toBe(300);
    expect(result.first_difference).toEqual({
      frame: 42,
      field: 'ram',
      expected: '0123456789abcdef',
      got: trace.ram_sha256_16[41],
    });
  });
});
