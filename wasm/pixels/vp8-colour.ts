// Planes to RGB: chroma weighted 9, 3, 3 and 1, and ITU-R BT.601 with video range, in libwebp's fixed point.
import { store3 } from './store-rgb';

/** A row of chroma at full width: `near` and `far` are the rows that lie nearest. One sample before `out` is written. */
function fullRow(near: usize, far: usize, samples: i32, out: usize): void {
  for (let x: i32 = 0; x < samples; x += 8, out += 16) {
    const n0 = i16x8.extend_low_i8x16_u(v128.load64_zero(near + x));
    const n1 = i16x8.extend_low_i8x16_u(v128.load64_zero(near + x, 1));
    const f0 = i16x8.extend_low_i8x16_u(v128.load64_zero(far + x));
    const f1 = i16x8.extend_low_i8x16_u(v128.load64_zero(far + x, 1));
    const cross = i16x8.add(n1, f0);
    const straight = i16x8.add(n0, f1);
    const sum = i16x8.add(i16x8.add(cross, straight), i16x8.splat(8));
    const a = i16x8.shr_u(i16x8.add(sum, i16x8.add(cross, cross)), 3);
    const b = i16x8.shr_u(i16x8.add(sum, i16x8.add(straight, straight)), 3);
    const left = i16x8.shr_u(i16x8.add(a, n0), 1);
    const right = i16x8.shr_u(i16x8.add(b, n1), 1);
    // Between samples x and x + 1 lie the pixels 2x + 1 and 2x + 2.
    v128.store(out, v128.or(left, i16x8.shl(right, 8)), 1);
  }
}

@inline function ends(near: usize, far: usize, width: i32, out: usize): void {
  store<u8>(out, u8((3 * u32(load<u8>(near)) + u32(load<u8>(far)) + 2) >> 2));
  if ((width & 1) != 0) return;
  const last = usize((width >> 1) - 1);
  store<u8>(out + usize(width) - 1, u8((3 * u32(load<u8>(near + last)) + u32(load<u8>(far + last)) + 2) >> 2));
}

/** (x * factor) >> 8 for eight samples. */
@inline function scaled(x: v128, factor: i32): v128 {
  const f = i16x8.splat(i16(factor));
  return i16x8.narrow_i32x4_u(
    i32x4.shr_u(i32x4.extmul_low_i16x8_u(x, f), 8),
    i32x4.shr_u(i32x4.extmul_high_i16x8_u(x, f), 8),
  );
}

let red: v128 = i64x2.splat(0);
let green: v128 = i64x2.splat(0);
let blue: v128 = i64x2.splat(0);

@inline function convert8(y: v128, u: v128, v: v128): void {
  const luma = scaled(y, 19077);
  red = i16x8.shr_s(i16x8.add(i16x8.sub(luma, i16x8.splat(14234)), scaled(v, 26149)), 6);
  green = i16x8.shr_s(
    i16x8.sub(i16x8.sub(i16x8.add(luma, i16x8.splat(8708)), scaled(u, 6419)), scaled(v, 13320)),
    6,
  );
  // The sum needs 16 bits without a sign.
  blue = i16x8.shr_u(i16x8.sub_sat_u(i16x8.add(luma, scaled(u, 33050)), i16x8.splat(17685)), 6);
}

function toRgb(y: usize, u: usize, v: usize, width: i32, out: usize): void {
  for (let x: i32 = 0; x < width; x += 16, out += 48) {
    const yy = v128.load(y + x);
    const uu = v128.load(u + x);
    const vv = v128.load(v + x);
    convert8(i16x8.extend_low_i8x16_u(yy), i16x8.extend_low_i8x16_u(uu), i16x8.extend_low_i8x16_u(vv));
    const r = red;
    const g = green;
    const b = blue;
    convert8(i16x8.extend_high_i8x16_u(yy), i16x8.extend_high_i8x16_u(uu), i16x8.extend_high_i8x16_u(vv));
    store3(out, i8x16.narrow_i16x8_u(r, red), i8x16.narrow_i16x8_u(g, green), i8x16.narrow_i16x8_u(b, blue));
  }
}

/** All rows. `rows` has room for two rows of chroma and 64 bytes each; `out` for 64 bytes more than the image. */
export function planesToRgb(
  y: usize,
  u: usize,
  v: usize,
  stride: usize,
  chromaStride: usize,
  width: i32,
  height: i32,
  rows: usize,
  out: usize,
): void {
  const samples = (width + 1) >> 1;
  const fullU = rows + 16;
  const fullV = fullU + usize(width + 64);
  for (let row = 0; row < height; row++) {
    const near = usize(row >> 1);
    const other = (row & 1) != 0 ? min(i32(near) + 1, ((height + 1) >> 1) - 1) : max(i32(near) - 1, 0);
    const n = near * chromaStride;
    const f = usize(other) * chromaStride;
    fullRow(u + n, u + f, samples, fullU);
    ends(u + n, u + f, width, fullU);
    fullRow(v + n, v + f, samples, fullV);
    ends(v + n, v + f, width, fullV);
    toRgb(y + usize(row) * stride, fullU, fullV, width, out);
    out += usize(width) * 3;
  }
}
