// The entropy-coded images of a lossless WebP picture (RFC 9649, 3.6 and 3.7), pixels as 0xAARRGGBB.
import { reserve, trim } from './vp8l-arena';
import { at, bits, held, overrun, read, refill, resume, stop } from './vp8l-bits';
import { readCode, ROOT_BITS, single, symbol } from './vp8l-codes';

/** Codes of a group: green (with lengths and cache), red, blue, alpha, distance; then the constant part of a pixel. */
const GROUP: usize = 28;
const CONSTANT: usize = 20;
const IS_CONSTANT: usize = 24;
const LENGTHS: u32 = 256;
const CACHE: u32 = 256 + 24;
const ROOT_MASK: u32 = (1 << ROOT_BITS) - 1;

/** 4.2.2: how far up (high 4 bits) and, counted from 8, to the left (low 4 bits) the 120 nearest pixels lie. */
const NEAR: usize = memory.data<u8>([
  24, 7, 23, 25, 40, 6, 39, 41, 22, 26, 38, 42,
  56, 5, 55, 57, 21, 27, 54, 58, 37, 43, 72, 4,
  71, 73, 20, 28, 53, 59, 70, 74, 36, 44, 88, 69,
  75, 52, 60, 3, 87, 89, 19, 29, 86, 90, 35, 45,
  68, 76, 85, 91, 51, 61, 104, 2, 103, 105, 18, 30,
  102, 106, 34, 46, 84, 92, 67, 77, 101, 107, 50, 62,
  120, 1, 119, 121, 83, 93, 17, 31, 100, 108, 66, 78,
  118, 122, 33, 47, 117, 123, 49, 63, 99, 109, 82, 94,
  0, 116, 124, 65, 79, 16, 32, 98, 110, 48, 115, 125,
  81, 95, 64, 114, 126, 97, 111, 80, 113, 127, 96, 112,
]);

@inline function amount(code: u32): u32 {
  if (code < 4) return code + 1;
  const extra = (code - 2) >> 1;
  return ((2 + (code & 1)) << extra) + read(extra) + 1;
}

@inline function distance(code: u32, width: i32): u32 {
  if (code > 120) return code - 120;
  const near = u32(load<u8>(NEAR + usize(code) - 1));
  const there = i32(near >> 4) * width + 8 - i32(near & 15);
  return u32(max(there, 1));
}

/** The group of every block of pixels, the blocks' side as a power of two, and blocks a row. No map: one group. */
let groupMap: usize = 0;
let groupBits: u32 = 0;
let groupsAcross: i32 = 0;
let groups: usize = 0;

@inline function blocks(samples: i32, bits: u32): i32 {
  return (samples + (1 << bits) - 1) >> bits;
}

function readGroups(width: i32, height: i32, cacheBits: u32, whole: bool): bool {
  let map: usize = 0;
  let bits: u32 = 0;
  let count = 1;
  let used: usize = 0;
  if (whole && read(1) != 0) {
    bits = read(3) + 2;
    const size = usize(blocks(width, bits) * blocks(height, bits));
    map = readImage(blocks(width, bits), blocks(height, bits), false);
    if (map == 0) return false;
    used = reserve(65536.0);
    if (used == 0) return false;
    memory.fill(used, 0, 65536);
    for (let i: usize = 0; i < size; i++) {
      const group = i32((load<u32>(map + (i << 2)) >> 8) & 0xffff);
      count = max(count, group + 1);
      store<u8>(used + usize(group), 1);
    }
  }
  groups = reserve(f64(count) * f64(GROUP));
  if (groups == 0) return false;
  for (let i: usize = 0; i < usize(count); i++) {
    const keep = used == 0 || load<u8>(used + i) != 0;
    const group = groups + i * GROUP;
    const mark = reserve(0);
    for (let k: usize = 0; k < 5; k++) {
      const symbols = k == 0 ? i32(CACHE) + (cacheBits > 0 ? 1 << cacheBits : 0) : k == 4 ? 40 : 256;
      const code = readCode(symbols);
      if (code == 0) return false;
      store<u32>(group + (k << 2), u32(code));
    }
    const red: usize = load<u32>(group, 4);
    const blue: usize = load<u32>(group, 8);
    const alpha: usize = load<u32>(group, 12);
    const constant = single(red) && single(blue) && single(alpha);
    store<u32>(group, u32(constant), IS_CONSTANT);
    if (constant) {
      const pixel = (load<u32>(alpha) >> 16 << 24) | (load<u32>(red) >> 16 << 16) | (load<u32>(blue) >> 16);
      store<u32>(group, pixel, CONSTANT);
    }
    // Codes that no pixel uses are read, and forgotten.
    if (!keep) trim(mark);
  }
  groupMap = map;
  groupBits = bits;
  groupsAcross = blocks(width, bits);
  return true;
}

/** Reads one image of `width` x `height` pixels; `whole`: it may have groups of codes. 0 when it is damaged or cut. */
export function readImage(width: i32, height: i32, whole: bool): usize {
  let cacheBits: u32 = 0;
  if (read(1) != 0) {
    cacheBits = read(4);
    if (cacheBits < 1 || cacheBits > 11) return 0;
  }
  if (!readGroups(width, height, cacheBits, whole)) return 0;
  const pixels = reserve(f64(width) * f64(height) * 4 + 64);
  const cacheBytes: i32 = 4 << cacheBits;
  const cache = reserve(f64(cacheBytes));
  if (pixels == 0 || cache == 0) return 0;
  memory.fill(cache, 0, usize(cacheBytes));
  return readPixels(pixels, width, height, cache, cacheBits) ? pixels : 0;
}

function readPixels(pixels: usize, width: i32, height: i32, cache: usize, cacheBits: u32): bool {
  const end = pixels + (usize(width) * usize(height) << 2);
  const mask: i32 = groupMap == 0 ? -1 : (1 << groupBits) - 1;
  const hashShift = 32 - cacheBits;
  let cached = pixels;
  let out = pixels;
  let x = 0;
  let y = 0;
  let group = groups;
  let green: usize = load<u32>(group);
  let red: usize = load<u32>(group, 4);
  let blue: usize = load<u32>(group, 8);
  let alpha: usize = load<u32>(group, 12);
  let constant = load<u32>(group, IS_CONSTANT) != 0;
  let rest: u32 = load<u32>(group, CONSTANT);
  let entered = false;
  let b = bits;
  let h = held;
  let from = at;
  const limit = stop;
  while (out < end) {
    if (groupMap != 0 && (!entered || (x & mask) == 0)) {
      const block = (y >> groupBits) * groupsAcross + (x >> groupBits);
      group = groups + usize((load<u32>(groupMap + (usize(block) << 2)) >> 8) & 0xffff) * GROUP;
      green = load<u32>(group);
      red = load<u32>(group, 4);
      blue = load<u32>(group, 8);
      alpha = load<u32>(group, 12);
      constant = load<u32>(group, IS_CONSTANT) != 0;
      rest = load<u32>(group, CONSTANT);
      entered = true;
    }
    // `refill` and `symbol`, written out: most of the time goes here.
    if (h < 48) {
      if (from < limit) b |= load<u64>(from) << u64(h);
      from += (63 - h) >> 3;
      h |= 56;
    }
    let entry = load<u32>(green + (usize(u32(b) & ROOT_MASK) << 2));
    let used = entry & 0xffff;
    if (used > ROOT_BITS) {
      const further = (u32(b) >> ROOT_BITS) & ((1 << (used - ROOT_BITS)) - 1);
      b >>= u64(ROOT_BITS);
      h -= ROOT_BITS;
      entry = load<u32>(green + (usize((entry >> 16) + further) << 2));
      used = entry & 0xffff;
    }
    b >>= u64(used);
    h -= used;
    const code = entry >> 16;
    if (code < LENGTHS) {
      let pixel = (code << 8) | rest;
      if (!constant) {
        entry = load<u32>(red + (usize(u32(b) & ROOT_MASK) << 2));
        used = entry & 0xffff;
        if (used > ROOT_BITS) {
          const further = (u32(b) >> ROOT_BITS) & ((1 << (used - ROOT_BITS)) - 1);
          b >>= u64(ROOT_BITS);
          h -= ROOT_BITS;
          entry = load<u32>(red + (usize((entry >> 16) + further) << 2));
          used = entry & 0xffff;
        }
        b >>= u64(used);
        h -= used;
        pixel = (code << 8) | (entry >> 16 << 16);
        entry = load<u32>(blue + (usize(u32(b) & ROOT_MASK) << 2));
        used = entry & 0xffff;
        if (used > ROOT_BITS) {
          const further = (u32(b) >> ROOT_BITS) & ((1 << (used - ROOT_BITS)) - 1);
          b >>= u64(ROOT_BITS);
          h -= ROOT_BITS;
          entry = load<u32>(blue + (usize((entry >> 16) + further) << 2));
          used = entry & 0xffff;
        }
        b >>= u64(used);
        h -= used;
        pixel |= entry >> 16;
        // Most pictures have one alpha, which takes no bits.
        entry = load<u32>(alpha);
        if ((entry & 0xffff) != 0) {
          resume(b, h, from);
          refill();
          entry = symbol(alpha) << 16;
          b = bits;
          h = held;
          from = at;
        }
        pixel |= entry >> 16 << 24;
      }
      store<u32>(out, pixel);
      out += 4;
      x++;
    } else if (code < CACHE) {
      resume(b, h, from);
      const length = amount(code - LENGTHS);
      refill();
      const back = usize(distance(amount(symbol(load<u32>(group, 16))), width)) << 2;
      b = bits;
      h = held;
      from = at;
      const bytes = usize(length) << 2;
      if (back > out - pixels || bytes > end - out) return false;
      if (back >= bytes) memory.copy(out, out - back, bytes);
      else for (let i: usize = 0; i < bytes; i += 4) store<u32>(out + i, load<u32>(out + i - back));
      out += bytes;
      x += i32(length);
      entered = false;
    } else {
      for (; cached < out; cached += 4) {
        const pixel = load<u32>(cached);
        store<u32>(cache + (usize((pixel * 0x1e35a7bd) >> hashShift) << 2), pixel);
      }
      store<u32>(out, load<u32>(cache + (usize(code - CACHE) << 2)));
      out += 4;
      x++;
    }
    if (x >= width) {
      y += x / width;
      x %= width;
      entered = false;
      resume(b, h, from);
      if (overrun()) return false;
    }
  }
  resume(b, h, from);
  return !overrun();
}
