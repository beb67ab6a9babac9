// Planes of samples to RGB: the Independent JPEG Group's smooth ("fancy") upsampling by two, repetition for every other
// factor, and its conversion from YCbCr.

import { store3 } from './store-rgb';

// How a component's row is brought to full size.
const REPEAT: i32 = 0;
const SMOOTH_H2V1: i32 = 1;
const SMOOTH_H2V2: i32 = 2;
const SMOOTH_H1V2: i32 = 3;

/** Words of 32 bits: plane, stride, width, height (of samples), mode, horizontal and vertical factor, row of scratch. */
const COMPONENT: usize = 32;

/** Weights the sample at hand 3 and its neighbour 1, and doubles the row. `sums` has a sample before and after it. */
function spread(sums: usize, width: i32, out: usize, evenRound: i16, oddRound: i16, shift: i32): void {
  // At the ends the sample is its own neighbour.
  store<i16>(sums - 2, load<i16>(sums));
  store<i16>(sums + (usize(width) << 1), load<i16>(sums + (usize(width - 1) << 1)));
  const even = i16x8.splat(evenRound);
  const odd = i16x8.splat(oddRound);
  for (let x: i32 = 0; x < width; x += 8, sums += 16, out += 16) {
    const here = v128.load(sums);
    const three = i16x8.add(i16x8.add(here, here), here);
    const e = i16x8.shr_u(i16x8.add(i16x8.add(three, v128.load(sums - 2)), even), shift);
    const o = i16x8.shr_u(i16x8.add(i16x8.add(three, v128.load(sums, 2)), odd), shift);
    v128.store(out, v128.or(e, i16x8.shl(o, 8)));
  }
}

/** The samples of one component for row `y` of the image, at full width. */
function fullRow(component: usize, y: i32): usize {
  const plane: usize = load<u32>(component);
  const stride = load<i32>(component, 4);
  const width = load<i32>(component, 8);
  const height = load<i32>(component, 12);
  const mode = load<i32>(component, 16);
  const h = load<i32>(component, 20);
  const v = load<i32>(component, 24);
  const scratch: usize = load<u32>(component, 28);
  const sy = y / v;
  const row = plane + usize(sy * stride);
  if (mode == REPEAT) {
    if (h == 1) return row;
    let out = scratch;
    for (let x = 0; x < width; x++) {
      const sample = load<u8>(row + x);
      for (let k = 0; k < h; k++) store<u8>(out++, sample);
    }
    return scratch;
  }
  // Room for sums of 16 bits, with a sample before them, lies after the row.
  const sums = scratch + usize(((width * h + 31) & ~15) + 16);
  if (mode == SMOOTH_H2V1) {
    for (let x = 0; x < width; x += 8)
      v128.store(sums + (usize(x) << 1), i16x8.extend_low_i8x16_u(v128.load64_zero(row + x)));
    spread(sums, width, scratch, 1, 2, 2);
    return scratch;
  }
  const second = (y & 1) == 1;
  const other = second ? min(sy + 1, height - 1) : max(sy - 1, 0);
  const far = plane + usize(other * stride);
  const round = i16x8.splat(second ? 2 : 1);
  for (let x = 0; x < width; x += 8) {
    const near = i16x8.extend_low_i8x16_u(v128.load64_zero(row + x));
    const sum = i16x8.add(i16x8.add(i16x8.add(near, near), near), i16x8.extend_low_i8x16_u(v128.load64_zero(far + x)));
    if (mode == SMOOTH_H1V2) {
      const value = i16x8.shr_u(i16x8.add(sum, round), 2);
      v128.store64_lane(scratch + x, i8x16.narrow_i16x8_u(value, value), 0);
    } else v128.store(sums + (usize(x) << 1), sum);
  }
  if (mode == SMOOTH_H2V2) spread(sums, width, scratch, 8, 7, 4);
  return scratch;
}

/** (factor * x + 32768) >> 16 for eight signed x. */
@inline function scaled(x: v128, factor: i16): v128 {
  const f = i16x8.splat(factor);
  const half = i32x4.splat(32768);
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(i32x4.extmul_low_i16x8_s(x, f), half), 16),
    i32x4.shr_s(i32x4.add(i32x4.extmul_high_i16x8_s(x, f), half), 16),
  );
}

let red: v128 = i64x2.splat(0);
let green: v128 = i64x2.splat(0);
let blue: v128 = i64x2.splat(0);

/**
 * Eight pixels, not yet limited to bytes. The factors 1.402, 1.772, 0.34414 and 0.71414 times 65536 do not fit 16 bits;
 * what is over a whole multiple does: R = Y + x + (0.402 x), B = Y + 2x - (0.228 x), G = Y - x - (0.34414, -0.28586).
 */
@inline function convert8(y: v128, cb: v128, cr: v128): void {
  red = i16x8.add(y, i16x8.add(cr, scaled(cr, 26345)));
  blue = i16x8.add(y, i16x8.add(i16x8.add(cb, cb), scaled(cb, -14942)));
  const half = i32x4.splat(32768);
  const weights = i16x8(-22554, 18734, -22554, 18734, -22554, 18734, -22554, 18734);
  const l = i8x16.shuffle(cb, cr, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23);
  const h = i8x16.shuffle(cb, cr, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31);
  const g = i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(l, weights), half), 16),
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(h, weights), half), 16),
  );
  green = i16x8.add(y, i16x8.sub(g, cr));
}

function yccRow(y: usize, cb: usize, cr: usize, out: usize, width: i32): void {
  const centre = i16x8.splat(128);
  for (let x: i32 = 0; x < width; x += 16, out += 48) {
    const yy = v128.load(y + x);
    const bb = v128.load(cb + x);
    const rr = v128.load(cr + x);
    convert8(
      i16x8.extend_low_i8x16_u(yy),
      i16x8.sub(i16x8.extend_low_i8x16_u(bb), centre),
      i16x8.sub(i16x8.extend_low_i8x16_u(rr), centre),
    );
    const r = red;
    const g = green;
    const b = blue;
    convert8(
      i16x8.extend_high_i8x16_u(yy),
      i16x8.sub(i16x8.extend_high_i8x16_u(bb), centre),
      i16x8.sub(i16x8.extend_high_i8x16_u(rr), centre),
    );
    store3(
      out,
      i8x16.narrow_i16x8_u(r, red),
      i8x16.narrow_i16x8_u(g, green),
      i8x16.narrow_i16x8_u(b, blue),
    );
  }
}

function plainRow(r: usize, g: usize, b: usize, out: usize, width: i32): void {
  for (let x: i32 = 0; x < width; x += 16, out += 48)
    store3(out, v128.load(r + x), v128.load(g + x), v128.load(b + x));
}

/** Pillow takes four components as inverted whatever the file says, and rounds each product of colour and black. */
function blackRow(out: usize, black: usize, width: i32, invert: bool): void {
  for (let x = 0; x < width; x++) {
    const k = u32(load<u8>(black + x));
    for (let c = 0; c < 3; c++, out++) {
      const sample = u32(load<u8>(out));
      const t = (invert ? 255 - sample : sample) * k + 128;
      store<u8>(out, u8((t + (t >> 8)) >> 8));
    }
  }
}

/**
 * All rows. `count` components are described at `components`; `transformed`: the first three are YCbCr. `out` needs 64
 * bytes more than the image.
 */
export function jpegRgb(components: usize, count: i32, transformed: bool, width: i32, height: i32, out: usize): void {
  for (let y = 0; y < height; y++, out += usize(width) * 3) {
    const first = fullRow(components, y);
    if (count == 1) {
      plainRow(first, first, first, out, width);
      continue;
    }
    const second = fullRow(components + COMPONENT, y);
    const third = fullRow(components + COMPONENT * 2, y);
    if (transformed) yccRow(first, second, third, out, width);
    else plainRow(first, second, third, out, width);
    // YCCK holds the complement of CMY.
    if (count == 4) blackRow(out, fullRow(components + COMPONENT * 3, y), width, transformed);
  }
}
