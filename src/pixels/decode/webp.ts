import { PixelproofError } from '../../errors';
import { atWorkbench } from '../workbench';
import type { DecodedImage } from './decoded';
import { readWebp, type WebpFile } from './webp-chunks';

const WEBP_DECODER = 'pixelproof-webp/1';
/** What a reader of bits may see after the last byte. */
const ZEROS = 8;

/**
 * The pixels that Pillow's `convert("RGB")` gives for a WebP file: libwebp's smooth chroma upsampling, alpha dropped,
 * profiles and rotation ignored; of an animation its first frame, black where the frame does not reach.
 *
 * Throws what `readWebp` throws, `webp_damaged` when the coded data cannot be decoded whole, and `memory_exhausted`.
 */
export function decodeWebp(bytes: Uint8Array): DecodedImage {
  const { width, height, frame, warnings } = readWebp(bytes);
  const pixels = framePixels(frame);
  const whole = frame.width === width && frame.height === height;
  const data = whole ? pixels : onCanvas(pixels, frame, width, height);
  return { width, height, data, format: 'webp', decoder: WEBP_DECODER, exact: true, warnings };
}

function framePixels({ width, height, coded, lossless }: WebpFile['frame']): Uint8Array<ArrayBuffer> {
  return atWorkbench((bench) => {
    const from = bench.lay(coded.length + ZEROS);
    bench.bytes(from, coded.length).set(coded);
    bench.bytes(from + coded.length, ZEROS).fill(0);
    const out = bench.lay(width * height * 3);
    // The lossless decoder takes memory as it goes: nothing may lie after its place.
    const work = bench.lay(lossless ? 0 : bench.wasm.vp8Work(width, height));
    const decode = lossless ? bench.wasm.vp8lDecode : bench.wasm.vp8Decode;
    if (!decode(from, from + coded.length, width, height, work, out)) {
      throw new PixelproofError('webp_damaged', 'The WebP data is damaged.');
    }
    return bench.bytes(out, width * height * 3).slice();
  });
}

/** A first frame need not cover its canvas; the rest is transparent black. */
function onCanvas(
  pixels: Uint8Array,
  frame: WebpFile['frame'],
  width: number,
  height: number,
): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(width * height * 3);
  const row = frame.width * 3;
  for (let y = 0; y < frame.height; y++) {
    data.set(pixels.subarray(y * row, (y + 1) * row), ((frame.y + y) * width + frame.x) * 3);
  }
  return data;
}
