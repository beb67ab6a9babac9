import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixture } from '../../fixtures/atari/read';
import { paddleRom } from '../../fixtures/cartridge/read';
import { palette } from './palette';
import { DEFAULT_PROPERTIES } from './properties';
import { knownRom } from './rom-table';
import { replayRandom } from './testing/replay';

describe('tables against the reference', () => {
  it('palette', () => {
    const reference = fixture<{
      ntsc_rgb_128: string[];
      ntsc_gray_128: number[];
      pal_rgb_128: string[];
      pal_gray_128: number[];
    }>('palette.json');
    for (const [format, rgb, grey] of [
      ['NTSC', reference.ntsc_rgb_128, reference.ntsc_gray_128],
      ['PAL', reference.pal_rgb_128, reference.pal_gray_128],
    ] as const) {
      const bytes = new Uint8Array(palette(format).buffer);
      const hex = (value: number) => Buffer.from(bytes.subarray(4 * value, 4 * value + 3)).toString('hex');
      for (let i = 0; i < 128; i += 1) {
        expect(hex(2 * i)).toBe(rgb[i]);
        const level = grey[i]?.toString(16).padStart(2, '0') ?? '';
        expect(hex(2 * i + 1)).toBe(level.repeat(3));
      }
    }
  });

  it('HMOVE motion and the cycles that blank', () => {
    const reference = fixture<{ hmove_motion_by_cycle_then_nibble: number[][] }>('tia-tables.json');
    // The core's table is a literal, so it is compared as one; that it is used is shown by the self-test cartridges.
    const source = readFileSync(new URL('../../wasm/atari/hmove-table.ts', import.meta.url), 'utf8');
    const rows = [...source.matchAll(/^ {2}(-?\d.*),$/gm)].map((row) => row[1]?.split(', ').map(Number));
    expect(rows).toEqual(reference.hmove_motion_by_cycle_then_nibble);
  });

  it('random words and sticky decisions', async () => {
    expect(await replayRandom(paddleRom, fixture('rng-vectors.json'))).toEqual({
      frames: 12,
      difference: null,
    });
  });

  it('ROM table', () => {
    interface Row {
      readonly md5: string;
      readonly name: string;
      readonly format: string;
      readonly format_is_auto_detected: boolean;
      readonly height: number;
      readonly minimal_actions?: readonly number[];
      readonly [key: string]: unknown;
    }
    const { roms } = fixture<{ roms: Row[] }>('rom-table.json');
    expect(roms).toHaveLength(108);
    for (const row of roms) {
      const known = knownRom(row.md5);
      expect(known?.name).toBe(row.name);
      if (row.minimal_actions !== undefined) expect(known?.minimalActions).toEqual(row.minimal_actions);
      const properties = { ...DEFAULT_PROPERTIES, ...known?.properties };
      for (const key of [
        'controller_left',
        'controller_right',
        'swap_ports',
        'swap_paddles',
        'ystart',
        'hmove_blanks',
        'left_difficulty',
        'right_difficulty',
      ] as const) {
        expect(properties[key]).toBe(row[key]);
      }
      expect(properties.format).toBe(row.format_is_auto_detected ? 'AUTO-DETECT' : row.format);
      // The table gives the height after detection: 250 on PAL where the property is 210.
      expect([210, 250].includes(row.height) ? 210 : row.height).toBe(properties.height);
    }
  });
});
