import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import UPNG from 'upng-js';
import { describe, expect, test } from 'vitest';
import { encodePng } from '../png-encode';
import { decodePng } from './png';

const golden = new URL('../../../fixtures/image-signals/golden/', import.meta.url);

// upng-js is the second opinion on PNG where it is right. Where it is wrong, the reference (Pillow) decides, and these
// tests say what the difference is; that is why it does not read evidence here.

function rgbOf(png: Uint8Array<ArrayBuffer>): { width: number; height: number; rgb: Uint8Array } {
  const image = UPNG.decode(png.buffer.slice(png.byteOffset, png.byteOffset + png.byteLength));
  const rgba = new Uint8Array(UPNG.toRGBA8(image)[0] ?? new ArrayBuffer(0));
  const rgb = new Uint8Array(image.width * image.height * 3);
  for (let i = 0; i < image.width * image.height; i++) rgb.set(rgba.subarray(i * 4, i * 4 + 3), i * 3);
  return { width: image.width, height: image.height, rgb };
}

describe('PNG against upng-js', () => {
  test('a file that we wrote has the same pixels to both', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 40 }),
        fc.uint8Array({ minLength: 40 * 40 * 3, maxLength: 40 * 40 * 3 }),
        (width, height, noise) => {
          const data = new Uint8Array(noise.slice(0, width * height * 3));
          const theirs = rgbOf(encodePng({ width, height, data }));
          expect(Buffer.from(theirs.rgb).equals(Buffer.from(data))).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  test.each(['g29_adam7.png', 'g26_palette4.png', 'g23_rgb16.png'])('%s: the same pixels', (name) => {
    const file = new Uint8Array(readFileSync(new URL(name, golden)));
    expect(Buffer.from(decodePng(file).data).equals(Buffer.from(rgbOf(file).rgb))).toBe(true);
  });

  test('upng-js accepts a damaged chunk; ours names it', () => {
    const file = encodePng({ width: 4, height: 4, data: new Uint8Array(48).fill(9) });
    const at = file.length - 13;
    file[at] = (file[at] ?? 0) ^ 1;
    expect(() => rgbOf(file)).not.toThrow();
    expect(() => decodePng(file)).toThrow(expect.objectContaining({ code: 'png_crc' }));
  });
});
