// Huffman-coded JPEG scans (ITU-T T.81, annexes F and G) into coefficients in natural order.

/** A table: 1024 entries of two bytes (length << 8 | symbol) for codes up to 10 bits, then the longer codes. */
const FAST_BITS: u32 = 10;
const MAX_CODE: usize = 2048;
const OFFSET: usize = MAX_CODE + 18 * 4;
const SYMBOLS: usize = OFFSET + 18 * 4;

const NATURAL = memory.data<u8>([
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55,
  62, 63,
]);

/**
 * Builds a table from the 16 counts of codes by length and the symbols in order. False when the counts are no code.
 */
export function jpegTable(out: usize, counts: usize, symbols: usize): bool {
  memory.fill(out, 0, SYMBOLS + 256);
  let code: u32 = 0;
  let index: u32 = 0;
  for (let length: u32 = 1; length <= 16; length++) {
    const count = u32(load<u8>(counts + length - 1));
    if (index + count > 256) return false;
    store<i32>(out + OFFSET + (length << 2), i32(index) - i32(code));
    for (let i: u32 = 0; i < count; i++, code++, index++) {
      // A code of all ones is not allowed, and a longer value would be no code of this length.
      if (code >= u32(1) << length) return false;
      const symbol = load<u8>(symbols + index);
      store<u8>(out + SYMBOLS + index, symbol);
      if (length > FAST_BITS) continue;
      const first = code << (FAST_BITS - length);
      const entry = u16((length << 8) | symbol);
      for (let k: u32 = 0; k < u32(1) << (FAST_BITS - length); k++) store<u16>(out + ((first + k) << 1), entry);
    }
    store<i32>(out + MAX_CODE + (length << 2), count == 0 ? -1 : i32(code) - 1);
    code <<= 1;
  }
  return true;
}

// The bits at hand: the low `held` bits of `bits`. Past a marker or the end, zeros are fed and counted.
let bits: u64 = 0;
let held: u32 = 0;
let at: usize = 0;
let stop: usize = 0;
let fed: u32 = 0;
let failed = false;

/** At least 32 bits at hand. */
@inline function need(): void {
  if (held < 32) more();
}

function more(): void {
  if (at + 4 <= stop) {
    const word = load<u32>(at);
    // Without a byte FF there is nothing stuffed and no marker.
    if (((~word - 0x01010101) & word & 0x80808080) == 0) {
      bits = (bits << 32) | u64(bswap<u32>(word));
      held += 32;
      at += 4;
      return;
    }
  }
  while (held < 32) {
    let byte: u64 = 0;
    if (at < stop) {
      byte = load<u8>(at);
      if (byte == 0xff) {
        if (at + 1 < stop && load<u8>(at, 1) == 0) at += 2;
        else {
          byte = 0;
          fed += 8;
        }
      } else at++;
    } else fed += 8;
    bits = (bits << 8) | byte;
    held += 8;
  }
}

@inline function take(count: u32): u32 {
  held -= count;
  return u32(bits >> held) & ((1 << count) - 1);
}

@inline function symbol(table: usize): u32 {
  need();
  const entry = load<u16>(table + (usize(u32(bits >> (held - FAST_BITS)) & 1023) << 1));
  if (entry) {
    held -= entry >> 8;
    return entry & 255;
  }
  return longSymbol(table);
}

function longSymbol(table: usize): u32 {
  for (let length: u32 = FAST_BITS + 1; length <= 16; length++) {
    const code = i32(u32(bits >> (held - length)) & ((1 << length) - 1));
    if (code <= load<i32>(table + MAX_CODE + (length << 2))) {
      held -= length;
      return load<u8>(table + SYMBOLS + ((code + load<i32>(table + OFFSET + (length << 2))) & 255));
    }
  }
  failed = true;
  held -= 16;
  return 0;
}

/** The signed value of `size` bits (F.2.2.1). */
@inline function extended(size: u32): i32 {
  need();
  const value = i32(take(size));
  return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
}

// Words of 32 bits: see src/pixels/decode/jpeg-scans.ts.
const RESTART: usize = 8;
const COUNT: usize = 12;
const SS: usize = 16;
const SE: usize = 20;
const AH: usize = 24;
const AL: usize = 28;
const PROGRESSIVE: usize = 32;
const MCUS_X: usize = 36;
const MCUS_Y: usize = 40;
const COMPONENTS: usize = 64;
const COMPONENT: usize = 32;
const PREDICTED = memory.data(16, 16);
let skip: u32 = 0;

/**
 * Decodes one scan described at `scan`. 0: whole; 1: the data is damaged, or ends before the scan does; 2: a restart
 * marker is missing.
 */
export function jpegScan(scan: usize): i32 {
  at = load<u32>(scan);
  stop = load<u32>(scan, 4);
  bits = 0;
  held = 0;
  fed = 0;
  failed = false;
  skip = 0;
  memory.fill(PREDICTED, 0, 16);
  const interval = load<i32>(scan, RESTART);
  const count = load<i32>(scan, COUNT);
  const mcusX = load<i32>(scan, MCUS_X);
  const mcusY = load<i32>(scan, MCUS_Y);
  let left = interval;
  let next: u8 = 0;
  for (let my = 0; my < mcusY; my++) {
    for (let mx = 0; mx < mcusX; mx++) {
      if (interval && left == 0) {
        if (fed > held || failed) return 1;
        // Whatever is left of the interval is padding.
        while (at + 1 < stop && !(load<u8>(at) == 0xff && load<u8>(at, 1) != 0 && load<u8>(at, 1) != 0xff)) at++;
        if (at + 1 >= stop || load<u8>(at, 1) != 0xd0 + next) return 2;
        next = (next + 1) & 7;
        at += 2;
        bits = 0;
        held = 0;
        fed = 0;
        skip = 0;
        memory.fill(PREDICTED, 0, 16);
        left = interval;
      }
      left--;
      for (let c = 0; c < count; c++) {
        const component = scan + COMPONENTS + usize(c) * COMPONENT;
        const h = load<i32>(component, 8);
        const v = load<i32>(component, 12);
        for (let by = 0; by < v; by++) {
          for (let bx = 0; bx < h; bx++) {
            const block = (my * v + by) * load<i32>(component, 4) + mx * h + bx;
            decodeBlock(scan, component, usize(load<u32>(component)) + (usize(block) << 7), PREDICTED + (usize(c) << 2));
          }
        }
      }
    }
    if (failed || fed > held + 4096) return 1;
  }
  return failed || fed > held ? 1 : 0;
}

function decodeBlock(scan: usize, component: usize, block: usize, predicted: usize): void {
  const dc: usize = load<u32>(component, 16);
  const ac: usize = load<u32>(component, 20);
  if (!load<i32>(scan, PROGRESSIVE)) {
    const size = symbol(dc);
    if (size > 15) failed = true;
    else if (size) store<i32>(predicted, load<i32>(predicted) + extended(size));
    store<i16>(block, i16(load<i32>(predicted)));
    sequential(ac, block);
    return;
  }
  const al = load<u32>(scan, AL);
  const ah = load<u32>(scan, AH);
  const ss = load<u32>(scan, SS);
  if (ss == 0) {
    if (ah) {
      need();
      if (take(1)) store<i16>(block, load<i16>(block) | i16(i32(1) << i32(al)));
      return;
    }
    const size = symbol(dc);
    if (size > 15) failed = true;
    else if (size) store<i32>(predicted, load<i32>(predicted) + extended(size));
    store<i16>(block, i16(load<i32>(predicted) << al));
    return;
  }
  if (ah) refineAc(ac, block, ss, load<u32>(scan, SE), al);
  else firstAc(ac, block, ss, load<u32>(scan, SE), al);
}

function sequential(ac: usize, block: usize): void {
  for (let k: u32 = 1; k < 64; k++) {
    const rs = symbol(ac);
    const size = rs & 15;
    k += rs >> 4;
    if (size == 0) {
      if (rs != 0xf0) return;
      continue;
    }
    const value = extended(size);
    if (k > 63) {
      failed = true;
      return;
    }
    store<i16>(block + (usize(load<u8>(NATURAL + k)) << 1), i16(value));
  }
}

function firstAc(ac: usize, block: usize, ss: u32, se: u32, al: u32): void {
  if (skip) {
    skip--;
    return;
  }
  for (let k = ss; k <= se; k++) {
    const rs = symbol(ac);
    const run = rs >> 4;
    const size = rs & 15;
    if (size) {
      k += run;
      const value = extended(size) << al;
      if (k > 63) {
        failed = true;
        return;
      }
      store<i16>(block + (usize(load<u8>(NATURAL + k)) << 1), i16(value));
    } else if (run == 15) k += 15;
    else {
      need();
      skip = (1 << run) - 1 + take(run);
      return;
    }
  }
}

function refineAc(ac: usize, block: usize, ss: u32, se: u32, al: u32): void {
  const up = i16(i32(1) << i32(al));
  const down = i16(-(i32(1) << i32(al)));
  let k = ss;
  if (skip == 0) {
    for (; k <= se; k++) {
      const rs = symbol(ac);
      let run = i32(rs >> 4);
      let value: i16 = 0;
      if (rs & 15) {
        if ((rs & 15) != 1) failed = true;
        need();
        value = take(1) ? up : down;
      } else if (run < 15) {
        need();
        skip = (1 << run) + take(run);
        break;
      }
      // The run counts coefficients that are still zero; those that are not get one bit more on the way.
      for (; k <= se; k++) {
        const place = block + (usize(load<u8>(NATURAL + k)) << 1);
        if (load<i16>(place) != 0) refine(place, up, down);
        else if (--run < 0) break;
      }
      if (value != 0) {
        if (k > 63) {
          failed = true;
          return;
        }
        store<i16>(block + (usize(load<u8>(NATURAL + k)) << 1), value);
      }
    }
  }
  if (skip) {
    for (; k <= se; k++) {
      const place = block + (usize(load<u8>(NATURAL + k)) << 1);
      if (load<i16>(place) != 0) refine(place, up, down);
    }
    skip--;
  }
}

@inline function refine(place: usize, up: i16, down: i16): void {
  need();
  if (!take(1)) return;
  const value = load<i16>(place);
  if ((value & up) == 0) store<i16>(place, value + (value >= 0 ? up : down));
}
