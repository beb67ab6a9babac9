import { PixelproofError } from '../errors';
import { checkedImage, type RgbImage } from './rgb-image';
import { memoryAt, Scratch, wasm } from './wasm';

/** Where two images differ. */
export interface ImageDiff {
  readonly width: number;
  readonly height: number;
  /** Pixels with any unequal channel. */
  readonly count: number;
  /** One byte a pixel: 255 where the images differ, else 0. */
  readonly mask: Uint8Array<ArrayBuffer>;
  /** Smallest rectangle around all differing pixels, inclusive, null when there is none. */
  readonly box: {
    readonly x0: number;
    readonly y0: number;
    readonly x1: number;
    readonly y1: number;
  } | null;
}

const left = new Scratch();
const right = new Scratch();
const result = new Scratch();

/** Throws `image_size_mismatch` unless both images have the same sides, `image_size` for a malformed one. */
export function diffImages(a: RgbImage, b: RgbImage): ImageDiff {
  checkedImage(a);
  checkedImage(b);
  if (a.width !== b.width || a.height !== b.height) {
    throw new PixelproofError(
      'image_size_mismatch',
      'Only images of the same size can be compared pixel by pixel.',
      { expected: `${a.width} x ${a.height}`, got: `${b.width} x ${b.height}` },
    );
  }
  const pixels = a.width * a.height;
  const atA = left.reserve(a.data.length);
  const atB = right.reserve(b.data.length);
  const atMask = result.reserve(pixels);
  memoryAt(atA, a.data.length).set(a.data);
  memoryAt(atB, b.data.length).set(b.data);
  const count = wasm.diffPixels(atA, atB, pixels, atMask);
  const mask = memoryAt(atMask, pixels).slice();
  return { width: a.width, height: a.height, count, mask, box: count === 0 ? null : boxOf(mask, a.width) };
}

function boxOf(mask: Uint8Array, width: number): NonNullable<ImageDiff['box']> {
  let [x0, y0, x1, y1] = [width, mask.length, -1, -1];
  for (let i = 0; i < mask.length; i++) {
    if (mask[i] === 0) continue;
    const x = i % width;
    const y = (i - x) / width;
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
  }
  return { x0, y0, x1, y1 };
}
