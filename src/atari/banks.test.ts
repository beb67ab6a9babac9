import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cartridgeOf } from '../../fixtures/atari/read';
import { BANK_SCHEMES, bankCartridge } from '../../fixtures/cartridge/banks/build.mjs';
import { readCartridge } from './cartridge';
import { Console } from './console';
import { compareTrace } from './trace';
import { readTrace } from './trace-form';

const traceOf = (name: string): { readonly rom_base64: string; readonly rom_md5: string } =>
  JSON.parse(
    readFileSync(new URL(`../../fixtures/cartridge/banks/bank-${name}.json`, import.meta.url), 'utf8'),
  );

describe('every bank scheme, reads and writes, against the reference', () => {
  it.each(BANK_SCHEMES)('%s: the image is what its source builds, its scheme is found', (name) => {
    const file = traceOf(name);
    expect(Buffer.from(bankCartridge(name)).toString('base64')).toBe(file.rom_base64);
    const { scheme, md5 } = readCartridge(cartridgeOf(file));
    expect(scheme).toBe(name.toUpperCase());
    expect(md5).toBe(file.rom_md5);
  });

  it.each(BANK_SCHEMES)('%s is equal in RAM and picture on every frame', async (name) => {
    const file = traceOf(name);
    const trace = readTrace(file);
    const equal = { frames: 300, ram_equal: 300, rgb_equal: 300, first_difference: null };
    expect(await compareTrace(cartridgeOf(file), trace)).toEqual(equal);
    const { rgb_sha256_16: _, ...indexed } = trace;
    expect(await compareTrace(cartridgeOf(file), indexed)).toEqual(equal);
  });

  it('each trace was really played: no two frames leave the same RAM', () => {
    for (const name of BANK_SCHEMES) {
      const { ram_sha256_16: ram } = readTrace(traceOf(name));
      expect(new Set(ram).size).toBe(300);
    }
  });

  it('a 2 KB image of scheme CV runs, although the reference has no trace of one', async () => {
    const image = bankCartridge('cv').slice(2048);
    image.set([0x9d, 0xff, 0xf3], 0x100);
    const console = await Console.load(image);
    expect(console.cartridge.scheme).toBe('CV');
    const counted = console.ram[0] ?? 0;
    console.step(0, 10);
    expect(console.ram[0]).toBe(counted + 10);
  });
});
