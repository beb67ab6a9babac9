import { checkedImage, type RgbImage } from './rgb-image';
import type { Surface } from './surface';
import { memoryAt, Scratch, wasm } from './wasm';

const pixels = new Scratch();
const file = new Scratch();

/**
 * The PNG file of an image, byte for byte as Pillow with classic zlib writes it: one IDAT, filters None, Up, Sub and
 * Paeth by least absolute residual, level 6, memLevel 9, strategy filtered. Same pixels give same bytes everywhere.
 *
 * Throws `image_size` for data that does not fill the sides.
 */
export function encodePng(image: RgbImage): Uint8Array<ArrayBuffer> {
  checkedImage(image);
  const at = pixels.reserve(image.data.length);
  memoryAt(at, image.data.length).set(image.data);
  return encode(at, image.width, image.height);
}

/** The same for an image that lies in the WebAssembly memory already. */
export function encodeSurface(surface: Surface): Uint8Array<ArrayBuffer> {
  return encode(surface.at, surface.width, surface.height);
}

function encode(at: number, width: number, height: number): Uint8Array<ArrayBuffer> {
  const out = file.reserve(wasm.pngBound(width, height));
  const length = wasm.encodePng(at, width, height, out);
  return memoryAt(out, length).slice();
}
