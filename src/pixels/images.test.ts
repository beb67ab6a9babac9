import fc from 'fast-check';
import { inflate } from 'pako';
import { describe, expect, test } from 'vitest';
import { diffImages } from './image-diff';
import { encodePng } from './png-encode';
import { checkedImage, type RgbImage } from './rgb-image';
import { Surface, uploadMask, uploadSprite } from './surface';

const code = (code: string) => expect.objectContaining({ code });

function image(width: number, height: number, data: Iterable<number>): RgbImage {
  return { width, height, data: Uint8Array.from(data) };
}

/** Undoes the filters of a PNG of one IDAT chunk, in the plainest way. */
function pixelsOf(png: Uint8Array): { filters: number[]; data: Uint8Array } {
  const view = new DataView(png.buffer, png.byteOffset);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const length = view.getUint32(33);
  expect(Buffer.from(png.subarray(37, 41)).toString()).toBe('IDAT');
  expect(Buffer.from(png.subarray(41 + length + 8, 41 + length + 12)).toString()).toBe('IEND');
  const raw = inflate(png.subarray(41, 41 + length));
  const stride = width * 3;
  const data = new Uint8Array(stride * height);
  const filters: number[] = [];
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] ?? 0;
    filters.push(filter);
    for (let i = 0; i < stride; i++) {
      const at = y * stride + i;
      const a = i < 3 ? 0 : (data[at - 3] ?? 0);
      const b = y === 0 ? 0 : (data[at - stride] ?? 0);
      const c = i < 3 || y === 0 ? 0 : (data[at - stride - 3] ?? 0);
      const p = a + b - c;
      const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
      const paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
      const guess = [0, a, b, (a + b) >> 1, paeth][filter] ?? 0;
      data[at] = (raw[y * (stride + 1) + 1 + i] ?? 0) + guess;
    }
  }
  return { filters, data };
}

describe('PNG encoder', () => {
  test('pixels read back, whatever the size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer(),
        fc.constantFrom(2, 5, 256),
        (width, height, seed, letters) => {
          let state = seed >>> 0;
          const data = Uint8Array.from({ length: width * height * 3 }, () => {
            state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
            return Math.floor((state / 2 ** 32) * letters);
          });
          expect(pixelsOf(encodePng({ width, height, data })).data).toEqual(data);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('the cheapest filter wins, ties go to the one tried first', () => {
    // Row 0 all zero: None at cost 0. Row 1 flat: Sub leaves one pixel. Row 2 equals it: Up leaves nothing.
    // Row 3 is noise around no neighbour: None.
    const flat = Array.from({ length: 8 }, () => [90, 90, 90]).flat();
    const rows = [
      new Array<number>(24).fill(0),
      flat,
      flat,
      Array.from({ length: 24 }, (_, i) => (i * 97) & 3),
    ];
    expect(pixelsOf(encodePng(image(8, 4, rows.flat()))).filters).toEqual([0, 1, 2, 0]);
  });

  test('a size that its data does not fill', () => {
    expect(() => encodePng(image(2, 2, [1, 2, 3]))).toThrow(code('image_size'));
    expect(() => checkedImage(image(0, 2, []))).toThrow(code('image_size'));
    expect(() => checkedImage(image(1.5, 2, new Array(9).fill(0)))).toThrow(code('image_size'));
    expect(() => checkedImage({ width: 20_000, height: 1, data: new Uint8Array(60_000) })).toThrow(
      code('image_size'),
    );
  });
});

describe('image difference', () => {
  test('count, mask and box', () => {
    const a = image(3, 2, new Array<number>(18).fill(7));
    const b = image(3, 2, a.data.with(4, 8).with(17, 0));
    expect(diffImages(a, a)).toMatchObject({ count: 0, box: null });
    const diff = diffImages(a, b);
    expect(diff).toMatchObject({ count: 2, box: { x0: 1, y0: 0, x1: 2, y1: 1 } });
    expect([...diff.mask]).toEqual([0, 255, 0, 0, 0, 255]);
  });

  test('unequal sizes are refused', () => {
    const a = image(1, 2, new Array<number>(6).fill(0));
    expect(() => diffImages(a, image(2, 1, a.data))).toThrow(code('image_size_mismatch'));
    expect(() => diffImages(a, image(2, 2, a.data))).toThrow(code('image_size'));
  });
});

describe('surfaces', () => {
  test('fill, sprite, mask and copy', () => {
    const surface = new Surface(4, 2);
    surface.fill(0, 0, 3, 1, [10, 20, 30]);
    surface.blit(uploadSprite(2, 1, Uint8Array.of(0, 1), [[1, 2, 3]]), 0, 0);
    surface.blend(uploadMask(1, 1, Uint8Array.of(128)), 3, 0, [255, 255, 255]);
    surface.copyRect(1, 0, 0, 1, 1, 1);
    expect([...surface.image().data]).toEqual(
      [
        [10, 20, 30],
        [1, 2, 3],
        [10, 20, 30],
        [133, 138, 143],
        [1, 2, 3],
        [10, 20, 30],
        [10, 20, 30],
        [10, 20, 30],
      ].flat(),
    );
  });

  test('nothing is drawn outside', () => {
    const surface = new Surface(4, 2);
    expect(() => surface.fill(0, 0, 4, 1, [0, 0, 0])).toThrow(code('image_bounds'));
    expect(() => surface.pixel(-1, 0)).toThrow(code('image_bounds'));
    expect(() => surface.copyFrom(new Surface(5, 2))).toThrow(code('image_bounds'));
  });
});
