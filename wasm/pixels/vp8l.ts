// A lossless WebP picture (RFC 9649), as libwebp reads it.
import { beginArena, reserve } from './vp8l-arena';
import { beginBits, read } from './vp8l-bits';
import { readImage } from './vp8l-image';
import { addGreen, dropAlpha, index, predict, uncross } from './vp8l-transforms';

const PREDICT: u32 = 0;
const CROSS: u32 = 1;
const GREEN: u32 = 2;
const INDEX: u32 = 3;

/** Four transforms at most, each once: kind, bits, data, width before it was applied. */
const transforms: usize = memory.data(4 * 16, 16);

function readPalette(size: i32): usize {
  const coded = readImage(size, 1, false);
  const palette = reserve(1024);
  if (coded == 0 || palette == 0) return 0;
  // An index beyond the palette is transparent black.
  memory.fill(palette, 0, 1024);
  let entry: u32 = 0;
  for (let i: usize = 0; i < usize(size); i++) {
    const step = load<u32>(coded + (i << 2));
    entry =
      (((entry & 0xff00ff00) + (step & 0xff00ff00)) & 0xff00ff00) |
      (((entry & 0x00ff00ff) + (step & 0x00ff00ff)) & 0x00ff00ff);
    store<u32>(palette + (i << 2), entry);
  }
  return palette;
}

/**
 * Decodes the stream from..end, which is `width` x `height`, to RGB. From `work` on memory is free, and grows. `out` has 64
 * bytes more than the picture. False when the stream is damaged, breaks off or finds no memory.
 */
export function vp8lDecode(from: usize, end: usize, width: i32, height: i32, work: usize, out: usize): bool {
  beginArena(work);
  beginBits(from, end);
  if (read(8) != 0x2f || i32(read(14)) + 1 != width || i32(read(14)) + 1 != height) return false;
  read(1);
  if (read(3) != 0) return false;
  let count: usize = 0;
  let seen: u32 = 0;
  let coded = width;
  while (read(1) != 0) {
    const kind = read(2);
    if ((seen & (1 << kind)) != 0) return false;
    seen |= 1 << kind;
    const at = transforms + (count++ << 4);
    let bits: u32 = 0;
    let data: usize = 1;
    store<i32>(at, coded, 12);
    if (kind == INDEX) {
      const size = i32(read(8)) + 1;
      bits = size > 16 ? 0 : size > 4 ? 1 : size > 2 ? 2 : 3;
      data = readPalette(size);
      coded = (coded + (1 << bits) - 1) >> bits;
    } else if (kind != GREEN) {
      bits = read(3) + 2;
      data = readImage((coded + (1 << bits) - 1) >> bits, (height + (1 << bits) - 1) >> bits, false);
    }
    if (data == 0) return false;
    store<u32>(at, kind);
    store<u32>(at, bits, 4);
    store<u32>(at, u32(data), 8);
  }
  let pixels = readImage(coded, height, true);
  if (pixels == 0) return false;
  while (count > 0) {
    const at = transforms + (--count << 4);
    const kind = load<u32>(at);
    const bits = load<u32>(at, 4);
    const data: usize = load<u32>(at, 8);
    const wide = load<i32>(at, 12);
    if (kind == PREDICT) predict(pixels, wide, height, bits, data);
    else if (kind == CROSS) uncross(pixels, wide, height, bits, data);
    else if (kind == GREEN) addGreen(pixels, usize(wide) * usize(height));
    else {
      const full = reserve(f64(wide) * f64(height) * 4 + 64);
      if (full == 0) return false;
      index(pixels, wide, height, bits, data, full);
      pixels = full;
    }
  }
  dropAlpha(pixels, usize(width) * usize(height), out);
  return true;
}
