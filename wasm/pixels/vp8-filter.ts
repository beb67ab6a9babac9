// The loop filter (RFC 6386, 15): 16 samples along an edge at once.
import { STRENGTH_BYTES, strengths } from './vp8-frame';

/** Eight vectors across a vertical edge, turned. */
const turned: usize = memory.data(8 * 16, 16);

@inline function apart(a: v128, b: v128): v128 {
  return v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a));
}

@inline function over(a: v128, limit: v128): v128 {
  return i8x16.gt_u(a, limit);
}

/** How far both sides are moved together: c + 3 (q - p), within 8 bits. All signed. */
@inline function pull(c: v128, p: v128, q: v128): v128 {
  const d = i8x16.sub_sat_s(q, p);
  return i8x16.add_sat_s(i8x16.add_sat_s(i8x16.add_sat_s(c, d), d), d);
}

/** Four vectors, the edge in their middle, lie `step` apart from `at`: only the two nearest change. */
function simpleEdge(at: usize, step: usize, limit: i32): void {
  const flip = i8x16.splat(-128);
  const p1 = v128.load(at);
  const p0 = v128.load(at + step);
  const q0 = v128.load(at + step * 2);
  const q1 = v128.load(at + step * 3);
  const near = apart(p0, q0);
  const far = v128.and(i8x16.shr_u(apart(p1, q1), 1), i8x16.splat(127));
  const still = over(i8x16.add_sat_u(i8x16.add_sat_u(near, near), far), i8x16.splat(i8(limit)));
  const sp0 = v128.xor(p0, flip);
  const sq0 = v128.xor(q0, flip);
  let move = pull(i8x16.sub_sat_s(v128.xor(p1, flip), v128.xor(q1, flip)), sp0, sq0);
  move = v128.andnot(move, still);
  const down = i8x16.shr_s(i8x16.add_sat_s(move, i8x16.splat(4)), 3);
  const up = i8x16.shr_s(i8x16.add_sat_s(move, i8x16.splat(3)), 3);
  v128.store(at + step, v128.xor(i8x16.add_sat_s(sp0, up), flip));
  v128.store(at + step * 2, v128.xor(i8x16.sub_sat_s(sq0, down), flip));
}

/** (weight * move + 63) >> 7 of sixteen signed bytes. */
@inline function share(low: v128, high: v128, weight: i16): v128 {
  const w = i16x8.splat(weight);
  const half = i16x8.splat(63);
  return i8x16.narrow_i16x8_s(
    i16x8.shr_s(i16x8.add(i16x8.mul(low, w), half), 7),
    i16x8.shr_s(i16x8.add(i16x8.mul(high, w), half), 7),
  );
}

/** Eight vectors lie `step` apart from `at`, the edge in their middle. `whole`: an edge between macroblocks. */
function edge(at: usize, step: usize, limit: i32, inner: i32, variance: i32, whole: bool): void {
  const flip = i8x16.splat(-128);
  const p3 = v128.load(at);
  const p2 = v128.load(at + step);
  const p1 = v128.load(at + step * 2);
  const p0 = v128.load(at + step * 3);
  const q0 = v128.load(at + step * 4);
  const q1 = v128.load(at + step * 5);
  const q2 = v128.load(at + step * 6);
  const q3 = v128.load(at + step * 7);
  const near = apart(p0, q0);
  const far = v128.and(i8x16.shr_u(apart(p1, q1), 1), i8x16.splat(127));
  const steep = i8x16.max_u(apart(p1, p0), apart(q1, q0));
  const rough = i8x16.max_u(
    i8x16.max_u(steep, i8x16.max_u(apart(p3, p2), apart(p2, p1))),
    i8x16.max_u(apart(q3, q2), apart(q2, q1)),
  );
  const still = v128.or(
    over(i8x16.add_sat_u(i8x16.add_sat_u(near, near), far), i8x16.splat(i8(limit))),
    over(rough, i8x16.splat(i8(inner))),
  );
  if (i8x16.all_true(still)) return;
  const varied = over(steep, i8x16.splat(i8(variance)));
  const sp1 = v128.xor(p1, flip);
  const sp0 = v128.xor(p0, flip);
  const sq0 = v128.xor(q0, flip);
  const sq1 = v128.xor(q1, flip);
  const outer = i8x16.sub_sat_s(sp1, sq1);
  if (whole) {
    const move = v128.andnot(pull(outer, sp0, sq0), still);
    // Where it varies, as in the simple filter.
    const sharp = v128.and(move, varied);
    const down = i8x16.shr_s(i8x16.add_sat_s(sharp, i8x16.splat(4)), 3);
    const up = i8x16.shr_s(i8x16.add_sat_s(sharp, i8x16.splat(3)), 3);
    const soft = v128.andnot(move, varied);
    const low = i16x8.extend_low_i8x16_s(soft);
    const high = i16x8.extend_high_i8x16_s(soft);
    const a = share(low, high, 27);
    const b = share(low, high, 18);
    const c = share(low, high, 9);
    v128.store(at + step, v128.xor(i8x16.add_sat_s(v128.xor(p2, flip), c), flip));
    v128.store(at + step * 2, v128.xor(i8x16.add_sat_s(sp1, b), flip));
    v128.store(at + step * 3, v128.xor(i8x16.add_sat_s(i8x16.add_sat_s(sp0, up), a), flip));
    v128.store(at + step * 4, v128.xor(i8x16.sub_sat_s(i8x16.sub_sat_s(sq0, down), a), flip));
    v128.store(at + step * 5, v128.xor(i8x16.sub_sat_s(sq1, b), flip));
    v128.store(at + step * 6, v128.xor(i8x16.sub_sat_s(v128.xor(q2, flip), c), flip));
    return;
  }
  const move = v128.andnot(pull(v128.and(outer, varied), sp0, sq0), still);
  const down = i8x16.shr_s(i8x16.add_sat_s(move, i8x16.splat(4)), 3);
  const up = i8x16.shr_s(i8x16.add_sat_s(move, i8x16.splat(3)), 3);
  const half = v128.andnot(i8x16.shr_s(i8x16.add(down, i8x16.splat(1)), 1), varied);
  v128.store(at + step * 2, v128.xor(i8x16.add_sat_s(sp1, half), flip));
  v128.store(at + step * 3, v128.xor(i8x16.add_sat_s(sp0, up), flip));
  v128.store(at + step * 4, v128.xor(i8x16.sub_sat_s(sq0, down), flip));
  v128.store(at + step * 5, v128.xor(i8x16.sub_sat_s(sq1, half), flip));
}

@inline function low(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
@inline function high(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

/** 8 columns of 8 rows at `a` and of 8 rows at `b` into eight vectors, a column each. */
function turn(a: usize, b: usize, stride: usize): void {
  const s2 = stride * 2;
  const s3 = stride * 3;
  const s4 = stride * 4;
  const a0 = low(v128.load64_zero(a), v128.load64_zero(b));
  const a1 = low(v128.load64_zero(a + stride), v128.load64_zero(b + stride));
  const a2 = low(v128.load64_zero(a + s2), v128.load64_zero(b + s2));
  const a3 = low(v128.load64_zero(a + s3), v128.load64_zero(b + s3));
  const a4 = low(v128.load64_zero(a + s4), v128.load64_zero(b + s4));
  const a5 = low(v128.load64_zero(a + s4 + stride), v128.load64_zero(b + s4 + stride));
  const a6 = low(v128.load64_zero(a + s4 + s2), v128.load64_zero(b + s4 + s2));
  const a7 = low(v128.load64_zero(a + s4 + s3), v128.load64_zero(b + s4 + s3));
  const b0 = low(a0, a4);
  const b1 = low(a1, a5);
  const b2 = low(a2, a6);
  const b3 = low(a3, a7);
  const b4 = high(a0, a4);
  const b5 = high(a1, a5);
  const b6 = high(a2, a6);
  const b7 = high(a3, a7);
  const c0 = low(b0, b2);
  const c1 = low(b1, b3);
  const c2 = high(b0, b2);
  const c3 = high(b1, b3);
  const c4 = low(b4, b6);
  const c5 = low(b5, b7);
  const c6 = high(b4, b6);
  const c7 = high(b5, b7);
  v128.store(turned, low(c0, c1));
  v128.store(turned, high(c0, c1), 16);
  v128.store(turned, low(c2, c3), 32);
  v128.store(turned, high(c2, c3), 48);
  v128.store(turned, low(c4, c5), 64);
  v128.store(turned, high(c4, c5), 80);
  v128.store(turned, low(c6, c7), 96);
  v128.store(turned, high(c6, c7), 112);
}

@inline function rows2(at: usize, stride: usize, pair: v128): void {
  v128.store64_lane(at, pair, 0);
  v128.store64_lane(at + stride, pair, 1);
}

@inline function rows8(at: usize, stride: usize, c04: v128, c26: v128, c15: v128, c37: v128): void {
  const even0 = low(c04, c26);
  const even1 = high(c04, c26);
  const odd0 = low(c15, c37);
  const odd1 = high(c15, c37);
  rows2(at, stride, low(even0, odd0));
  rows2(at + stride * 2, stride, high(even0, odd0));
  rows2(at + stride * 4, stride, low(even1, odd1));
  rows2(at + stride * 6, stride, high(even1, odd1));
}

function turnBack(a: usize, b: usize, stride: usize): void {
  const c0 = v128.load(turned);
  const c1 = v128.load(turned, 16);
  const c2 = v128.load(turned, 32);
  const c3 = v128.load(turned, 48);
  const c4 = v128.load(turned, 64);
  const c5 = v128.load(turned, 80);
  const c6 = v128.load(turned, 96);
  const c7 = v128.load(turned, 112);
  rows8(a, stride, low(c0, c4), low(c2, c6), low(c1, c5), low(c3, c7));
  rows8(b, stride, high(c0, c4), high(c2, c6), high(c1, c5), high(c3, c7));
}

/** A horizontal edge of two planes of 8 samples: one vector takes both. */
function chromaRows(u: usize, v: usize, stride: usize, limit: i32, inner: i32, variance: i32, whole: bool): void {
  for (let i: usize = 0; i < 8; i++)
    v128.store(turned + (i << 4), v128.load64_lane(v + i * stride, v128.load64_zero(u + i * stride), 1));
  edge(turned, 16, limit, inner, variance, whole);
  for (let i: usize = 1; i < 7; i++) {
    const pair = v128.load(turned + (i << 4));
    v128.store64_lane(u + i * stride, pair, 0);
    v128.store64_lane(v + i * stride, pair, 1);
  }
}

/** Filters the edges of one macroblock: at its left, inside, above, inside. */
export function filterBlock(
  y: usize,
  u: usize,
  v: usize,
  stride: usize,
  chromaStride: usize,
  strength: i32,
  inside: bool,
  simple: bool,
  hasLeft: bool,
  hasAbove: bool,
): void {
  const at = strengths + usize(strength) * STRENGTH_BYTES;
  const limit = load<i32>(at);
  const inner = load<i32>(at, 4);
  const variance = load<i32>(at, 8);
  if (limit == 0) return;
  const half = stride << 3;
  const first: usize = hasLeft ? 0 : 4;
  const top: usize = hasAbove ? 0 : 4;
  const lumaEnd: usize = inside ? 16 : 4;
  const chromaEnd: usize = inside ? 8 : 4;
  for (let x = first; x < lumaEnd; x += 4) {
    turn(y + x - 4, y + x - 4 + half, stride);
    if (simple) simpleEdge(turned + 32, 16, x == 0 ? limit + 4 : limit);
    else edge(turned, 16, x == 0 ? limit + 4 : limit, inner, variance, x == 0);
    turnBack(y + x - 4, y + x - 4 + half, stride);
  }
  if (!simple) {
    for (let x = first; x < chromaEnd; x += 4) {
      turn(u + x - 4, v + x - 4, chromaStride);
      edge(turned, 16, x == 0 ? limit + 4 : limit, inner, variance, x == 0);
      turnBack(u + x - 4, v + x - 4, chromaStride);
    }
  }
  for (let row = top; row < lumaEnd; row += 4) {
    const strong = row == 0 ? limit + 4 : limit;
    const from = y + row * stride - (stride << 2);
    if (simple) simpleEdge(from + stride * 2, stride, strong);
    else edge(from, stride, strong, inner, variance, row == 0);
  }
  if (simple) return;
  for (let row = top; row < chromaEnd; row += 4) {
    const up = row * chromaStride - (chromaStride << 2);
    chromaRows(u + up, v + up, chromaStride, row == 0 ? limit + 4 : limit, inner, variance, row == 0);
  }
}
