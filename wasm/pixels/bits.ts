// A little-endian bit stream: the first bit written is the lowest of the first byte (RFC 1951, 3.1.1).
let start: usize = 0;
let at: usize = 0;
let held: u64 = 0;
let count: u32 = 0;

export function openBits(to: usize): void {
  start = to;
  at = to;
  held = 0;
  count = 0;
}

/** Appends the low `length` bits (0..32) of `value`; the bits above must be zero. */
@inline
export function putBits(value: u32, length: u32): void {
  held |= (<u64>value) << count;
  count += length;
  if (count >= 32) {
    store<u32>(at, <u32>held);
    at += 4;
    held >>= 32;
    count -= 32;
  }
}

/** Fills up the last byte with zero bits. */
export function alignBits(): void {
  while (count > 0) {
    store<u8>(at++, <u8>held);
    held >>= 8;
    count = count > 8 ? count - 8 : 0;
  }
  held = 0;
}

/** Appends whole bytes; the stream must be aligned. */
export function putBytes(from: usize, length: i32): void {
  memory.copy(at, from, length);
  at += <usize>length;
}

/** Bytes written so far; the stream must be aligned. */
export function bitsLength(): i32 {
  return <i32>(at - start);
}
