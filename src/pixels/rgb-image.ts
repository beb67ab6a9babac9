import { PixelproofError } from '../errors';

/** An image as evidence: RGB, 8 bits a channel, rows top to bottom without padding. Never from a canvas. */
export interface RgbImage {
  readonly width: number;
  readonly height: number;
  /** width * height * 3 bytes. */
  readonly data: Uint8Array<ArrayBuffer>;
}

/** Widest and highest image of the lab, in pixels. */
const MAX_IMAGE_SIDE = 16384;
/** Most pixels of one image: 64 million, 192 MB of RGB. */
const MAX_IMAGE_PIXELS = 64_000_000;

/** Throws `image_size` unless sides are 1..16384, pixels at most 64 million, and the data exactly fills them. */
export function checkedImage(image: RgbImage): RgbImage {
  const { width, height, data } = image;
  const sides =
    Number.isInteger(width) &&
    Number.isInteger(height) &&
    width >= 1 &&
    height >= 1 &&
    width <= MAX_IMAGE_SIDE &&
    height <= MAX_IMAGE_SIDE &&
    width * height <= MAX_IMAGE_PIXELS;
  if (sides && data.length === width * height * 3) return image;
  throw new PixelproofError('image_size', 'The image does not have the size it says.', {
    expected: sides ? `${width * height * 3} bytes of RGB` : `sides of 1 to ${MAX_IMAGE_SIDE} pixels`,
    got: `${width} x ${height} with ${data.length} bytes`,
  });
}
