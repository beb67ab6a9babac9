// Adler-32 (RFC 1950). Filtered rows are mostly zero bytes, which leave the first sum alone and add it to the second
// once for each byte: a block of zeros is one multiplication.
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
    const any = v128.or(
      v128.or(v128.load(at), v128.load(at, 16)),
      v128.or(v128.load(at, 32), v128.load(at, 48)),
    );
    if (v128.any_true(any)) {
      for (let i: usize = 0; i < BLOCK; i++) {
        a += load<u8>(at + i);
        b += a;
      }
    } else {
      b += a * <u32>BLOCK;
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
