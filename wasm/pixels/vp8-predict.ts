// Intra prediction (RFC 6386, 12) and the inverse transform (14.4), on planes with a border: a row above of 127 and a
// column at the left of 129.
import { coefficients } from './vp8-residual';

export const DC: i32 = 0;
export const TRUE_MOTION: i32 = 1;
export const VERTICAL: i32 = 2;
export const HORIZONTAL: i32 = 3;

function fill(at: usize, stride: usize, size: usize, value: u32): void {
  for (let y: usize = 0; y < size; y++, at += stride) memory.fill(at, u8(value), size);
}

function average(at: usize, stride: usize, size: usize, top: bool, left: bool): u32 {
  if (!top && !left) return 128;
  let sum: u32 = 0;
  if (top) for (let i: usize = 0; i < size; i++) sum += load<u8>(at - stride + i);
  if (left) for (let i: usize = 0; i < size; i++) sum += load<u8>(at + i * stride - 1);
  const shift = (size == 16 ? 4 : 3) + u32(top && left);
  return (sum + (1 << (shift - 1))) >> shift;
}

function motion(at: usize, stride: usize, size: usize): void {
  const corner = i16x8.splat(load<u8>(at - stride - 1));
  const top = v128.load(at - stride);
  const low = i16x8.sub(i16x8.extend_low_i8x16_u(top), corner);
  const high = i16x8.sub(i16x8.extend_high_i8x16_u(top), corner);
  for (let y: usize = 0; y < size; y++, at += stride) {
    const left = i16x8.splat(load<u8>(at - 1));
    const row = i8x16.narrow_i16x8_u(i16x8.add(low, left), i16x8.add(high, left));
    if (size == 16) v128.store(at, row);
    else v128.store64_lane(at, row, 0);
  }
}

/** A whole block of 8 or 16 samples a side. */
export function predictWhole(at: usize, stride: usize, size: usize, mode: i32, top: bool, left: bool): void {
  if (mode == TRUE_MOTION) motion(at, stride, size);
  else if (mode == VERTICAL)
    for (let y: usize = 0; y < size; y++) memory.copy(at + y * stride, at - stride, size);
  else if (mode == HORIZONTAL)
    for (let y: usize = 0; y < size; y++) memory.fill(at + y * stride, load<u8>(at + y * stride - 1), size);
  else fill(at, stride, size, average(at, stride, size, top, left));
}

@inline function two(a: u32, b: u32): u32 {
  return (a + b + 1) >> 1;
}
@inline function three(a: u32, b: u32, c: u32): u32 {
  return (a + 2 * b + c + 2) >> 2;
}
@inline function four(a: u32, b: u32, c: u32, d: u32): u32 {
  return a | (b << 8) | (c << 16) | (d << 24);
}

/** A block of 4 x 4, by the ten modes of RFC 6386 in the order of their tree. `right` has the four samples after `above`. */
export function predictSub(at: usize, stride: usize, mode: i32, right: usize): void {
  const above = at - stride;
  const x: u32 = load<u8>(above - 1);
  const a: u32 = load<u8>(above);
  const b: u32 = load<u8>(above, 1);
  const c: u32 = load<u8>(above, 2);
  const d: u32 = load<u8>(above, 3);
  const i: u32 = load<u8>(at - 1);
  const j: u32 = load<u8>(at + stride - 1);
  const k: u32 = load<u8>(at + stride * 2 - 1);
  const l: u32 = load<u8>(at + stride * 3 - 1);
  let r0: u32 = 0;
  let r1: u32 = 0;
  let r2: u32 = 0;
  let r3: u32 = 0;
  switch (mode) {
    case 0: {
      r0 = ((a + b + c + d + i + j + k + l + 4) >> 3) * 0x01010101;
      r1 = r0;
      r2 = r0;
      r3 = r0;
      break;
    }
    case 1: {
      const top = i16x8.sub(i16x8.extend_low_i8x16_u(v128.load32_zero(above)), i16x8.splat(i16(x)));
      const p = i16x8.add(top, i16x8.splat(i16(i)));
      const q = i16x8.add(top, i16x8.splat(i16(j)));
      const s = i16x8.add(top, i16x8.splat(i16(k)));
      const t = i16x8.add(top, i16x8.splat(i16(l)));
      r0 = i32x4.extract_lane(i8x16.narrow_i16x8_u(p, p), 0);
      r1 = i32x4.extract_lane(i8x16.narrow_i16x8_u(q, q), 0);
      r2 = i32x4.extract_lane(i8x16.narrow_i16x8_u(s, s), 0);
      r3 = i32x4.extract_lane(i8x16.narrow_i16x8_u(t, t), 0);
      break;
    }
    case 2: {
      r0 = four(three(x, a, b), three(a, b, c), three(b, c, d), three(c, d, load<u8>(right)));
      r1 = r0;
      r2 = r0;
      r3 = r0;
      break;
    }
    case 3: {
      r0 = three(x, i, j) * 0x01010101;
      r1 = three(i, j, k) * 0x01010101;
      r2 = three(j, k, l) * 0x01010101;
      r3 = three(k, l, l) * 0x01010101;
      break;
    }
    case 4: {
      const low = four(three(j, k, l), three(i, j, k), three(x, i, j), three(a, x, i));
      const high = four(three(b, a, x), three(c, b, a), three(d, c, b), 0);
      const line = u64(low) | (u64(high) << 32);
      r3 = u32(line);
      r2 = u32(line >> 8);
      r1 = u32(line >> 16);
      r0 = u32(line >> 24);
      break;
    }
    case 5: {
      const whole = four(two(x, a), two(a, b), two(b, c), two(c, d));
      const half = four(three(i, x, a), three(x, a, b), three(a, b, c), three(b, c, d));
      r0 = whole;
      r1 = half;
      r2 = (whole << 8) | three(j, i, x);
      r3 = (half << 8) | three(k, j, i);
      break;
    }
    case 6: {
      const e: u32 = load<u8>(right);
      const f: u32 = load<u8>(right, 1);
      const g: u32 = load<u8>(right, 2);
      const h: u32 = load<u8>(right, 3);
      const low = four(three(a, b, c), three(b, c, d), three(c, d, e), three(d, e, f));
      const high = four(three(e, f, g), three(f, g, h), three(g, h, h), 0);
      const line = u64(low) | (u64(high) << 32);
      r0 = u32(line);
      r1 = u32(line >> 8);
      r2 = u32(line >> 16);
      r3 = u32(line >> 24);
      break;
    }
    case 7: {
      const e: u32 = load<u8>(right);
      const f: u32 = load<u8>(right, 1);
      const g: u32 = load<u8>(right, 2);
      const h: u32 = load<u8>(right, 3);
      const whole = four(two(a, b), two(b, c), two(c, d), two(d, e));
      const half = four(three(a, b, c), three(b, c, d), three(c, d, e), three(d, e, f));
      r0 = whole;
      r1 = half;
      r2 = (whole >> 8) | (three(e, f, g) << 24);
      r3 = (half >> 8) | (three(f, g, h) << 24);
      break;
    }
    case 8: {
      const m = three(i, x, a);
      const n = two(i, x);
      const o = three(j, i, x);
      const p = two(j, i);
      const q = three(k, j, i);
      const s = two(k, j);
      const t = three(l, k, j);
      r0 = four(n, m, three(x, a, b), three(a, b, c));
      r1 = four(p, o, n, m);
      r2 = four(s, q, p, o);
      r3 = four(two(l, k), t, s, q);
      break;
    }
    default: {
      const m = two(j, k);
      const n = three(j, k, l);
      const o = two(k, l);
      const p = three(k, l, l);
      r0 = four(two(i, j), three(i, j, k), m, n);
      r1 = four(m, n, o, p);
      r2 = four(o, p, l, l);
      r3 = l * 0x01010101;
    }
  }
  store<u32>(at, r0);
  store<u32>(at + stride, r1);
  store<u32>(at + stride * 2, r2);
  store<u32>(at + stride * 3, r3);
}

/** The upper half of a product with 20091 / 65536 or with 35468 / 65536 - 1, in 16 bits as the reference computes it. */
@inline function high(x: v128, factor: i16): v128 {
  const f = i16x8.splat(factor);
  const l = i32x4.extmul_low_i16x8_s(x, f);
  const h = i32x4.extmul_high_i16x8_s(x, f);
  return i8x16.shuffle(l, h, 2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31);
}

let o0: v128 = i64x2.splat(0);
let o1: v128 = i64x2.splat(0);
let o2: v128 = i64x2.splat(0);
let o3: v128 = i64x2.splat(0);

/** One dimension of the transform on four vectors. */
@inline function butterfly(in0: v128, in1: v128, in2: v128, in3: v128): void {
  const a = i16x8.add(in0, in2);
  const b = i16x8.sub(in0, in2);
  const c = i16x8.add(i16x8.sub(in1, in3), i16x8.sub(high(in1, -30068), high(in3, 20091)));
  const d = i16x8.add(i16x8.add(in1, in3), i16x8.add(high(in1, 20091), high(in3, -30068)));
  o0 = i16x8.add(a, d);
  o1 = i16x8.add(b, c);
  o2 = i16x8.sub(b, c);
  o3 = i16x8.sub(a, d);
}

/** Adds the inverse transform of block `index` and of the next one, which lie side by side, and clears both. */
export function addPair(index: usize, at: usize, stride: usize): void {
  const from = coefficients + (index << 5);
  const p0 = v128.load(from);
  const p1 = v128.load(from, 16);
  const q0 = v128.load(from, 32);
  const q1 = v128.load(from, 48);
  const zero = i64x2.splat(0);
  v128.store(from, zero);
  v128.store(from, zero, 16);
  v128.store(from, zero, 32);
  v128.store(from, zero, 48);
  // A row of four from each block.
  butterfly(
    i8x16.shuffle(p0, q0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
    i8x16.shuffle(p0, q0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31),
    i8x16.shuffle(p1, q1, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
    i8x16.shuffle(p1, q1, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31),
  );
  transpose();
  const r0 = i16x8.add(o0, i16x8.splat(4));
  butterfly(r0, o1, o2, o3);
  o0 = i16x8.shr_s(o0, 3);
  o1 = i16x8.shr_s(o1, 3);
  o2 = i16x8.shr_s(o2, 3);
  o3 = i16x8.shr_s(o3, 3);
  transpose();
  addRow(at, o0);
  addRow(at + stride, o1);
  addRow(at + stride * 2, o2);
  addRow(at + stride * 3, o3);
}

@inline function addRow(at: usize, row: v128): void {
  const sum = i16x8.add(row, i16x8.extend_low_i8x16_u(v128.load64_zero(at)));
  v128.store64_lane(at, i8x16.narrow_i16x8_u(sum, sum), 0);
}

/** Two blocks of 4 x 4 in four vectors, each turned. */
@inline function transpose(): void {
  const p = i8x16.shuffle(o0, o1, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23);
  const q = i8x16.shuffle(o2, o3, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23);
  const r = i8x16.shuffle(o0, o1, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31);
  const s = i8x16.shuffle(o2, o3, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31);
  const p0 = i8x16.shuffle(p, q, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
  const p1 = i8x16.shuffle(p, q, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
  const r0 = i8x16.shuffle(r, s, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
  const r1 = i8x16.shuffle(r, s, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
  o0 = i8x16.shuffle(p0, r0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
  o1 = i8x16.shuffle(p0, r0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
  o2 = i8x16.shuffle(p1, r1, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
  o3 = i8x16.shuffle(p1, r1, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
}

/** One block alone, left with what lies at its right unchanged. */
export function addOne(index: usize, at: usize, stride: usize): void {
  const from = coefficients + (index << 5);
  const spare0 = v128.load(from, 32);
  const spare1 = v128.load(from, 48);
  const zero = i64x2.splat(0);
  v128.store(from, zero, 32);
  v128.store(from, zero, 48);
  addPair(index, at, stride);
  v128.store(from, spare0, 32);
  v128.store(from, spare1, 48);
}
