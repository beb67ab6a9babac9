// Prefix codes (RFC 9649, 3.7.2): the tables that read them.
import { reserve, trim } from './vp8l-arena';
import { drop, overrun, peek, read, refill } from './vp8l-bits';

/** Codes up to so many bits are read in one step. */
export const ROOT_BITS: u32 = 8;
const MOST_SYMBOLS: i32 = 256 + 24 + 2048;
const LONGEST: u32 = 15;

const lengths: usize = memory.data(2328 * 2, 16);
const sorted: usize = memory.data(2328 * 2, 16);
const counts: usize = memory.data(17 * 4, 16);
const offsets: usize = memory.data(17 * 4, 16);
const ORDER: usize = memory.data<u8>([17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
/** The code of code lengths never leaves its 7 bits. */
const lengthTable: usize = memory.data(256 * 4, 16);

/** The next code of the same length, whose bits come in reverse. */
@inline function successor(key: u32, length: u32): u32 {
  let step: u32 = 1 << (length - 1);
  while ((key & step) != 0) step >>= 1;
  return step != 0 ? (key & (step - 1)) + step : key;
}

@inline function spread(table: usize, step: u32, size: u32, entry: u32): void {
  for (let i = i32(size) - i32(step); i >= 0; i -= i32(step)) store<u32>(table + (usize(i) << 2), entry);
}

/**
 * A table of the code whose `count` lengths stand in `lengths`: entries of symbol << 16 | bits, or, for codes over 8
 * bits, place of a further table (in entries) << 16 | 8 + its bits. At `fixed` if that is not 0, else reserved. 0 when
 * the lengths are no complete code.
 */
function build(count: i32, fixed: usize): usize {
  memory.fill(counts, 0, 68);
  for (let s: usize = 0; s < usize(count); s++) {
    const length = usize(load<u16>(lengths + (s << 1)));
    store<u32>(counts + (length << 2), load<u32>(counts + (length << 2)) + 1);
  }
  if (load<u32>(counts) == u32(count)) return 0;
  let total: u32 = 0;
  let open: i32 = 1;
  for (let length: usize = 1; length <= usize(LONGEST); length++) {
    store<u32>(offsets + (length << 2), total);
    const here = load<u32>(counts + (length << 2));
    total += here;
    open = (open << 1) - i32(here);
    if (open < 0) return 0;
  }
  for (let s: usize = 0; s < usize(count); s++) {
    const length = usize(load<u16>(lengths + (s << 1)));
    if (length == 0) continue;
    const at = offsets + (length << 2);
    store<u16>(sorted + (usize(load<u32>(at)) << 1), u16(s));
    store<u32>(at, load<u32>(at) + 1);
  }
  const root: u32 = 1 << ROOT_BITS;
  if (total == 1) {
    const table = fixed != 0 ? fixed : reserve(f64(root * 4));
    if (table != 0) spread(table, 1, root, u32(load<u16>(sorted)) << 16);
    return table;
  }
  if (open != 0) return 0;
  // The second tables: as many entries as the codes that share 8 bits need.
  let size = root;
  if (fixed == 0) size += furtherSize();
  const table = fixed != 0 ? fixed : reserve(f64(size) * 4);
  if (table == 0) return 0;
  let key: u32 = 0;
  let index: usize = 0;
  let end = root;
  let low: u32 = 0xffffffff;
  let place = table;
  let bits = ROOT_BITS;
  for (let length: u32 = 1; length <= LONGEST; length++) {
    const slot = counts + (usize(length) << 2);
    for (; load<u32>(slot) > 0; store<u32>(slot, load<u32>(slot) - 1)) {
      const symbol = u32(load<u16>(sorted + (index++ << 1)));
      if (length <= ROOT_BITS) spread(table + (usize(key) << 2), 1 << length, root, (symbol << 16) | length);
      else {
        if ((key & (root - 1)) != low) {
          low = key & (root - 1);
          bits = furtherBits(length);
          place = table + (usize(end) << 2);
          store<u32>(table + (usize(low) << 2), (end << 16) | (ROOT_BITS + bits));
          end += 1 << bits;
        }
        spread(
          place + (usize(key >> ROOT_BITS) << 2),
          1 << (length - ROOT_BITS),
          1 << bits,
          (symbol << 16) | (length - ROOT_BITS),
        );
      }
      key = successor(key, length);
    }
  }
  if (fixed == 0) trim(table + (usize(end) << 2));
  return table;
}

/** Bits of the further table that begins with a code of `length`; `counts` says what is still to be placed. */
function furtherBits(length: u32): u32 {
  let left: i32 = 1 << (length - ROOT_BITS);
  while (length < LONGEST) {
    left -= i32(load<u32>(counts + (usize(length) << 2)));
    if (left <= 0) break;
    length++;
    left <<= 1;
  }
  return length - ROOT_BITS;
}

/** An upper bound of the entries of all further tables; what is left over is given back. */
function furtherSize(): u32 {
  let longest: u32 = 0;
  let long: u32 = 0;
  for (let length: u32 = ROOT_BITS + 1; length <= LONGEST; length++) {
    const here = load<u32>(counts + (usize(length) << 2));
    if (here != 0) longest = length;
    long += here;
  }
  if (longest == 0) return 0;
  // Two codes at least share each prefix.
  return min(long >> 1, 256) << (longest - ROOT_BITS);
}

/** Whether the code has one symbol, which takes no bits. */
@inline export function single(table: usize): bool {
  return (load<u32>(table) & 0xffff) == 0;
}

/** The next symbol. 15 bits are at hand. */
@inline export function symbol(table: usize): u32 {
  const ahead = peek();
  let entry = load<u32>(table + (usize(ahead & 255) << 2));
  let bits = entry & 0xffff;
  if (bits > ROOT_BITS) {
    const further = ahead >> ROOT_BITS;
    drop(ROOT_BITS);
    entry = load<u32>(table + (usize((entry >> 16) + (further & ((1 << (bits - ROOT_BITS)) - 1))) << 2));
    bits = entry & 0xffff;
  }
  drop(bits);
  return entry >> 16;
}

/** Reads one code over `count` symbols and makes its table. 0 when it is none. */
export function readCode(count: i32): usize {
  if (count > MOST_SYMBOLS) return 0;
  memory.fill(lengths, 0, 2328 * 2);
  if (read(1) != 0) {
    const two = read(1) != 0;
    const wide = read(1) != 0;
    store<u16>(lengths + (usize(read(wide ? 8 : 1)) << 1), 1);
    if (two) store<u16>(lengths + (usize(read(8)) << 1), 1);
  } else if (!readLengths(count)) return 0;
  return overrun() ? 0 : build(count, 0);
}

function readLengths(count: i32): bool {
  const given = i32(read(4)) + 4;
  for (let i = 0; i < given; i++) store<u16>(lengths + (usize(load<u8>(ORDER + usize(i))) << 1), u16(read(3)));
  const table = build(19, lengthTable);
  if (table == 0) return false;
  memory.fill(lengths, 0, 64);
  let most = count;
  if (read(1) != 0) {
    most = 2 + i32(read(2 + 2 * read(3)));
    if (most > count) return false;
  }
  let previous: u32 = 8;
  for (let s = 0; s < count && most > 0; most--) {
    refill();
    const code = symbol(table);
    if (code < 16) {
      store<u16>(lengths + (usize(s++) << 1), u16(code));
      if (code != 0) previous = code;
      continue;
    }
    const times = i32(code == 16 ? 3 + read(2) : code == 17 ? 3 + read(3) : 11 + read(7));
    if (s + times > count) return false;
    const length = code == 16 ? previous : 0;
    for (let i = 0; i < times; i++) store<u16>(lengths + (usize(s++) << 1), u16(length));
  }
  return true;
}
