// Adler-32 (RFC 1950). Filtered rows are mostly zero bytes, which leave the first sum alone and add it to the second
// once for each byte: a block of zeros is one multiplication. In other blocks the second sum grows by 16 times the
// first plus the bytes weighted 16..1, for each 16 bytes.
const BASE: u32 = 65521;
/** Bytes a block; the sums stay inside 32 bits for 5552 bytes between reductions. */
const BLOCK: usize = 64;
const BLOCKS_BETWEEN_REDUCTIONS = 64;

export function adler32(at: usize, length: i32): u32 {
  let a: u32 = 1;
  let b: u32 = 0;
  const end = at + <usize>length;
  const blocks = at + <usize>(length & ~63);
  let left = BLOCKS_BETWEEN_REDUCTIONS;
  while (at < blocks) {
    const first = v128.load(at);
    const second = v128.load(at, 16);
    const third = v128.load(at, 32);
    const fourth = v128.load(at, 48);
    b += a * <u32>BLOCK;
    if (v128.any_true(v128.or(v128.or(first, second), v128.or(third, fourth)))) {
      // What comes earlier in the block is added again once for each of the bytes after its sixteen.
      const ofFirst = sums(first);
      const ofSecond = sums(second);
      const ofThird = sums(third);
      const before = i32x4.add(
        i32x4.add(i32x4.mul(ofFirst, i32x4.splat(48)), i32x4.shl(ofSecond, 5)),
        i32x4.shl(ofThird, 4),
      );
      const weighted = i32x4.add(
        i32x4.add(weigh(first), weigh(second)),
        i32x4.add(weigh(third), weigh(fourth)),
      );
      b += lanes(i32x4.add(before, weighted));
      a += lanes(i32x4.add(i32x4.add(ofFirst, ofSecond), i32x4.add(ofThird, sums(fourth))));
    }
    at += BLOCK;
    if (--left == 0) {
      a %= BASE;
      b %= BASE;
      left = BLOCKS_BETWEEN_REDUCTIONS;
    }
  }
  while (at < end) {
    a += load<u8>(at++);
    b += a;
  }
  return ((b % BASE) << 16) | (a % BASE);
}

@inline function sums(bytes: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes));
}

@inline function weigh(bytes: v128): v128 {
  return i32x4.add(
    i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(bytes), i16x8(16, 15, 14, 13, 12, 11, 10, 9)),
    i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(bytes), i16x8(8, 7, 6, 5, 4, 3, 2, 1)),
  );
}

@inline function lanes(v: v128): u32 {
  return (
    i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3)
  );
}
