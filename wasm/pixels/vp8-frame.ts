// The header of a VP8 key frame (RFC 6386, 9 and 19.2).
import { begin, bit, DECODER_BYTES, flag, keep, literal, optional, ranDry, signed } from './vp8-bits';
import { AC_STEPS, DC_STEPS, TOKENS, TOKEN_UPDATES } from './vp8-tables';

/** Token probabilities of this frame. */
export const tokens: usize = memory.data(1056, 16);
/** Decoders of the up to 8 token partitions, and of the first partition when it rests. */
export const partitions: usize = memory.data(8 * 32, 16);
/** Steps by segment, as i32: luma DC and AC, second-order DC and AC, chroma DC and AC. */
export const STEPS_BYTES: usize = 24;
export const steps: usize = memory.data(4 * 24, 16);
/** Loop filter by segment and whether the block has modes of 4 x 4, as i32: limit, inner limit, threshold of variance. */
export const STRENGTH_BYTES: usize = 12;
export const strengths: usize = memory.data(8 * 12, 16);

export let partitionMask: i32 = 0;
export let segmented = false;
export let segmentMap = false;
export const segmentOdds: usize = memory.data(4, 4);
export let skipOdds: u32 = 0;
export let skipping = false;
export let simpleFilter = false;
export let filtered = false;

const quantisers: usize = memory.data(4 * 4, 16);
const levels: usize = memory.data(4 * 4, 16);
let absolute = false;
let referenceDelta = 0;
let modeDelta = 0;
let adjusted = false;

function readSegments(): void {
  memory.fill(quantisers, 0, 16);
  memory.fill(levels, 0, 16);
  memory.fill(segmentOdds, 255, 4);
  absolute = true;
  segmentMap = false;
  segmented = flag();
  if (!segmented) return;
  segmentMap = flag();
  if (flag()) {
    absolute = flag();
    for (let i: usize = 0; i < 4; i++) store<i32>(quantisers + (i << 2), optional(7));
    for (let i: usize = 0; i < 4; i++) store<i32>(levels + (i << 2), optional(6));
  }
  if (segmentMap) for (let i: usize = 0; i < 3; i++) store<u8>(segmentOdds + i, flag() ? u8(literal(8)) : 255);
}

function readFilter(): void {
  simpleFilter = flag();
  const level = literal(6);
  const sharpness = literal(3);
  referenceDelta = 0;
  modeDelta = 0;
  adjusted = flag();
  if (adjusted && flag()) {
    // Only the first of each applies to a key frame: the current frame as reference, and modes of 4 x 4.
    for (let i = 0; i < 4; i++) {
      if (!flag()) continue;
      const delta = signed(6);
      if (i == 0) referenceDelta = delta;
    }
    for (let i = 0; i < 4; i++) {
      if (!flag()) continue;
      const delta = signed(6);
      if (i == 0) modeDelta = delta;
    }
  }
  filtered = level != 0;
  for (let segment = 0; segment < 4; segment++) {
    let base = level;
    if (segmented) base = load<i32>(levels + (usize(segment) << 2)) + (absolute ? 0 : level);
    for (let split = 0; split < 2; split++) {
      let strength = base;
      if (adjusted) strength += referenceDelta + (split != 0 ? modeDelta : 0);
      strength = max(0, min(63, strength));
      let inner = strength;
      if (sharpness > 0) {
        inner >>= sharpness > 4 ? 2 : 1;
        inner = min(inner, 9 - sharpness);
      }
      inner = max(inner, 1);
      const at = strengths + usize(segment * 2 + split) * STRENGTH_BYTES;
      store<i32>(at, strength == 0 ? 0 : 2 * strength + inner);
      store<i32>(at, inner, 4);
      store<i32>(at, strength >= 40 ? 2 : strength >= 15 ? 1 : 0, 8);
    }
  }
}

/** False when the partitions do not fit the file; the last may be short, then its decoder runs dry. */
function readPartitions(from: usize, end: usize): bool {
  partitionMask = (1 << literal(2)) - 1;
  const sizes = from;
  let start = from + usize(partitionMask) * 3;
  if (start > end) return false;
  for (let i = 0; i <= partitionMask; i++) {
    let stop = end;
    if (i < partitionMask) {
      const entry = sizes + usize(i) * 3;
      const size = usize(load<u16>(entry)) | (usize(load<u8>(entry, 2)) << 16);
      if (size < end - start) stop = start + size;
    }
    store<u32>(partitions + usize(i) * DECODER_BYTES, u32(start), 16);
    store<u32>(partitions + usize(i) * DECODER_BYTES, u32(stop), 20);
    if (i == partitionMask && start >= end) return false;
    start = stop;
  }
  return true;
}

@inline function limited(index: i32, most: i32): usize {
  return usize(max(0, min(most, index)));
}

function readQuantisers(): void {
  const base = literal(7);
  const y1dc = optional(4);
  const y2dc = optional(4);
  const y2ac = optional(4);
  const uvdc = optional(4);
  const uvac = optional(4);
  for (let segment: usize = 0; segment < 4; segment++) {
    let q = base;
    if (segmented) q = load<i32>(quantisers + (segment << 2)) + (absolute ? 0 : base);
    const at = steps + segment * STEPS_BYTES;
    store<i32>(at, load<u8>(DC_STEPS + limited(q + y1dc, 127)));
    store<i32>(at, load<u16>(AC_STEPS + (limited(q, 127) << 1)), 4);
    store<i32>(at, i32(load<u8>(DC_STEPS + limited(q + y2dc, 127))) * 2, 8);
    store<i32>(at, max(8, (i32(load<u16>(AC_STEPS + (limited(q + y2ac, 127) << 1))) * 155) / 100), 12);
    store<i32>(at, load<u8>(DC_STEPS + limited(q + uvdc, 117)), 16);
    store<i32>(at, load<u16>(AC_STEPS + (limited(q + uvac, 127) << 1)), 20);
  }
}

/**
 * Reads the header of the frame at `from` and leaves the decoder at the modes. False when the frame is no visible key
 * frame of this size, or breaks off.
 */
export function readFrame(from: usize, end: usize, width: i32, height: i32): bool {
  if (end - from < 10) return false;
  const tag = u32(load<u16>(from)) | (u32(load<u8>(from, 2)) << 16);
  const visible = ((tag >> 4) & 1) == 1;
  if ((tag & 1) != 0 || ((tag >> 1) & 7) > 3 || !visible) return false;
  if (load<u8>(from, 3) != 0x9d || load<u8>(from, 4) != 0x01 || load<u8>(from, 5) != 0x2a) return false;
  if ((i32(load<u16>(from, 6)) & 0x3fff) != width || (i32(load<u16>(from, 8)) & 0x3fff) != height) return false;
  const first = from + 10;
  const size = usize(tag >> 5);
  if (size > end - first) return false;
  begin(first, first + size);
  // The colour space and the promise not to need clamping change nothing here.
  literal(2);
  readSegments();
  readFilter();
  if (!readPartitions(first + size, end)) return false;
  readQuantisers();
  flag();
  for (let i: usize = 0; i < 1056; i++)
    store<u8>(tokens + i, bit(load<u8>(TOKEN_UPDATES + i)) != 0 ? u8(literal(8)) : load<u8>(TOKENS + i));
  skipping = flag();
  skipOdds = skipping ? u32(literal(8)) : 0;
  return !ranDry();
}

/** Sets every token partition's decoder to its beginning. */
export function beginPartitions(): void {
  for (let i = 0; i <= partitionMask; i++) {
    const at = partitions + usize(i) * DECODER_BYTES;
    begin(load<u32>(at, 16), load<u32>(at, 20));
    keep(at);
  }
}
