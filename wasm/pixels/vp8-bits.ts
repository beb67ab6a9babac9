// The boolean entropy decoder (RFC 6386, 7). State lies in memory: the partitions of a frame take turns.

/** A decoder: what was read (u64), the interval less one (u32), bits at hand less 8 (i32), next byte, end, ran dry. */
export const DECODER_BYTES: usize = 32;

let value: u64 = 0;
let range: u32 = 254;
let held: i32 = -8;
let at: usize = 0;
let stop: usize = 0;
let dry = false;

export function begin(from: usize, end: usize): void {
  value = 0;
  range = 254;
  held = -8;
  at = from;
  stop = end;
  dry = false;
}

export function keep(place: usize): void {
  store<u64>(place, value);
  store<u32>(place, range, 8);
  store<i32>(place, held, 12);
  store<u32>(place, u32(at), 16);
  store<u32>(place, u32(stop), 20);
  store<u32>(place, u32(dry), 24);
}

export function take(place: usize): void {
  value = load<u64>(place);
  range = load<u32>(place, 8);
  held = load<i32>(place, 12);
  at = load<u32>(place, 16);
  stop = load<u32>(place, 20);
  dry = load<u32>(place, 24) != 0;
}

/** Whether bits were wanted after the last byte. */
export function ranDry(): bool {
  return dry;
}

function more(): void {
  if (at + 8 <= stop) {
    value = (value << 56) | (bswap<u64>(load<u64>(at)) >> 8);
    held += 56;
    at += 7;
  } else if (at < stop) {
    value = (value << 8) | u64(load<u8>(at++));
    held += 8;
  } else if (!dry) {
    value <<= 8;
    held += 8;
    dry = true;
  } else held = 0;
}

/** One bit that is 0 with `probability` of 256. */
@inline export function bit(probability: u32): u32 {
  if (held < 0) more();
  const split = (range * probability) >> 8;
  let one: u32 = 0;
  let wide = split + 1;
  if (u32(value >> u64(held)) > split) {
    wide = range - split;
    value -= u64(split + 1) << u64(held);
    one = 1;
  }
  const shift = clz(wide) - 24;
  range = (wide << shift) - 1;
  held -= i32(shift);
  return one;
}

export function flag(): bool {
  return bit(128) != 0;
}

export function literal(bits: i32): i32 {
  let found = 0;
  for (; bits > 0; bits--) found = (found << 1) | i32(bit(128));
  return found;
}

/** A magnitude and its sign. */
export function signed(bits: i32): i32 {
  const magnitude = literal(bits);
  return flag() ? -magnitude : magnitude;
}

/** The same behind a flag; 0 without it. */
export function optional(bits: i32): i32 {
  return flag() ? signed(bits) : 0;
}
