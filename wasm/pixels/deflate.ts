// String matching for DEFLATE with the choices of classic zlib at level 6, window 2^15, memLevel 9, strategy "filtered":
// hash chains over three bytes, lazy evaluation, matches of five bytes or fewer never taken. Positions are absolute in
// the input, which is whole in memory; zlib's sliding window shows only in which blocks it could still store.
import { addLiteral, addMatch, closeBlock, openBlock } from './block';
import { openBits, bitsLength } from './bits';

const WINDOW = 32768;
const WINDOW_MASK = WINDOW - 1;
const MIN_MATCH = 3;
const MAX_MATCH = 258;
const MIN_LOOKAHEAD = MAX_MATCH + MIN_MATCH + 1;
const MAX_DISTANCE = WINDOW - MIN_LOOKAHEAD;
// Level 6: quarter the effort past a match of 8, no lazy search past 16, stop at 128, at most 128 candidates.
const GOOD_LENGTH = 8;
const LAZY_LIMIT = 16;
const NICE_LENGTH = 128;
const MAX_CHAIN = 128;
const SHORT_MATCH = 5;

/** Latest position of each hash value; 0 is "none", so the first byte of the input is never matched. */
const head: usize = memory.data(65536 * 4, 16);
/** For each position in the window, how far back the one before it with the same hash is; 0 ends the chain. */
const back: usize = memory.data((WINDOW + 8) * 2, 16);

let source: usize = 0;
let total = 0;
let matchStart = 0;

@inline
function hashAt(position: i32): u32 {
  const three = load<u32>(source + <usize>position);
  return (((three & 255) << 12) ^ (((three >> 8) & 255) << 6) ^ ((three >> 16) & 255)) & 0xffff;
}

/** Enters a position into its chain and gives the head before it. */
@inline
function enter(position: i32): i32 {
  const slot = head + (<usize>hashAt(position) << 2);
  const before = load<i32>(slot);
  const distance = position - before;
  store<u16>(back + (<usize>(position & WINDOW_MASK) << 1), <u16>(before == 0 || distance > MAX_DISTANCE ? 0 : distance));
  store<i32>(slot, position);
  return before;
}

/**
 * Enters positions from..to, the one before `from` being entered already. `run` says that all the bytes from
 * `from - 1` to `to + 2` are equal: then each follows the one before at distance 1, which fills in bulk.
 */
function enterRun(from: i32, to: i32): void {
  const ones = i16x8.splat(1);
  let position = from;
  while (position + 7 <= to) {
    const slot = position & WINDOW_MASK;
    if (slot <= WINDOW - 8) {
      v128.store(back + (<usize>slot << 1), ones);
      position += 8;
    } else {
      store<u16>(back + (<usize>slot << 1), 1);
      position++;
    }
  }
  for (; position <= to; position++) store<u16>(back + (<usize>(position & WINDOW_MASK) << 1), 1);
  store<i32>(head + (<usize>hashAt(to) << 2), to);
}

/** How many of 258 bytes are equal. */
@inline
function equalBytes(a: usize, b: usize): i32 {
  for (let i = 0; i < 256; i += 16) {
    const same = i8x16.bitmask(i8x16.eq(v128.load(a + <usize>i), v128.load(b + <usize>i)));
    if (same != 0xffff) return i + ctz(~same);
  }
  if (load<u8>(a, 256) != load<u8>(b, 256)) return 256;
  return load<u8>(a, 257) != load<u8>(b, 257) ? 257 : 258;
}

/** Longest match at `position` better than `bestLength`, walking back from `candidate`. Leaves `matchStart`. */
function longestMatch(position: i32, candidate: i32, bestLength: i32): i32 {
  const lookahead = total - position;
  const scan = source + <usize>position;
  const limit = position > MAX_DISTANCE ? position - MAX_DISTANCE : 0;
  const nice = NICE_LENGTH > lookahead ? lookahead : NICE_LENGTH;
  const first = load<u16>(scan);
  let chain = bestLength >= GOOD_LENGTH ? MAX_CHAIN >> 2 : MAX_CHAIN;
  let end = load<u16>(scan + <usize>bestLength - 1);
  do {
    const match = source + <usize>candidate;
    if (load<u16>(match + <usize>bestLength - 1) == end && load<u16>(match) == first) {
      const length = equalBytes(scan, match);
      if (length > bestLength) {
        matchStart = candidate;
        bestLength = length;
        if (length >= nice) break;
        end = load<u16>(scan + <usize>bestLength - 1);
      }
    }
    // Inside a run every candidate is one byte before the last. Eight at a time are passed over where none of them has
    // the two bytes that a longer match must end in.
    while (chain > 8 && candidate - 8 > limit) {
      const slot = candidate & WINDOW_MASK;
      if (slot < 7) break;
      if (!i16x8.all_true(i16x8.eq(v128.load(back + (<usize>(slot - 7) << 1)), i16x8.splat(1)))) break;
      const at = source + <usize>(candidate - 8 + bestLength - 1);
      const hits = v128.and(
        i8x16.eq(v128.load(at), i8x16.splat(<i8>end)),
        i8x16.eq(v128.load(at, 1), i8x16.splat(<i8>(end >> 8))),
      );
      if ((i8x16.bitmask(hits) & 0xff) != 0) break;
      candidate -= 8;
      chain -= 8;
    }
    const step = <i32>load<u16>(back + (<usize>(candidate & WINDOW_MASK) << 1));
    if (step == 0) break;
    candidate -= step;
  } while (candidate > limit && --chain != 0);
  return bestLength <= lookahead ? bestLength : lookahead;
}

/**
 * Raw DEFLATE of `length` bytes at `from` to `to`; 512 readable bytes must follow the input. Returns the bytes written.
 */
export function deflate(from: usize, length: i32, to: usize): i32 {
  source = from;
  total = length;
  matchStart = 0;
  memory.fill(head, 0, 65536 * 4);
  openBits(to);
  openBlock();

  let position = 0;
  let blockStart = 0;
  let matchLength = MIN_MATCH - 1;
  let pending = false;
  // Where zlib's window of 2 x 32768 bytes begins and up to where it has read.
  let windowStart = 0;
  let read = min(2 * WINDOW, length);

  while (true) {
    if (read - position < MIN_LOOKAHEAD) {
      do {
        if (position - windowStart >= WINDOW + MAX_DISTANCE) windowStart += WINDOW;
        if (read == length) break;
        read = min(windowStart + 2 * WINDOW, length);
      } while (read - position < MIN_LOOKAHEAD);
      if (position == length) break;
    }
    const newest = length - position >= MIN_MATCH ? enter(position) : 0;
    const previousLength = matchLength;
    const previousStart = matchStart;
    matchLength = MIN_MATCH - 1;
    if (newest != 0 && previousLength < LAZY_LIMIT && position - newest <= MAX_DISTANCE) {
      matchLength = longestMatch(position, newest, previousLength);
      if (matchLength <= SHORT_MATCH) matchLength = MIN_MATCH - 1;
    }
    if (previousLength >= MIN_MATCH && matchLength <= previousLength) {
      const start = position - 1;
      const distance = start - previousStart;
      const end = start + previousLength;
      const full = addMatch(previousLength, distance);
      const lastEntry = min(end - 1, length - MIN_MATCH);
      let next = position + 1;
      if (distance == 1) {
        const runEnd = min(end - MIN_MATCH, lastEntry);
        if (runEnd > next) {
          enterRun(next, runEnd);
          next = runEnd + 1;
        }
      }
      for (; next <= lastEntry; next++) enter(next);
      position = end;
      pending = false;
      matchLength = MIN_MATCH - 1;
      if (full) {
        closeBlock(source + <usize>blockStart, position - blockStart, blockStart >= windowStart, false);
        blockStart = position;
      }
    } else if (pending) {
      if (addLiteral(<i32>load<u8>(source + <usize>(position - 1)))) {
        closeBlock(source + <usize>blockStart, position - blockStart, blockStart >= windowStart, false);
        blockStart = position;
      }
      position++;
    } else {
      pending = true;
      position++;
    }
  }
  if (pending) addLiteral(<i32>load<u8>(source + <usize>(position - 1)));
  closeBlock(source + <usize>blockStart, position - blockStart, blockStart >= windowStart, true);
  return bitsLength();
}
