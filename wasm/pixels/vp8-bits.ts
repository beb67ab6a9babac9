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

const ZIGZAG: usize = memory.data<u8>([0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15]);
/** Offset of the band of each position, with one position more. */
const BANDS: usize = memory.data<u16>([0, 33, 66, 99, 198, 132, 165, 198, 198, 198, 198, 198, 198, 198, 198, 231, 0]);
const LARGE: usize = memory.data<u8>([
  173, 148, 140, 0, 0, 0, 0, 0, 0, 0, 0, 0, 176, 155, 140, 135, 0, 0, 0, 0, 0, 0, 0, 0, 180, 157, 141, 134, 130, 0, 0,
  0, 0, 0, 0, 0, 254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129, 0,
]);


/** The value of a coefficient of 2 or more (13.2). */
function large(p: usize): i32 {
  if (bit(load<u8>(p, 3)) == 0) {
    if (bit(load<u8>(p, 4)) == 0) return 2;
    return 3 + i32(bit(load<u8>(p, 5)));
  }
  if (bit(load<u8>(p, 6)) == 0) {
    if (bit(load<u8>(p, 7)) == 0) return 5 + i32(bit(159));
    const high = 2 * i32(bit(165));
    return 7 + high + i32(bit(145));
  }
  const high = bit(load<u8>(p, 8));
  const category = 2 * high + bit(load<u8>(p + 9 + high));
  let value = 0;
  for (let odds = LARGE + usize(category) * 12; load<u8>(odds) != 0; odds++) value += value + i32(bit(load<u8>(odds)));
  return value + 3 + (8 << category);
}


/**
 * Reads the tokens of one block (13.2) by the probabilities at `base` and stores coefficients times their steps at `out`, i16,
 * from position `first` on. Gives the place after the last one that is not zero. Half the time of a picture is spent here,
 * so the decoder's state is kept in locals and `bit` is written out.
 */
export function readBlock(base: usize, context: u32, dc: i32, ac: i32, first: usize, out: usize): i32 {
  let v = value;
  let r = range;
  let h = held;
  let n = first;
  let p = base + usize(load<u16>(BANDS + (n << 1))) + usize(context) * 11;
  while (n < 16) {
    if (h < 0) {
      value = v;
      held = h;
      more();
      v = value;
      h = held;
    }
    // Whether anything follows.
    let split = (r * u32(load<u8>(p))) >> 8;
    if (u32(v >> u64(h)) <= split) {
      const shift = clz(split + 1) - 24;
      r = ((split + 1) << shift) - 1;
      h -= i32(shift);
      break;
    }
    r -= split;
    v -= u64(split + 1) << u64(h);
    let shift = clz(r) - 24;
    r = (r << shift) - 1;
    h -= i32(shift);
    // How many zeros come first.
    for (;;) {
      if (h < 0) {
        value = v;
        held = h;
        more();
        v = value;
        h = held;
      }
      split = (r * u32(load<u8>(p, 1))) >> 8;
      if (u32(v >> u64(h)) > split) break;
      shift = clz(split + 1) - 24;
      r = ((split + 1) << shift) - 1;
      h -= i32(shift);
      n++;
      if (n == 16) break;
      p = base + usize(load<u16>(BANDS + (n << 1)));
    }
    if (n == 16) break;
    r -= split;
    v -= u64(split + 1) << u64(h);
    shift = clz(r) - 24;
    r = (r << shift) - 1;
    h -= i32(shift);
    // 1 or more.
    if (h < 0) {
      value = v;
      held = h;
      more();
      v = value;
      h = held;
    }
    const next = base + usize(load<u16>(BANDS + ((n + 1) << 1)));
    split = (r * u32(load<u8>(p, 2))) >> 8;
    let magnitude = 1;
    if (u32(v >> u64(h)) <= split) {
      shift = clz(split + 1) - 24;
      r = ((split + 1) << shift) - 1;
      h -= i32(shift);
      p = next + 11;
    } else {
      r -= split;
      v -= u64(split + 1) << u64(h);
      shift = clz(r) - 24;
      value = v;
      range = (r << shift) - 1;
      held = h - i32(shift);
      magnitude = large(p);
      v = value;
      r = range;
      h = held;
      p = next + 22;
    }
    // The sign, without a branch: nobody can foretell it.
    if (h < 0) {
      value = v;
      held = h;
      more();
      v = value;
      h = held;
    }
    split = r >> 1;
    const negative = i32(split - u32(v >> u64(h))) >> 31;
    v -= (u64(split + 1) & u64(i64(negative))) << u64(h);
    h--;
    r = (r + u32(negative)) | 1;
    store<i16>(
      out + (usize(load<u8>(ZIGZAG + n)) << 1),
      i16(((magnitude ^ negative) - negative) * (n > 0 ? ac : dc)),
    );
    n++;
  }
  value = v;
  range = r;
  held = h;
  return i32(n);
}
