// Counts and sums over rectangles of an RGB image, 16 pixels a step, exact. The image is walked once, row by row; each
// region takes its part of a row while the row is in the cache.
// The image needs 64 readable bytes after its end.

// Features of a pixel; src/pixels/signals/features.ts names them in this order.
const R: i32 = 0;
const G: i32 = 1;
const B: i32 = 2;
const MIN: i32 = 3;
const MAX: i32 = 4;
const RED: i32 = 5; // R - max(G, B)
const GREEN: i32 = 6;
const BLUE: i32 = 7;
const YELLOW: i32 = 8; // min(R, G) - B
const MAGENTA: i32 = 9;
const CYAN: i32 = 10;
const CHROMA: i32 = 11; // max - min

/** Bytes of a region: x0 x1 y0 y1, feature to sum (-1: none), number of terms, and results n, -, sum (i64). */
const REGION: usize = 40;
/** Bytes of a term: feature, least, greatest (i32 each); all terms of a region follow each other in its own block. */
const TERM: usize = 12;
export const TERMS_PER_REGION: usize = 16;

// The 16 pixels at hand, de-interleaved.
let r: v128 = i64x2.splat(0);
let g: v128 = i64x2.splat(0);
let b: v128 = i64x2.splat(0);

@inline function fetch(at: usize): void {
  const p = v128.load(at);
  const q = v128.load(at, 16);
  const s = v128.load(at, 32);
  r = v128.shuffle<u8>(
    v128.shuffle<u8>(p, q, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0),
    s, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29,
  );
  g = v128.shuffle<u8>(
    v128.shuffle<u8>(p, q, 1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0),
    s, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30,
  );
  b = v128.shuffle<u8>(
    v128.shuffle<u8>(p, q, 2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0),
    s, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31,
  );
}

// A feature as two unsigned bytes, to be subtracted: the value is plus - minus.
@inline function plus(feature: i32): v128 {
  switch (feature) {
    case R: case RED: return r;
    case G: case GREEN: return g;
    case B: case BLUE: return b;
    case MIN: return i8x16.min_u(i8x16.min_u(r, g), b);
    case YELLOW: return i8x16.min_u(r, g);
    case MAGENTA: return i8x16.min_u(r, b);
    case CYAN: return i8x16.min_u(g, b);
    default: return i8x16.max_u(i8x16.max_u(r, g), b);
  }
}

@inline function minus(feature: i32): v128 {
  switch (feature) {
    case RED: return i8x16.max_u(g, b);
    case GREEN: return i8x16.max_u(r, b);
    case BLUE: return i8x16.max_u(r, g);
    case YELLOW: return b;
    case MAGENTA: return g;
    case CYAN: return r;
    case CHROMA: return i8x16.min_u(i8x16.min_u(r, g), b);
    default: return i64x2.splat(0);
  }
}

/** All ones where least <= feature <= greatest. */
@inline function within(term: usize): v128 {
  const feature = load<i32>(term);
  const least = load<i32>(term, 4);
  const greatest = load<i32>(term, 8);
  const p = plus(feature);
  if (feature < RED) {
    // Unsigned bytes: the limits are clamped to 0..255 by the caller.
    const low = i8x16.splat(i8(least));
    const high = i8x16.splat(i8(greatest));
    return v128.and(i8x16.ge_u(p, low), i8x16.le_u(p, high));
  }
  const m = minus(feature);
  const d0 = i16x8.sub(i16x8.extend_low_i8x16_u(p), i16x8.extend_low_i8x16_u(m));
  const d1 = i16x8.sub(i16x8.extend_high_i8x16_u(p), i16x8.extend_high_i8x16_u(m));
  const low = i16x8.splat(i16(least));
  const high = i16x8.splat(i16(greatest));
  return i8x16.narrow_i16x8_s(
    v128.and(i16x8.ge_s(d0, low), i16x8.le_s(d0, high)),
    v128.and(i16x8.ge_s(d1, low), i16x8.le_s(d1, high)),
  );
}

@inline function mask(terms: usize, count: i32): v128 {
  let m = i8x16.splat(-1);
  for (let i = 0; i < count; i++, terms += TERM) m = v128.and(m, within(terms));
  return m;
}

const LANES = memory.data<u8>([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], 16);

@inline function firstLanes(count: i32): v128 {
  return i8x16.lt_u(v128.load(LANES), i8x16.splat(i8(count)));
}

/** One region's part of one row. At most 16384 pixels: the row's sum fits 32 bits. */
function regionRow(row: usize, region: usize, terms: usize): void {
  const x1 = load<i32>(region, 4);
  const feature = load<i32>(region, 16);
  const count = load<i32>(region, 20);
  let n: i32 = 0;
  let sums = i32x4.splat(0);
  let x = load<i32>(region);
  for (; x < x1; x += 16) {
    fetch(row + usize(x) * 3);
    let m = mask(terms, count);
    if (x1 - x < 16) m = v128.and(m, firstLanes(x1 - x));
    const set = i8x16.bitmask(m);
    if (set == 0) continue;
    n += popcnt(set);
    if (feature >= 0) {
      const p = i16x8.extadd_pairwise_i8x16_u(v128.and(plus(feature), m));
      const q = i16x8.extadd_pairwise_i8x16_u(v128.and(minus(feature), m));
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_s(i16x8.sub(p, q)));
    }
  }
  store<i32>(region, load<i32>(region, 24) + n, 24);
  const sum =
    i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
  store<i64>(region, load<i64>(region, 32) + i64(sum), 32);
}

/** One row of a mask as bits, least significant first, rows of whole 64-bit words, the rest of a row zero. */
function maskRow(row: usize, width: i32, terms: usize, count: i32, words: usize): i32 {
  let total: i32 = 0;
  let x: i32 = 0;
  for (; x < width; x += 16, words += 2) {
    fetch(row + usize(x) * 3);
    let set = i8x16.bitmask(mask(terms, count)) & 0xffff;
    if (width - x < 16) set &= (1 << (width - x)) - 1;
    store<u16>(words, u16(set));
    total += popcnt(set);
  }
  for (; x & 63; x += 16, words += 2) store<u16>(words, 0);
  return total;
}

/**
 * Measures `count` regions (results are written into them) and the mask of the whole image given by `maskTerms`, whose
 * bits go to `words`. Returns how many pixels the mask holds.
 */
export function measureRegions(
  image: usize, width: i32, height: i32, regions: usize, terms: usize, count: i32,
  maskTerms: usize, maskCount: i32, words: usize,
): i32 {
  const stride = (usize(width) + 63) >> 6 << 3;
  let total: i32 = 0;
  for (let y = 0; y < height; y++) {
    let region = regions;
    let own = terms;
    for (let i = 0; i < count; i++, region += REGION, own += TERM * TERMS_PER_REGION) {
      if (y >= load<i32>(region, 8) && y < load<i32>(region, 12)) regionRow(image, region, own);
    }
    total += maskRow(image, width, maskTerms, maskCount, words);
    image += usize(width) * 3;
    words += stride;
  }
  return total;
}
