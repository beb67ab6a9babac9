// Bits of a lossless WebP picture, least significant first. Eight readable bytes follow the last one.

export let bits: u64 = 0;
export let held: u32 = 0;
export let at: usize = 0;
let start: usize = 0;
export let stop: usize = 0;

/** Sets the reader to where a loop that keeps its state in locals has come. */
@inline export function resume(localBits: u64, localHeld: u32, localAt: usize): void {
  bits = localBits;
  held = localHeld;
  at = localAt;
}

export function beginBits(from: usize, end: usize): void {
  bits = 0;
  held = 0;
  at = from;
  start = from;
  stop = end;
}

/** At least 56 bits at hand; after the end they are zeros. */
@inline export function refill(): void {
  if (held >= 56) return;
  if (at < stop) bits |= load<u64>(at) << u64(held);
  at += (63 - held) >> 3;
  held |= 56;
}

@inline export function peek(): u32 {
  return u32(bits);
}

@inline export function drop(count: u32): void {
  bits >>= u64(count);
  held -= count;
}

/** The next `count` bits, 0 to 32. */
export function read(count: u32): u32 {
  refill();
  const value = u32(bits & ((u64(1) << u64(count)) - 1));
  drop(count);
  return value;
}

/** Whether more bits were used than there are. */
export function overrun(): bool {
  return i64(at - start) * 8 - i64(held) > i64(stop - start) * 8;
}
