// CRC-32 (PNG 5.5, reflected polynomial EDB88320) and Adler-32 (RFC 1950).

const TABLES: usize = memory.data(8 * 256 * 4, 16);
let ready = false;

function prepare(): void {
  for (let n: u32 = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    store<u32>(TABLES + (n << 2), c);
  }
  for (let t: usize = 1; t < 8; t++) {
    for (let n: usize = 0; n < 256; n++) {
      const c = load<u32>(TABLES + ((t - 1) << 10) + (n << 2));
      store<u32>(TABLES + (t << 10) + (n << 2), (c >>> 8) ^ load<u32>(TABLES + ((c & 255) << 2)));
    }
  }
  ready = true;
}

// @ts-ignore: decorator
@inline function slice(table: usize, byte: u32): u32 {
  return load<u32>(TABLES + (table << 10) + ((byte & 255) << 2));
}

/** CRC-32 of `length` bytes; `seed` is the CRC of what came before (0 at the start). Eight bytes a step. */
export function crc32(pointer: usize, length: usize, seed: u32): u32 {
  if (!ready) prepare();
  let c = ~seed;
  const end = pointer + length;
  while (pointer + 8 <= end) {
    const low = load<u32>(pointer) ^ c;
    const high = load<u32>(pointer, 4);
    c =
      slice(7, low) ^ slice(6, low >>> 8) ^ slice(5, low >>> 16) ^ slice(4, low >>> 24) ^
      slice(3, high) ^ slice(2, high >>> 8) ^ slice(1, high >>> 16) ^ slice(0, high >>> 24);
    pointer += 8;
  }
  while (pointer < end) {
    c = slice(0, c ^ load<u8>(pointer)) ^ (c >>> 8);
    pointer++;
  }
  return ~c;
}

const BASE: u32 = 65521;

/**
 * Adler-32 of `length` bytes. b is the sum of a after every byte: for a block of 16 bytes it grows by 16 a plus
 * the bytes weighted 16..1. 5536 bytes is the longest run of whole blocks for which nothing overflows 32 bits.
 */
export function adler32(pointer: usize, length: usize): u32 {
  let a: u32 = 1;
  let b: u32 = 0;
  const first = i16x8(16, 15, 14, 13, 12, 11, 10, 9);
  const second = i16x8(8, 7, 6, 5, 4, 3, 2, 1);
  while (length > 0) {
    const run: usize = min(length, 5536);
    let left = run >>> 4;
    let before = i32x4.splat(0);
    let plain = i32x4.splat(0);
    let weighted = i32x4.splat(0);
    b += a * u32(left << 4);
    while (left > 0) {
      const bytes = v128.load(pointer);
      before = i32x4.add(before, plain);
      plain = i32x4.add(plain, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes)));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(bytes), first));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(bytes), second));
      pointer += 16;
      left--;
    }
    a += lanes(plain);
    b += (lanes(before) << 4) + lanes(weighted);
    for (let rest = run & 15; rest > 0; rest--) {
      a += load<u8>(pointer++);
      b += a;
    }
    a %= BASE;
    b %= BASE;
    length -= run;
  }
  return (b << 16) | a;
}

function lanes(v: v128): u32 {
  return (
    i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3)
  );
}
