// One DEFLATE block: the symbols collected so far, their frequencies, and the choice between stored, fixed and
// dynamic codes (RFC 1951, 3.2.3 to 3.2.7). Where to end a block and which kind to take follow classic zlib at
// memLevel 9, so that the bytes are the same.
import { alignBits, putBits, putBytes } from './bits';
import { assignCodes, buildTree, treeBits } from './huffman';

/** A block ends when its buffer of 2^(9+6) symbols is one short of full. */
export const SYMBOLS_PER_BLOCK = 32767;

const LITERALS = 286;
const DISTANCES = 30;
const END_OF_BLOCK = 256;
const LENGTH_CODES = 19;

const symbols: usize = memory.data(32768 * 4, 16);
let symbolCount = 0;

const literalFreq: usize = memory.data(288 * 4, 16);
const literalLengths: usize = memory.data(288 * 4, 16);
const literalCodes: usize = memory.data(288 * 4, 16);
const distanceFreq: usize = memory.data(32 * 4, 16);
const distanceLengths: usize = memory.data(32 * 4, 16);
const distanceCodes: usize = memory.data(32 * 4, 16);
const clFreq: usize = memory.data(20 * 4, 16);
const clLengths: usize = memory.data(20 * 4, 16);
const clCodes: usize = memory.data(20 * 4, 16);

const fixedLengths: usize = memory.data(288 * 4, 16);
const fixedCodes: usize = memory.data(288 * 4, 16);
const fixedDistanceCodes: usize = memory.data(32 * 4, 16);

// Length 3..258 as length - 3, and distance 1..32768 as distance - 1 (its upper half by 128s), to their codes.
const lengthCodeOf: usize = memory.data(256, 16);
const lengthBase: usize = memory.data(32 * 4, 16);
const distanceCodeOf: usize = memory.data(512, 16);
const distanceBase: usize = memory.data(32 * 4, 16);

const lengthExtra: usize = memory.data<u8>([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]);
const distanceExtra: usize = memory.data<u8>([0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13]);
const clExtra: usize = memory.data<u8>([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 7]);
/** The order in which a dynamic block sends the lengths of its code length codes (RFC 1951, 3.2.7). */
const clOrder: usize = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

@inline
function get(base: usize, i: i32): i32 {
  return load<i32>(base + ((<usize>i) << 2));
}

@inline
function set(base: usize, i: i32, value: i32): void {
  store<i32>(base + ((<usize>i) << 2), value);
}

@inline
function bump(base: usize, i: i32): void {
  set(base, i, get(base, i) + 1);
}

let tablesReady = false;

function prepareTables(): void {
  let length = 0;
  for (let code = 0; code < 28; code++) {
    set(lengthBase, code, length);
    const span = 1 << load<u8>(lengthExtra + <usize>code);
    for (let i = 0; i < span; i++) store<u8>(lengthCodeOf + <usize>(length++), <u8>code);
  }
  // 258 has a code of its own, so code 27 covers one length less than its extra bits could.
  store<u8>(lengthCodeOf + 255, 28);
  set(lengthBase, 28, 255);

  let distance = 0;
  for (let code = 0; code < 16; code++) {
    set(distanceBase, code, distance);
    const span = 1 << load<u8>(distanceExtra + <usize>code);
    for (let i = 0; i < span; i++) store<u8>(distanceCodeOf + <usize>(distance++), <u8>code);
  }
  distance >>= 7;
  for (let code = 16; code < DISTANCES; code++) {
    set(distanceBase, code, distance << 7);
    const span = 1 << (load<u8>(distanceExtra + <usize>code) - 7);
    for (let i = 0; i < span; i++) store<u8>(distanceCodeOf + 256 + <usize>(distance++), <u8>code);
  }

  for (let n = 0; n < 288; n++) set(fixedLengths, n, n < 144 ? 8 : n < 256 ? 9 : n < 280 ? 7 : 8);
  assignCodes(fixedLengths, fixedCodes, 287, 15);
  for (let n = 0; n < DISTANCES; n++) {
    let reversed = 0;
    for (let bit = 0; bit < 5; bit++) reversed |= ((n >> bit) & 1) << (4 - bit);
    set(fixedDistanceCodes, n, reversed);
  }
  tablesReady = true;
}

@inline
function distanceCode(distance: i32): i32 {
  return <i32>load<u8>(distanceCodeOf + <usize>(distance < 256 ? distance : 256 + (distance >> 7)));
}

export function openBlock(): void {
  if (!tablesReady) prepareTables();
  memory.fill(literalFreq, 0, 288 * 4);
  memory.fill(distanceFreq, 0, 32 * 4);
  memory.fill(clFreq, 0, 20 * 4);
  set(literalFreq, END_OF_BLOCK, 1);
  symbolCount = 0;
}

/** Adds a literal byte; true when the block must end. */
@inline
export function addLiteral(byte: i32): bool {
  set(symbols, symbolCount++, byte);
  bump(literalFreq, byte);
  return symbolCount == SYMBOLS_PER_BLOCK;
}

/** Adds a match (length 3..258, distance 1..32768); true when the block must end. */
@inline
export function addMatch(length: i32, distance: i32): bool {
  set(symbols, symbolCount++, (distance << 8) | (length - 3));
  bump(literalFreq, 257 + <i32>load<u8>(lengthCodeOf + <usize>(length - 3)));
  bump(distanceFreq, distanceCode(distance - 1));
  return symbolCount == SYMBOLS_PER_BLOCK;
}

/**
 * Writes the block and opens the next. `from` and `bytes` are the input that the symbols stand for; `storable` is false
 * where zlib would no longer hold that input in its window, and so could not store it.
 */
export function closeBlock(from: usize, bytes: i32, storable: bool, last: bool): void {
  // The forced codes of a tree with fewer than two symbols add nothing here, so the fixed size comes first.
  let fixedBits = 0;
  for (let n = 0; n < LITERALS; n++) {
    const extra = n > 256 ? <i32>load<u8>(lengthExtra + <usize>(n - 257)) : 0;
    fixedBits += get(literalFreq, n) * (get(fixedLengths, n) + extra);
  }
  for (let n = 0; n < DISTANCES; n++) fixedBits += get(distanceFreq, n) * (5 + <i32>load<u8>(distanceExtra + <usize>n));

  const lastLiteral = buildTree(literalFreq, literalLengths, literalCodes, LITERALS, lengthExtra, 257, 15);
  let dynamicBits = treeBits;
  const lastDistance = buildTree(distanceFreq, distanceLengths, distanceCodes, DISTANCES, distanceExtra, 0, 15);
  dynamicBits += treeBits;
  codeLengths(literalLengths, lastLiteral, false);
  codeLengths(distanceLengths, lastDistance, false);
  buildTree(clFreq, clLengths, clCodes, LENGTH_CODES, clExtra, 0, 7);
  dynamicBits += treeBits;
  let lastOrder = LENGTH_CODES - 1;
  while (lastOrder >= 3 && get(clLengths, <i32>load<u8>(clOrder + <usize>lastOrder)) == 0) lastOrder--;
  dynamicBits += 3 * (lastOrder + 1) + 14;

  const fixedBytes = (fixedBits + 10) >> 3;
  const dynamicBytes = (dynamicBits + 10) >> 3;
  const best = fixedBytes <= dynamicBytes ? fixedBytes : dynamicBytes;
  const final: u32 = last ? 1 : 0;
  if (bytes + 4 <= best && storable) {
    putBits(final, 3);
    alignBits();
    putBits(<u32>bytes & 0xffff, 16);
    putBits(~(<u32>bytes) & 0xffff, 16);
    alignBits();
    putBytes(from, bytes);
  } else if (best == fixedBytes) {
    putBits(2 | final, 3);
    writeSymbols(fixedLengths, fixedCodes, 0, fixedDistanceCodes);
  } else {
    putBits(4 | final, 3);
    putBits(lastLiteral - 256, 5);
    putBits(lastDistance, 5);
    putBits(lastOrder - 3, 4);
    for (let i = 0; i <= lastOrder; i++) putBits(get(clLengths, <i32>load<u8>(clOrder + <usize>i)), 3);
    codeLengths(literalLengths, lastLiteral, true);
    codeLengths(distanceLengths, lastDistance, true);
    writeSymbols(literalLengths, literalCodes, distanceLengths, distanceCodes);
  }
  openBlock();
  if (last) alignBits();
}

/** Run-length codes a list of code lengths: counts the code length symbols, or writes them. */
function codeLengths(lengths: usize, last: i32, write: bool): void {
  let previous = -1;
  let next = get(lengths, 0);
  let run = 0;
  let most = next == 0 ? 138 : 7;
  let least = next == 0 ? 3 : 4;
  for (let n = 0; n <= last; n++) {
    const current = next;
    next = n == last ? -1 : get(lengths, n + 1);
    run++;
    if (run < most && current == next) continue;
    if (run < least) {
      if (write) for (let i = 0; i < run; i++) putBits(get(clCodes, current), get(clLengths, current));
      else set(clFreq, current, get(clFreq, current) + run);
    } else if (current != 0) {
      if (current != previous) {
        if (write) putBits(get(clCodes, current), get(clLengths, current));
        else bump(clFreq, current);
        run--;
      }
      repeat(16, run - 3, 2, write);
    } else if (run <= 10) {
      repeat(17, run - 3, 3, write);
    } else {
      repeat(18, run - 11, 7, write);
    }
    run = 0;
    previous = current;
    most = next == 0 ? 138 : current == next ? 6 : 7;
    least = next == 0 || current == next ? 3 : 4;
  }
}

function repeat(symbol: i32, count: i32, bits: i32, write: bool): void {
  if (write) {
    putBits(get(clCodes, symbol), get(clLengths, symbol));
    putBits(count, bits);
  } else {
    bump(clFreq, symbol);
  }
}

/** Writes all symbols and the end mark. `distLengths` 0 stands for the fixed five bits. */
function writeSymbols(lengths: usize, codes: usize, distLengths: usize, distCodes: usize): void {
  for (let i = 0; i < symbolCount; i++) {
    const symbol = get(symbols, i);
    const distance = (symbol >> 8) - 1;
    const low = symbol & 255;
    if (distance < 0) {
      putBits(get(codes, low), get(lengths, low));
      continue;
    }
    const code = <i32>load<u8>(lengthCodeOf + <usize>low);
    putBits(get(codes, code + 257), get(lengths, code + 257));
    putBits(low - get(lengthBase, code), <u32>load<u8>(lengthExtra + <usize>code));
    const dCode = distanceCode(distance);
    putBits(get(distCodes, dCode), distLengths == 0 ? 5 : get(distLengths, dCode));
    putBits(distance - get(distanceBase, dCode), <u32>load<u8>(distanceExtra + <usize>dCode));
  }
  putBits(get(codes, END_OF_BLOCK), get(lengths, END_OF_BLOCK));
}
