import { PixelproofError } from '../../errors';
import type { RgbImage } from '../rgb-image';

export type ImageFormat = 'png' | 'jpeg' | 'webp';

/** Something about a file that a reader of the numbers has to know. The code is stable, the message is for people. */
export interface DecodeWarning {
  readonly code: string;
  readonly message: string;
}

/** A decoded file: the pixels of Pillow's `Image.open(f).convert("RGB")`. */
export interface DecodedImage extends RgbImage {
  readonly format: ImageFormat;
  /** Which decoder, with its version: `png-js/1`. */
  readonly decoder: string;
  /** False where this environment could not show that it gives the reference's pixels bit by bit. */
  readonly exact: boolean;
  readonly warnings: readonly DecodeWarning[];
}

const MAX_SIDE = 65535;
const MAX_PIXELS = 64_000_000;

/** Throws `image_zero_size` or `image_too_large`, before anything of that size is allocated. */
export function checkDeclaredSize(width: number, height: number): void {
  if (width === 0 || height === 0) {
    throw new PixelproofError('image_zero_size', 'The file declares a picture without pixels.', {
      expected: 'sides of at least 1 pixel',
      got: `${width} x ${height}`,
    });
  }
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS) {
    throw new PixelproofError('image_too_large', 'The file declares more pixels than are read here.', {
      expected: `at most ${MAX_PIXELS} pixels, sides up to ${MAX_SIDE}`,
      got: `${width} x ${height}`,
    });
  }
}
