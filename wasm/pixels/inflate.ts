// DEFLATE (RFC 1951) into a buffer of known size. It stops when the buffer is full, so a small file cannot
// make it produce more than was asked for, and it says where in the input it stopped.
// The input needs 16 readable bytes after its end; they are never taken for data.

/** Bits that the first table looks up at once; longer codes go through a second one. */
const PRIMARY: u32 = 11;
const LITERAL: u32 = 0;
const LENGTH: u32 = 1;
const END: u32 = 2;
const SUBTABLE: u32 = 3;
const INVALID: u32 = 4;

// An entry: code length (bits 0-7), extra bits (8-11), kind (12-15), literal / base / place of a subtable (16-31).
const LITERALS: usize = memory.data(8192 * 4, 16);
const DISTANCES: usize = memory.data(8192 * 4, 16);
const LENGTHS: usize = memory.data(320, 16);
const COUNT: usize = memory.data(16 * 4, 16);
const NEXT: usize = memory.data(16 * 4, 16);
const DEEPEST: usize = memory.data(2048, 16);
const PLACE: usize = memory.data(2048 * 4, 16);
const CODES: usize = memory.data(320 * 2, 16);

const LENGTH_BASE = memory.data<u16>([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]);
const LENGTH_EXTRA = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]);
const DISTANCE_BASE = memory.data<u16>([
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577,
]);
const DISTANCE_EXTRA = memory.data<u8>([
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
]);
const ORDER = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

export const INFLATE_DONE: i32 = 0;
/** The buffer is full and the stream goes on. */
export const INFLATE_SURPLUS: i32 = 1;
export const INFLATE_INPUT_ENDS: i32 = 2;
export const INFLATE_BAD_BLOCK: i32 = 3;
export const INFLATE_BAD_CODE: i32 = 4;
export const INFLATE_BAD_DISTANCE: i32 = 5;

let bits: u64 = 0;
let held: u32 = 0;
let at: usize = 0;
let written: usize = 0;
let consumed: usize = 0;

/** Bytes written by the last call. */
export function inflateWritten(): usize {
  return written;
}
/** Input bytes used by the last call, a byte that was begun counted whole. */
export function inflateConsumed(): usize {
  return consumed;
}

@inline function refill(): void {
  bits |= load<u64>(at) << held;
  at += (63 - held) >> 3;
  held |= 56;
}

@inline function take(count: u32): u32 {
  const value = u32(bits) & ((1 << count) - 1);
  bits >>= count;
  held -= count;
  return value;
}

function reversed(code: u32, length: u32): u32 {
  let out: u32 = 0;
  for (let i: u32 = 0; i < length; i++) {
    out = (out << 1) | (code & 1);
    code >>= 1;
  }
  return out;
}

@inline function entry(length: u32, extra: u32, kind: u32, value: u32): u32 {
  return length | (extra << 8) | (kind << 12) | (value << 16);
}

function meaning(symbol: u32, length: u32, distances: bool): u32 {
  if (distances) {
    return symbol < 30
      ? entry(length, load<u8>(DISTANCE_EXTRA + symbol), LENGTH, load<u16>(DISTANCE_BASE + (symbol << 1)))
      : entry(length, 0, INVALID, 0);
  }
  if (symbol < 256) return entry(length, 0, LITERAL, symbol);
  if (symbol == 256) return entry(length, 0, END, 0);
  const l = symbol - 257;
  return l < 29
    ? entry(length, load<u8>(LENGTH_EXTRA + l), LENGTH, load<u16>(LENGTH_BASE + (l << 1)))
    : entry(length, 0, INVALID, 0);
}

/**
 * Builds the look-up tables for `count` code lengths. False when the lengths are no code: too many codes, or too
 * few (allowed for a single distance code only, as zlib has it).
 */
function build(table: usize, lengths: usize, count: u32, distances: bool, plain: bool): bool {
  memory.fill(COUNT, 0, 64);
  for (let s: u32 = 0; s < count; s++) {
    const place = COUNT + (usize(load<u8>(lengths + s)) << 2);
    store<u32>(place, load<u32>(place) + 1);
  }
  let left: i32 = 1;
  let code: u32 = 0;
  let used: u32 = 0;
  for (let l: usize = 1; l < 16; l++) {
    const n = load<u32>(COUNT + (l << 2));
    left = (left << 1) - i32(n);
    if (left < 0) return false;
    store<u32>(NEXT + (l << 2), code);
    code = (code + n) << 1;
    used += n;
  }
  if (left > 0 && !(distances && (used == 0 || (used == 1 && load<u32>(COUNT, 4) == 1)))) return false;
  const size: u32 = 1 << PRIMARY;
  const invalid = entry(1, 0, INVALID, 0);
  for (let i: u32 = 0; i < size; i++) store<u32>(table + (i << 2), invalid);
  memory.fill(DEEPEST, 0, size);
  for (let s: u32 = 0; s < count; s++) {
    const l = u32(load<u8>(lengths + s));
    if (l == 0) continue;
    const next = NEXT + (l << 2);
    const c = load<u32>(next);
    store<u32>(next, c + 1);
    const r = reversed(c, l);
    store<u16>(CODES + (s << 1), u16(r));
    if (l > PRIMARY) {
      const prefix = r & (size - 1);
      if (load<u8>(DEEPEST + prefix) < l) store<u8>(DEEPEST + prefix, u8(l));
    }
  }
  let free = size;
  for (let i: u32 = 0; i < size; i++) {
    const deep = u32(load<u8>(DEEPEST + i));
    if (deep == 0) continue;
    store<u32>(PLACE + (i << 2), free);
    store<u32>(table + (i << 2), entry(0, deep - PRIMARY, SUBTABLE, free));
    const span: u32 = 1 << (deep - PRIMARY);
    for (let k: u32 = 0; k < span; k++) store<u32>(table + ((free + k) << 2), invalid);
    free += span;
  }
  for (let s: u32 = 0; s < count; s++) {
    const l = u32(load<u8>(lengths + s));
    if (l == 0) continue;
    const r = u32(load<u16>(CODES + (s << 1)));
    const e = plain ? entry(l, 0, LITERAL, s) : meaning(s, l, distances);
    if (l <= PRIMARY) {
      for (let i = r; i < size; i += 1 << l) store<u32>(table + (i << 2), e);
    } else {
      const prefix = r & (size - 1);
      const place = load<u32>(PLACE + (prefix << 2));
      const span: u32 = 1 << (u32(load<u8>(DEEPEST + prefix)) - PRIMARY);
      for (let i = r >> PRIMARY; i < span; i += 1 << (l - PRIMARY)) store<u32>(table + ((place + i) << 2), e);
    }
  }
  return true;
}

function fixedTables(): void {
  for (let s: usize = 0; s < 288; s++) store<u8>(LENGTHS + s, s < 144 ? 8 : s < 256 ? 9 : s < 280 ? 7 : 8);
  build(LITERALS, LENGTHS, 288, false, false);
  for (let s: usize = 0; s < 32; s++) store<u8>(LENGTHS + s, 5);
  build(DISTANCES, LENGTHS, 32, true, false);
}

function dynamicTables(): bool {
  refill();
  const literals = take(5) + 257;
  const distances = take(5) + 1;
  const codes = take(4) + 4;
  if (literals > 286 || distances > 30) return false;
  memory.fill(LENGTHS, 0, 19);
  for (let i: u32 = 0; i < codes; i++) {
    refill();
    store<u8>(LENGTHS + load<u8>(ORDER + i), u8(take(3)));
  }
  if (!build(LITERALS, LENGTHS, 19, false, true)) return false;
  const total = literals + distances;
  let n: u32 = 0;
  while (n < total) {
    refill();
    const e = load<u32>(LITERALS + ((u32(bits) & 2047) << 2));
    if (((e >> 12) & 15) == INVALID) return false;
    take(e & 255);
    const symbol = e >> 16;
    if (symbol < 16) {
      store<u8>(LENGTHS + n++, u8(symbol));
      continue;
    }
    if (symbol == 16 && n == 0) return false;
    const value: u8 = symbol == 16 ? load<u8>(LENGTHS + n - 1) : 0;
    const repeat: u32 = symbol == 16 ? 3 + take(2) : symbol == 17 ? 3 + take(3) : 11 + take(7);
    if (n + repeat > total) return false;
    for (let i: u32 = 0; i < repeat; i++) store<u8>(LENGTHS + n++, value);
  }
  // A block without an end code could never stop.
  if (load<u8>(LENGTHS + 256) == 0) return false;
  return build(LITERALS, LENGTHS, literals, false, false) && build(DISTANCES, LENGTHS + literals, distances, true, false);
}

@inline function lookUp(table: usize, window: u64): u32 {
  const e = load<u32>(table + ((u32(window) & 2047) << 2));
  if (((e >> 12) & 15) != SUBTABLE) return e;
  const deeper = (u32(window) >> PRIMARY) & ((1 << ((e >> 8) & 15)) - 1);
  return load<u32>(table + (((e >> 16) + deeper) << 2));
}

/** One of the INFLATE_ values. `start` and `end` bound the input, `out` and `outEnd` the buffer. */
export function inflate(start: usize, end: usize, out: usize, outEnd: usize): i32 {
  bits = 0;
  held = 0;
  at = start;
  const from = out;
  let status = INFLATE_DONE;
  let last = false;
  while (!last && status == INFLATE_DONE) {
    refill();
    last = take(1) == 1;
    const type = take(2);
    if (type == 0) {
      // Back to the byte after the header; a stored block copies from the input itself.
      let p = at - (held >> 3);
      if (p + 4 > end) { at = p; held = 0; status = INFLATE_INPUT_ENDS; break; }
      const size = usize(load<u16>(p));
      if (size != usize(load<u16>(p, 2) ^ 0xffff)) { at = p; held = 0; status = INFLATE_BAD_BLOCK; break; }
      p += 4;
      const room = min(min(size, end - p), outEnd - out);
      memory.copy(out, p, room);
      out += room;
      at = p + room;
      bits = 0;
      held = 0;
      if (room < size) status = out == outEnd ? INFLATE_SURPLUS : INFLATE_INPUT_ENDS;
      continue;
    }
    if (type == 3) { status = INFLATE_BAD_BLOCK; break; }
    if (type == 1) fixedTables();
    else if (!dynamicTables()) { status = at - (held >> 3) > end ? INFLATE_INPUT_ENDS : INFLATE_BAD_CODE; break; }

    // Locals, because a global is a memory access in the loop.
    let window = bits;
    let have = held;
    let p = at;
    for (;;) {
      if (p > end + 8) { status = INFLATE_INPUT_ENDS; break; }
      window |= load<u64>(p) << have;
      p += (63 - have) >> 3;
      have |= 56;
      let e = lookUp(LITERALS, window);
      if (((e >> 12) & 15) == LITERAL) {
        if (out >= outEnd) { status = INFLATE_SURPLUS; break; }
        store<u8>(out++, u8(e >> 16));
        window >>= e & 255;
        have -= e & 255;
        e = lookUp(LITERALS, window);
        if (((e >> 12) & 15) == LITERAL) {
          if (out >= outEnd) { status = INFLATE_SURPLUS; break; }
          store<u8>(out++, u8(e >> 16));
          window >>= e & 255;
          have -= e & 255;
          e = lookUp(LITERALS, window);
          if (((e >> 12) & 15) == LITERAL) {
            if (out >= outEnd) { status = INFLATE_SURPLUS; break; }
            store<u8>(out++, u8(e >> 16));
            window >>= e & 255;
            have -= e & 255;
            continue;
          }
        }
      }
      window >>= e & 255;
      have -= e & 255;
      const kind = (e >> 12) & 15;
      if (kind != LENGTH) {
        if (kind != END) status = INFLATE_BAD_CODE;
        break;
      }
      let extra = (e >> 8) & 15;
      const length = usize((e >> 16) + (u32(window) & ((1 << extra) - 1)));
      window >>= extra;
      have -= extra;
      window |= load<u64>(p) << have;
      p += (63 - have) >> 3;
      have |= 56;
      e = lookUp(DISTANCES, window);
      if (((e >> 12) & 15) != LENGTH) { status = INFLATE_BAD_CODE; break; }
      window >>= e & 255;
      have -= e & 255;
      extra = (e >> 8) & 15;
      const distance = usize((e >> 16) + (u32(window) & ((1 << extra) - 1)));
      window >>= extra;
      have -= extra;
      if (distance > out - from) { status = INFLATE_BAD_DISTANCE; break; }
      const wanted = out + length;
      const stop = min(wanted, outEnd);
      let back = out - distance;
      if (distance >= 16 && stop + 16 <= outEnd) {
        for (; out < stop; out += 16, back += 16) v128.store(out, v128.load(back));
      } else if (distance >= 8 && stop + 8 <= outEnd) {
        for (; out < stop; out += 8, back += 8) store<u64>(out, load<u64>(back));
      } else {
        while (out < stop) store<u8>(out++, load<u8>(back++));
      }
      out = stop;
      if (wanted > outEnd) { status = INFLATE_SURPLUS; break; }
    }
    bits = window;
    held = have;
    at = p;
    // What was read past the end was padding, whatever it seemed to mean.
    if (at - (held >> 3) > end) status = INFLATE_INPUT_ENDS;
  }
  written = out - from;
  consumed = min(at - (held >> 3), end) - start;
  return status;
}
