// The inverse transforms of a lossless WebP picture (RFC 9649, 4), pixels as 0xAARRGGBB.

/** Each of the four bytes, modulo 256. */
@inline function plus(a: u32, b: u32): u32 {
  return (((a & 0xff00ff00) + (b & 0xff00ff00)) & 0xff00ff00) | (((a & 0x00ff00ff) + (b & 0x00ff00ff)) & 0x00ff00ff);
}

@inline function mean(a: u32, b: u32): u32 {
  return (((a ^ b) & 0xfefefefe) >> 1) + (a & b);
}

@inline function bytes(a: u32): v128 {
  return i32x4.replace_lane(i64x2.splat(0), 0, a);
}
@inline function words(a: u32): v128 {
  return i16x8.extend_low_i8x16_u(bytes(a));
}
@inline function clipped(a: v128): u32 {
  return i32x4.extract_lane(i8x16.narrow_i16x8_u(a, a), 0);
}

/** How far apart the bytes of two pixels are, in all. */
@inline function apart(a: u32, b: u32): i32 {
  const p = bytes(a);
  const q = bytes(b);
  const d = v128.or(i8x16.sub_sat_u(p, q), i8x16.sub_sat_u(q, p));
  return i32x4.extract_lane(i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(d)), 0);
}

/** left + top - corner, byte by byte, within 0 to 255. */
@inline function gradient(l: u32, t: u32, c: u32): u32 {
  return clipped(i16x8.sub(i16x8.add(words(l), words(t)), words(c)));
}

/** m + (m - corner) / 2, the quotient cut towards zero. */
@inline function halfGradient(m: u32, c: u32): u32 {
  const a = words(m);
  const d = i16x8.sub(a, words(c));
  return clipped(i16x8.add(a, i16x8.shr_s(i16x8.add(d, i16x8.shr_u(d, 15)), 1)));
}

/** Pixels from..to (bytes) of a row that have one mode. */
function predictRun(mode: u32, at: usize, end: usize, row: usize): void {
  let left = load<u32>(at - 4);
  switch (mode) {
    case 1: {
      for (; at < end; at += 4) store<u32>(at, (left = plus(load<u32>(at), left)));
      break;
    }
    case 2: {
      addRun(at, end, at - row);
      break;
    }
    case 3: {
      addRun(at, end, at - row + 4);
      break;
    }
    case 4: {
      addRun(at, end, at - row - 4);
      break;
    }
    case 5: {
      for (; at < end; at += 4) {
        const up = at - row;
        store<u32>(at, (left = plus(load<u32>(at), mean(mean(left, load<u32>(up, 4)), load<u32>(up)))));
      }
      break;
    }
    case 6: {
      for (; at < end; at += 4) store<u32>(at, (left = plus(load<u32>(at), mean(left, load<u32>(at - row - 4)))));
      break;
    }
    case 7: {
      for (; at < end; at += 4) store<u32>(at, (left = plus(load<u32>(at), mean(left, load<u32>(at - row)))));
      break;
    }
    case 8: {
      for (; at < end; at += 4)
        store<u32>(at, plus(load<u32>(at), mean(load<u32>(at - row - 4), load<u32>(at - row))));
      break;
    }
    case 9: {
      for (; at < end; at += 4)
        store<u32>(at, plus(load<u32>(at), mean(load<u32>(at - row), load<u32>(at - row + 4))));
      break;
    }
    case 10: {
      for (; at < end; at += 4) {
        const up = at - row;
        const a = mean(left, load<u32>(up - 4));
        store<u32>(at, (left = plus(load<u32>(at), mean(a, mean(load<u32>(up), load<u32>(up, 4))))));
      }
      break;
    }
    case 11: {
      for (; at < end; at += 4) {
        const top = load<u32>(at - row);
        const corner = load<u32>(at - row - 4);
        const predicted = apart(left, corner) <= apart(top, corner) ? top : left;
        store<u32>(at, (left = plus(load<u32>(at), predicted)));
      }
      break;
    }
    case 12: {
      for (; at < end; at += 4) {
        const predicted = gradient(left, load<u32>(at - row), load<u32>(at - row - 4));
        store<u32>(at, (left = plus(load<u32>(at), predicted)));
      }
      break;
    }
    case 13: {
      for (; at < end; at += 4) {
        const predicted = halfGradient(mean(left, load<u32>(at - row)), load<u32>(at - row - 4));
        store<u32>(at, (left = plus(load<u32>(at), predicted)));
      }
      break;
    }
    default: {
      for (; at < end; at += 4) store<u32>(at, plus(load<u32>(at), 0xff000000));
    }
  }
}

/** Adds pixels of the row above, which are done. */
@inline function addRun(at: usize, end: usize, from: usize): void {
  for (; at + 16 <= end; at += 16, from += 16) v128.store(at, i8x16.add(v128.load(at), v128.load(from)));
  for (; at < end; at += 4, from += 4) store<u32>(at, plus(load<u32>(at), load<u32>(from)));
}

/** Mode of each block of `1 << bits` pixels: the green byte of `modes`. */
export function predict(pixels: usize, width: i32, height: i32, bits: u32, modes: usize): void {
  const row = usize(width) << 2;
  const across = (width + (1 << bits) - 1) >> bits;
  let left = plus(load<u32>(pixels), 0xff000000);
  store<u32>(pixels, left);
  for (let at = pixels + 4; at < pixels + row; at += 4) store<u32>(at, (left = plus(load<u32>(at), left)));
  for (let y = 1; y < height; y++) {
    const line = pixels + usize(y) * row;
    store<u32>(line, plus(load<u32>(line), load<u32>(line - row)));
    const blocks = modes + (usize((y >> bits) * across) << 2);
    for (let x = 1; x < width; ) {
      const block = x >> bits;
      const end = min(width, (block + 1) << bits);
      const mode = (load<u32>(blocks + (usize(block) << 2)) >> 8) & 15;
      predictRun(mode, line + (usize(x) << 2), line + (usize(end) << 2), row);
      x = end;
    }
  }
}

/** Red and blue get back what green and red foretold of them; the factors of each block are in `factors`. */
export function uncross(pixels: usize, width: i32, height: i32, bits: u32, factors: usize): void {
  const across = (width + (1 << bits) - 1) >> bits;
  for (let y = 0; y < height; y++) {
    const line = pixels + (usize(y) * usize(width) << 2);
    const blocks = factors + (usize((y >> bits) * across) << 2);
    for (let x = 0; x < width; ) {
      const block = x >> bits;
      const end = min(width, (block + 1) << bits);
      const factor = load<u32>(blocks + (usize(block) << 2));
      uncrossRun(line + (usize(x) << 2), line + (usize(end) << 2), i16(i8(factor)), i16(i8(factor >> 8)), i16(i8(factor >> 16)));
      x = end;
    }
  }
}

/** Products of signed bytes, less five bits. In each 32-bit lane the low half is for blue, the high half for red. */
@inline function uncrossed(p: v128, fromGreen: v128, fromRed: v128): v128 {
  // Green with its sign, in both halves.
  const green = i16x8.shr_s(i8x16.shuffle(p, p, 0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13), 8);
  const first = i8x16.add(p, v128.and(i16x8.shr_s(i16x8.mul(green, fromGreen), 5), i16x8.splat(255)));
  const red = i32x4.shr_s(i32x4.shl(first, 8), 24);
  const second = v128.and(i32x4.shr_s(i32x4.mul(red, fromRed), 5), i32x4.splat(255));
  return i8x16.add(first, second);
}

function uncrossRun(at: usize, end: usize, greenToRed: i16, greenToBlue: i16, redToBlue: i16): void {
  const fromGreen = i32x4.splat((i32(greenToRed) << 16) | (i32(greenToBlue) & 0xffff));
  const fromRed = i32x4.splat(i32(redToBlue));
  for (; at + 16 <= end; at += 16) v128.store(at, uncrossed(v128.load(at), fromGreen, fromRed));
  for (; at < end; at += 4) v128.store32_lane(at, uncrossed(v128.load32_zero(at), fromGreen, fromRed), 0);
}

/** Red and blue had green taken off. */
export function addGreen(pixels: usize, count: usize): void {
  const end = pixels + (count << 2);
  for (let at = pixels; at < end; at += 16) {
    const p = v128.load(at);
    const green = i8x16.swizzle(p, i8x16(1, -1, 1, -1, 5, -1, 5, -1, 9, -1, 9, -1, 13, -1, 13, -1));
    v128.store(at, i8x16.add(p, green));
  }
}

/** Looks up each index in a palette of 256; `bits`: 1 << bits of them share a byte (green). */
export function index(packed: usize, width: i32, height: i32, bits: u32, palette: usize, out: usize): void {
  const across = (width + (1 << bits) - 1) >> bits;
  const each: u32 = 8 >> bits;
  const mask: u32 = (1 << each) - 1;
  for (let y = 0; y < height; y++) {
    const line = packed + (usize(y * across) << 2);
    for (let x = 0; x < width; x++, out += 4) {
      const byte = load<u8>(line + (usize(x >> bits) << 2), 1);
      const value = (u32(byte) >> ((u32(x) & ((1 << bits) - 1)) * each)) & mask;
      store<u32>(out, load<u32>(palette + (usize(value) << 2)));
    }
  }
}

/** Drops alpha: sixteen pixels are read and written at a time. */
export function dropAlpha(pixels: usize, count: usize, out: usize): void {
  for (let i: usize = 0; i < count; i += 4, pixels += 16, out += 12)
    v128.store(out, i8x16.swizzle(v128.load(pixels), i8x16(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1)));
}
