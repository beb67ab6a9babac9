import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PixelproofError } from '../../errors';
import {
  be32,
  CHANNELS,
  chunk,
  expectedRgb,
  headerOf,
  type PngSource,
  rawOf,
  slowAdler,
  writePng,
  zlibOf,
} from '../testing/png-writer';
import { adler32, crc32 } from '../zlib';
import { decodePng } from './png';

const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

const sources: fc.Arbitrary<PngSource> = fc
  .record({
    colour: fc.constantFrom(0, 2, 3, 4, 6),
    pick: fc.nat(4),
    width: fc.integer({ min: 1, max: 21 }),
    height: fc.integer({ min: 1, max: 21 }),
    interlaced: fc.boolean(),
    split: fc.constantFrom(0, 1, 7, 40),
    level: fc.constantFrom(0, 1, 6, 9),
    filters: fc.array(fc.nat(4), { minLength: 1, maxLength: 9 }),
    colours: fc.integer({ min: 1, max: 256 }),
    seed: fc.nat(),
  })
  .map(({ colour, pick, filters, colours, seed, ...rest }) => {
    const depths = DEPTHS[colour] ?? [8];
    const depth = depths[pick % depths.length] ?? 8;
    let state = seed + 1;
    const random = (below: number) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    // Runs of equal samples exercise matches, changes exercise literals.
    let last = 0;
    const samples = Array.from({ length: rest.width * rest.height * (CHANNELS[colour] ?? 1) }, () => {
      if (random(3) === 0) last = random(2 ** depth);
      return last;
    });
    const palette =
      colour === 3 ? Array.from({ length: 3 * Math.min(colours, 2 ** depth) }, () => random(256)) : null;
    return {
      ...rest,
      colour,
      depth,
      samples,
      palette,
      filter: (row: number) => filters[row % filters.length] ?? 0,
    };
  });

const PLAIN: PngSource = {
  width: 3,
  height: 2,
  depth: 8,
  colour: 2,
  interlaced: false,
  samples: Array.from({ length: 18 }, (_, i) => i * 13),
  palette: null,
  filter: (row) => row,
  split: 0,
  level: 6,
};
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** A file of the plain picture around other image data. */
function fileWith(data: readonly number[], source = PLAIN): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([...SIGNATURE, ...headerOf(source), ...chunk('IDAT', data), ...chunk('IEND', [])]);
}
function headerFile(
  width: number,
  height: number,
  rest: readonly number[] = [8, 2, 0, 0, 0],
): Uint8Array<ArrayBuffer> {
  const header = chunk('IHDR', [...be32(width), ...be32(height), ...rest]);
  return Uint8Array.from([...SIGNATURE, ...header, ...chunk('IDAT', zlibOf([0], 6)), ...chunk('IEND', [])]);
}
function codeOf(file: Uint8Array): string {
  try {
    decodePng(file);
    return 'none';
  } catch (error) {
    if (!(error instanceof PixelproofError)) throw error;
    return error.code;
  }
}
function replaced(from: readonly number[], at: number, ...bytes: number[]): Uint8Array<ArrayBuffer> {
  const file = Uint8Array.from(from);
  file.set(bytes, at);
  return file;
}

describe('PNG pixels', () => {
  test('every colour type, depth, filter, interlace and chunking gives what the rule gives', () => {
    fc.assert(
      fc.property(sources, (source) => {
        const image = decodePng(writePng(source));
        expect([image.width, image.height]).toEqual([source.width, source.height]);
        expect([...image.data]).toEqual(expectedRgb(source));
      }),
      { numRuns: 600 },
    );
  });

  test('checksums equal the plain ones, at every length around the vector steps', () => {
    for (let length = 0; length < 300; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 89 + length) & 255);
      expect(adler32(bytes)).toBe(slowAdler(bytes));
    }
    const large = new Uint8Array(100_000).fill(255);
    expect(adler32(large)).toBe(slowAdler(large));
    expect(crc32(Uint8Array.from([...'123456789'].map((c) => c.charCodeAt(0))))).toBe(0xcbf43926);
  });

  test('whatever bit is flipped, the file is refused by name or read without an internal fault', () => {
    const good = writePng(PLAIN);
    for (let bit = 0; bit < good.length * 8; bit++) {
      const file = good.slice();
      file[bit >> 3] = (file[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(codeOf(file)).toMatch(/^(png_|image_|none)/);
    }
  });

  test('cut anywhere, a file is refused until its image data is complete', () => {
    const good = writePng({ ...PLAIN, split: 5 });
    for (let length = 0; length < good.length - 12; length++) {
      expect(codeOf(good.slice(0, length))).toMatch(
        /^(png_signature|png_truncated|png_no_data|png_data_short|png_checksum)$/,
      );
    }
    expect(decodePng(good.slice(0, good.length - 12)).warnings).toMatchObject([{ code: 'png_no_end' }]);
  });
});

describe('PNG warnings', () => {
  const raw = rawOf(PLAIN);
  const pixels = expectedRgb(PLAIN);

  test('bytes after the stream, surplus rows and bytes after the end are read over', () => {
    const cases = [
      [fileWith([...zlibOf(raw, 6), 1, 2, 3]), 'png_after_data'],
      [fileWith(zlibOf([...raw, 0, 1, 2, 3], 6)), 'png_surplus_rows'],
      [fileWith(zlibOf([...raw, ...new Array(90_000).fill(7)], 6)), 'png_surplus_rows'],
      [fileWith(zlibOf([...raw, 1], 0)), 'png_surplus_rows'],
      [Uint8Array.from([...writePng(PLAIN), 0, 0]), 'png_after_end'],
    ] as const;
    for (const [file, code] of cases) {
      const image = decodePng(file);
      expect([...image.data]).toEqual(pixels);
      expect(image.warnings.map((warning) => warning.code)).toEqual([code]);
    }
  });

  test('16-bit grey saturates and says so', () => {
    const image = decodePng(
      writePng({ ...PLAIN, colour: 0, depth: 16, samples: [0, 254, 255, 256, 32768, 65535] }),
    );
    expect([...image.data].filter((_, i) => i % 3 === 0)).toEqual([0, 254, 255, 255, 255, 255]);
    expect(image.warnings).toMatchObject([{ code: 'png_grey16_saturated' }]);
  });

  test('an ancillary chunk never counts, whatever it holds', () => {
    const odd = chunk('zTXt', [1, 2, 3]);
    odd[odd.length - 1] = (odd.at(-1) ?? 0) ^ 1;
    const good = [...writePng(PLAIN)];
    expect([...decodePng(Uint8Array.from([...good.slice(0, 33), ...odd, ...good.slice(33)])).data]).toEqual(
      pixels,
    );
  });

  test('an animation gives its still picture', () => {
    const good = [...writePng(PLAIN)];
    const file = Uint8Array.from([
      ...good.slice(0, 33),
      ...chunk('acTL', [0, 0, 0, 1, 0, 0, 0, 0]),
      ...good.slice(33),
    ]);
    expect(decodePng(file).warnings).toMatchObject([{ code: 'animated_first_picture' }]);
  });
});

describe('hostile PNG files are refused by name', () => {
  const good = [...writePng(PLAIN)];
  const raw = rawOf(PLAIN);
  const data = zlibOf(raw, 6);
  const idat = chunk('IDAT', data);
  const end = chunk('IEND', []);
  const file = (...parts: readonly (readonly number[])[]) => Uint8Array.from([...SIGNATURE, ...parts.flat()]);
  const header = headerOf(PLAIN);
  const text = chunk('tEXt', [65]);

  test.each([
    ['no bytes', new Uint8Array(0), 'png_signature'],
    ['not a PNG', Uint8Array.from([1, 2, 3]), 'png_signature'],
    ['only the signature', Uint8Array.from(SIGNATURE), 'png_truncated'],
    ['100,000 x 100,000 in 50 bytes', headerFile(100_000, 100_000).slice(0, 50), 'image_too_large'],
    ['no columns', headerFile(0, 5), 'image_zero_size'],
    ['no rows', headerFile(5, 0), 'image_zero_size'],
    ['8000 x 8000 with a few bytes of data', headerFile(8000, 8000), 'png_data_short'],
    ['depth 3', headerFile(1, 1, [3, 0, 0, 0, 0]), 'png_header'],
    ['colour type 5', headerFile(1, 1, [8, 5, 0, 0, 0]), 'png_header'],
    ['compression 1', headerFile(1, 1, [8, 2, 1, 0, 0]), 'png_header'],
    ['filter method 1', headerFile(1, 1, [8, 2, 0, 1, 0]), 'png_header'],
    ['interlace 2', headerFile(1, 1, [8, 2, 0, 0, 2]), 'png_header'],
    ['a short header', file(chunk('IHDR', [0, 0]), idat, end), 'png_header'],
    ['a damaged header', replaced(good, 20, 9), 'png_crc'],
    ['damaged image data', replaced(good, good.length - 20, (good.at(-20) ?? 0) ^ 1), 'png_crc'],
    ['image data first', file(idat, header, end), 'png_order'],
    ['two headers', file(header, header, idat, end), 'png_order'],
    ['interrupted image data', file(header, idat, text, idat, end), 'png_order'],
    ['palette after the data', file(header, idat, chunk('PLTE', [1, 2, 3]), end), 'png_order'],
    [
      'an odd palette',
      file(headerOf({ ...PLAIN, colour: 3 }), chunk('PLTE', [1, 2]), idat, end),
      'png_palette',
    ],
    ['an unknown critical chunk', file(header, chunk('CgBI', []), idat, end), 'png_critical_chunk'],
    [
      'a chunk without a name',
      file(header, [0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0], idat, end),
      'png_chunk_name',
    ],
    ['no image data', file(header, end), 'png_no_data'],
    ['empty image data', file(header, chunk('IDAT', []), end), 'png_data_short'],
    ['no zlib header', fileWith([0, 0, ...data.slice(2)]), 'png_zlib_header'],
    ['a preset dictionary', fileWith([0x78, 0xbb, ...data.slice(2)]), 'png_zlib_header'],
    ['a reserved block type', fileWith([0x78, 0x9c, 7, 0, 0, 0, 0]), 'png_data_corrupt'],
    ['a distance before the start', fileWith([0x78, 0x9c, 0x63, 0x00, 0x42, 0, 0, 0, 0]), 'png_data_corrupt'],
    ['a row too few', fileWith(zlibOf(raw.slice(0, 10), 6)), 'png_data_short'],
    ['a byte too few', fileWith(zlibOf(raw.slice(0, -1), 6)), 'png_data_short'],
    ['a stream without end', fileWith(data.slice(0, -6)), 'png_data_short'],
    ['a missing checksum', fileWith(data.slice(0, -4)), 'png_checksum'],
    ['half a checksum', fileWith(data.slice(0, -2)), 'png_checksum'],
    ['a wrong checksum', fileWith([...data.slice(0, -1), (data.at(-1) ?? 0) ^ 1]), 'png_checksum'],
    ['filter 5', fileWith(zlibOf([5, ...raw.slice(1)], 6)), 'png_filter'],
  ])('%s', (_, bytes, code) => {
    expect(codeOf(bytes)).toBe(code);
  });

  test('one pixel with megabytes of data is read in no time', () => {
    const one = { ...PLAIN, width: 1, height: 1, samples: [1, 2, 3] };
    const bomb = fileWith(zlibOf([...rawOf(one), ...new Array(4_000_000).fill(0)], 9), one);
    const image = decodePng(bomb);
    expect([...image.data]).toEqual([1, 2, 3]);
    expect(image.warnings).toMatchObject([{ code: 'png_surplus_rows' }]);
  });
});
