// The inverse DCT of Loeffler, Ligtenberg and Moschytz (1989) in 13-bit fixed point, with the roundings of the
// Independent JPEG Group's "slow integer" variant: that is what the reference's pixels were made with. Eight columns (or
// rows) a step; each output is a sum of products, so the order of the sums does not matter.

@inline function pair(a: i16, b: i16): v128 {
  return i16x8(a, b, a, b, a, b, a, b);
}

// The eight vectors at hand: rows before a pass, rows after it.
let v0: v128 = i64x2.splat(0);
let v1: v128 = i64x2.splat(0);
let v2: v128 = i64x2.splat(0);
let v3: v128 = i64x2.splat(0);
let v4: v128 = i64x2.splat(0);
let v5: v128 = i64x2.splat(0);
let v6: v128 = i64x2.splat(0);
let v7: v128 = i64x2.splat(0);

@inline function low(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23);
}
@inline function high(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31);
}
@inline function descaled(low: v128, high: v128, round: v128, shift: i32): v128 {
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(low, round), shift),
    i32x4.shr_s(i32x4.add(high, round), shift),
  );
}

/** One dimension, descaled by `shift` bits with rounding. */
@inline function pass(shift: i32): void {
  const round = i32x4.splat(1 << (shift - 1));
  // Even part: 0.541196100 (4433), 0.765366865 (6270), 1.847759065 (15137).
  const sum = pair(8192, 8192);
  const difference = pair(8192, -8192);
  const turn3 = pair(4433 + 6270, 4433);
  const turn2 = pair(4433, 4433 - 15137);
  const l04 = low(v0, v4);
  const h04 = high(v0, v4);
  const l26 = low(v2, v6);
  const h26 = high(v2, v6);
  const l0 = i32x4.dot_i16x8_s(l04, sum);
  const h0 = i32x4.dot_i16x8_s(h04, sum);
  const l1 = i32x4.dot_i16x8_s(l04, difference);
  const h1 = i32x4.dot_i16x8_s(h04, difference);
  const l3 = i32x4.dot_i16x8_s(l26, turn3);
  const h3 = i32x4.dot_i16x8_s(h26, turn3);
  const l2 = i32x4.dot_i16x8_s(l26, turn2);
  const h2 = i32x4.dot_i16x8_s(h26, turn2);
  const l10 = i32x4.add(l0, l3);
  const h10 = i32x4.add(h0, h3);
  const l13 = i32x4.sub(l0, l3);
  const h13 = i32x4.sub(h0, h3);
  const l11 = i32x4.add(l1, l2);
  const h11 = i32x4.add(h1, h2);
  const l12 = i32x4.sub(l1, l2);
  const h12 = i32x4.sub(h1, h2);
  // Odd part: 0.298631336 (2446), 0.390180644 (3196), 0.899976223 (7373), 1.175875602 (9633), 1.501321110 (12299),
  // 1.961570560 (16069), 2.053119869 (16819), 2.562915447 (20995), 3.072711026 (25172), multiplied out.
  const l75 = low(v7, v5);
  const h75 = high(v7, v5);
  const l31 = low(v3, v1);
  const h31 = high(v3, v1);
  const a0 = pair(2446 - 7373 - 16069 + 9633, 9633);
  const b0 = pair(9633 - 16069, 9633 - 7373);
  const a1 = pair(9633, 16819 - 20995 - 3196 + 9633);
  const b1 = pair(9633 - 20995, 9633 - 3196);
  const a2 = pair(9633 - 16069, 9633 - 20995);
  const b2 = pair(25172 - 20995 - 16069 + 9633, 9633);
  const a3 = pair(9633 - 7373, 9633 - 3196);
  const b3 = pair(9633, 12299 - 7373 - 3196 + 9633);
  const lt3 = i32x4.add(i32x4.dot_i16x8_s(l75, a3), i32x4.dot_i16x8_s(l31, b3));
  const ht3 = i32x4.add(i32x4.dot_i16x8_s(h75, a3), i32x4.dot_i16x8_s(h31, b3));
  v0 = descaled(i32x4.add(l10, lt3), i32x4.add(h10, ht3), round, shift);
  v7 = descaled(i32x4.sub(l10, lt3), i32x4.sub(h10, ht3), round, shift);
  const lt2 = i32x4.add(i32x4.dot_i16x8_s(l75, a2), i32x4.dot_i16x8_s(l31, b2));
  const ht2 = i32x4.add(i32x4.dot_i16x8_s(h75, a2), i32x4.dot_i16x8_s(h31, b2));
  v1 = descaled(i32x4.add(l11, lt2), i32x4.add(h11, ht2), round, shift);
  v6 = descaled(i32x4.sub(l11, lt2), i32x4.sub(h11, ht2), round, shift);
  const lt1 = i32x4.add(i32x4.dot_i16x8_s(l75, a1), i32x4.dot_i16x8_s(l31, b1));
  const ht1 = i32x4.add(i32x4.dot_i16x8_s(h75, a1), i32x4.dot_i16x8_s(h31, b1));
  v2 = descaled(i32x4.add(l12, lt1), i32x4.add(h12, ht1), round, shift);
  v5 = descaled(i32x4.sub(l12, lt1), i32x4.sub(h12, ht1), round, shift);
  const lt0 = i32x4.add(i32x4.dot_i16x8_s(l75, a0), i32x4.dot_i16x8_s(l31, b0));
  const ht0 = i32x4.add(i32x4.dot_i16x8_s(h75, a0), i32x4.dot_i16x8_s(h31, b0));
  v3 = descaled(i32x4.add(l13, lt0), i32x4.add(h13, ht0), round, shift);
  v4 = descaled(i32x4.sub(l13, lt0), i32x4.sub(h13, ht0), round, shift);
}

@inline function transpose(): void {
  const a0 = low(v0, v4);
  const a1 = high(v0, v4);
  const a2 = low(v1, v5);
  const a3 = high(v1, v5);
  const a4 = low(v2, v6);
  const a5 = high(v2, v6);
  const a6 = low(v3, v7);
  const a7 = high(v3, v7);
  const b0 = low(a0, a4);
  const b1 = high(a0, a4);
  const b2 = low(a1, a5);
  const b3 = high(a1, a5);
  const b4 = low(a2, a6);
  const b5 = high(a2, a6);
  const b6 = low(a3, a7);
  const b7 = high(a3, a7);
  v0 = low(b0, b4);
  v1 = high(b0, b4);
  v2 = low(b1, b5);
  v3 = high(b1, b5);
  v4 = low(b2, b6);
  v5 = high(b2, b6);
  v6 = low(b3, b7);
  v7 = high(b3, b7);
}

@inline function put(out: usize, row: v128): void {
  // Samples are centred at 128; both saturations are part of the reference.
  const bytes = v128.xor(i8x16.narrow_i16x8_s(row, row), i8x16.splat(-128));
  v128.store64_lane(out, bytes, 0);
}

/**
 * Blocks of 64 coefficients (16 bits, natural order) to samples: a plane of `across` x `down` blocks. `quant` holds 64
 * values of 16 bits in natural order.
 */
export function jpegPlane(coefficients: usize, quant: usize, across: i32, down: i32, plane: usize): void {
  const stride = usize(across) << 3;
  for (let y = 0; y < down; y++) {
    let out = plane + usize(y) * stride * 8;
    for (let x = 0; x < across; x++, coefficients += 128, out += 8) {
      const c0 = v128.load(coefficients);
      const rest = v128.or(
        v128.or(
          v128.or(v128.load(coefficients, 16), v128.load(coefficients, 32)),
          v128.or(v128.load(coefficients, 48), v128.load(coefficients, 64)),
        ),
        v128.or(v128.or(v128.load(coefficients, 80), v128.load(coefficients, 96)), v128.load(coefficients, 112)),
      );
      if (!v128.any_true(v128.or(rest, i16x8.replace_lane(c0, 0, 0)))) {
        // One level all over: the two passes come down to this.
        const dc = i32(i16(i32(i16x8.extract_lane_s(c0, 0)) * i32(load<i16>(quant))));
        const level = i16x8.splat(i16((dc + 4) >> 3));
        for (let r: usize = 0; r < 8; r++) put(out + r * stride, level);
        continue;
      }
      v0 = i16x8.mul(c0, v128.load(quant));
      v1 = i16x8.mul(v128.load(coefficients, 16), v128.load(quant, 16));
      v2 = i16x8.mul(v128.load(coefficients, 32), v128.load(quant, 32));
      v3 = i16x8.mul(v128.load(coefficients, 48), v128.load(quant, 48));
      v4 = i16x8.mul(v128.load(coefficients, 64), v128.load(quant, 64));
      v5 = i16x8.mul(v128.load(coefficients, 80), v128.load(quant, 80));
      v6 = i16x8.mul(v128.load(coefficients, 96), v128.load(quant, 96));
      v7 = i16x8.mul(v128.load(coefficients, 112), v128.load(quant, 112));
      pass(11);
      transpose();
      pass(18);
      transpose();
      put(out, v0);
      put(out + stride, v1);
      put(out + stride * 2, v2);
      put(out + stride * 3, v3);
      put(out + stride * 4, v4);
      put(out + stride * 5, v5);
      put(out + stride * 6, v6);
      put(out + stride * 7, v7);
    }
  }
}
