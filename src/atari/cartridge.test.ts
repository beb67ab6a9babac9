import { describe, expect, it } from 'vitest';
import { assemble } from '../../scripts/assembler/assembler.mjs';
import { type Scheme, schemeOf } from './cartridge';
import { machineWith } from './testing/machine';

/** Two banks; each notes its number, and bank 0 then goes to bank 1 by its hot spot. */
const bank = (number: number) => `
        .org $F000
Start:  lda #${number}
        sta $80 + ${number}
        lda $FFF9               ; bank 1 goes on here
        lda #$C0 + ${number}
        sta $82
Stay:   jmp Stay
        .org $FFFC
        .word Start, Start`;
const rom = new Uint8Array([...assemble(bank(0)).bytes, ...assemble(bank(1)).bytes]);

async function ramAfterReset(scheme: Scheme): Promise<number[]> {
  const { calls, ram } = await machineWith(rom, scheme);
  ram.fill(0xee);
  calls.reset_console();
  calls.run_frames(0, 1);
  return [...ram.subarray(0, 3)];
}

describe('scheme F8', () => {
  it('starts in bank 1', async () => {
    expect(rom).toHaveLength(8192);
    expect(schemeOf('00000000000000000000000000000000', rom)).toBe('F8');
    expect(await ramAfterReset('F8')).toEqual([0xee, 1, 0xc1]);
  });

  it.each(['bc24440b59092559a1ec26055fd1270e', '75ee371ccfc4f43e7d9b8f24e1266b55'])(
    'starts in bank 0 for the dump with MD5 %s, and then switches as usual',
    async (md5) => {
      const scheme = schemeOf(md5, rom);
      expect(scheme).toBe('F8 swapped');
      if (scheme === '3E') return;
      expect(await ramAfterReset(scheme)).toEqual([0, 0xee, 0xc1]);
    },
  );
});

describe('scheme 3F', () => {
  // Which scheme the reference chose for such images was seen by what a read of F000 gave.
  it.each([
    ['853f853f', 'F8'],
    ['853fea853f', '3F'],
    ['853f', 'F8'],
  ])('code %s makes an 8K image %s', (code, scheme) => {
    const image = rom.slice();
    image.set(Buffer.from(code, 'hex'), 0x400);
    expect(schemeOf('', image)).toBe(scheme);
  });
});
