// A lossy WebP picture: one key frame of VP8 (RFC 6386), as libwebp reads it. All macroblocks are rebuilt first, since
// prediction sees samples that the loop filter has not touched; then all are filtered, then brought to RGB.
import { bit, DECODER_BYTES, keep, ranDry, take } from './vp8-bits';
import { planesToRgb } from './vp8-colour';
import { filterBlock } from './vp8-filter';
import {
  beginPartitions,
  filtered,
  partitionMask,
  partitions,
  readFrame,
  segmentMap,
  segmentOdds,
  simpleFilter,
  skipOdds,
  skipping,
} from './vp8-frame';
import { addOne, addPair, predictSub, predictWhole } from './vp8-predict';
import { COEFFICIENTS_BYTES, coefficients, filled, noResiduals, residuals } from './vp8-residual';
import { SUBMODES } from './vp8-tables';

const FIRST: usize = memory.data(32, 16);
const left: usize = memory.data(16, 16);
const leftModes: usize = memory.data(4, 4);
const modes: usize = memory.data(16, 16);
const rightOfBlock: usize = memory.data(4, 4);

// Per macroblock of the row above: 9 bytes of what had coefficients (in 12), then 4 modes.
const ABOVE: usize = 16;
const ABOVE_MODES: usize = 12;

/** The tree of 4 x 4 modes; a leaf is negative. */
const TREE: usize = memory.data<i8>([0, 1, -1, 2, -2, 3, 4, 6, -3, 5, -4, -5, -6, 7, -7, 8, -8, -9]);

// Rows begin 16 bytes after the border's left column would be aligned, and end with room for a block of noise.
const MARGIN: usize = 32;

@inline function planeStride(samples: i32): usize {
  return usize(samples) + MARGIN;
}

/** Bytes of work that `vp8Decode` needs. */
export function vp8Work(width: i32, height: i32): f64 {
  const across = (width + 15) >> 4;
  const down = (height + 15) >> 4;
  const y = f64(planeStride(across * 16)) * f64(down * 16 + 1);
  const c = f64(planeStride(across * 8)) * f64(down * 8 + 1);
  return y + 2 * c + f64(across) * f64(ABOVE) + f64(across) * f64(down) + 2 * f64(width + 128) + 256;
}

let segment = 0;
let skipped = false;
let split = false;
let mode = 0;
let chroma = 0;

/** The modes of one macroblock, from the first partition (RFC 6386, 10 and 11). */
function readModes(above: usize): void {
  segment = 0;
  if (segmentMap) {
    const high = bit(load<u8>(segmentOdds));
    segment = i32(high == 0 ? bit(load<u8>(segmentOdds, 1)) : 2 + bit(load<u8>(segmentOdds, 2)));
  }
  skipped = skipping && bit(skipOdds) != 0;
  split = bit(145) == 0;
  const top = above + ABOVE_MODES;
  if (!split) {
    if (bit(156) != 0) mode = bit(128) != 0 ? 1 : 3;
    else mode = bit(163) != 0 ? 2 : 0;
    store<u32>(top, u32(mode) * 0x01010101);
    store<u32>(leftModes, u32(mode) * 0x01010101);
  } else {
    for (let y: usize = 0; y < 4; y++) {
      let side = usize(load<u8>(leftModes + y));
      for (let x: usize = 0; x < 4; x++) {
        const odds = SUBMODES + usize(load<u8>(top + x)) * 90 + side * 9;
        let node = i32(load<i8>(TREE + usize(bit(load<u8>(odds)))));
        while (node > 0) node = i32(load<i8>(TREE + usize(2 * node) + usize(bit(load<u8>(odds + usize(node))))));
        side = usize(-node);
        store<u8>(top + x, u8(side));
        store<u8>(modes + y * 4 + x, u8(side));
      }
      store<u8>(leftModes + y, u8(side));
    }
  }
  if (bit(142) == 0) chroma = 0;
  else if (bit(114) == 0) chroma = 2;
  else chroma = bit(183) != 0 ? 1 : 3;
}

function rebuildLuma(y: usize, stride: usize, hasAbove: bool, hasLeft: bool, isLast: bool): void {
  const bits = filled;
  if (!split) {
    predictWhole(y, stride, 16, mode, hasAbove, hasLeft);
    for (let block: usize = 0; block < 16; block += 2) {
      if (((bits >> u32(block)) & 3) != 0) addPair(block, y + (block >> 2) * 4 * stride + (block & 3) * 4, stride);
    }
    return;
  }
  // The blocks of the last column all see the row above the macroblock at their upper right.
  const above = y - stride;
  if (isLast && hasAbove) store<u32>(rightOfBlock, u32(load<u8>(above, 15)) * 0x01010101);
  else store<u32>(rightOfBlock, load<u32>(above, 16));
  for (let block: usize = 0; block < 16; block++) {
    const at = y + (block >> 2) * 4 * stride + (block & 3) * 4;
    predictSub(at, stride, load<u8>(modes + block), (block & 3) == 3 ? rightOfBlock : at - stride + 4);
    if (((bits >> u32(block)) & 1) != 0) addOne(block, at, stride);
  }
}

function rebuildChroma(at: usize, stride: usize, first: usize, hasAbove: bool, hasLeft: bool): void {
  predictWhole(at, stride, 8, chroma, hasAbove, hasLeft);
  const bits = filled >> u32(first);
  if ((bits & 3) != 0) addPair(first, at, stride);
  if ((bits & 12) != 0) addPair(first + 2, at + stride * 4, stride);
}

/** Row above: 127; left column: 129, its corner 127. */
function border(plane: usize, stride: usize, rows: i32): void {
  const at = plane - stride - 16;
  memory.fill(at, 127, stride);
  for (let y = 0; y < rows; y++) store<u8>(plane + usize(y) * stride - 1, 129);
}

/**
 * Decodes the frame from..end, which is `width` x `height`, to RGB. `work` has `vp8Work` bytes, `out` 64 more than the
 * picture. False when the frame is damaged or breaks off.
 */
export function vp8Decode(from: usize, end: usize, width: i32, height: i32, work: usize, out: usize): bool {
  if (!readFrame(from, end, width, height)) return false;
  keep(FIRST);
  beginPartitions();
  const across = (width + 15) >> 4;
  const down = (height + 15) >> 4;
  const stride = planeStride(across * 16);
  const chromaStride = planeStride(across * 8);
  const y = work + stride + 16;
  const u = work + stride * usize(down * 16 + 1) + chromaStride + 16;
  const v = u + chromaStride * usize(down * 8 + 1);
  const above = v + chromaStride * usize(down * 8) + 16;
  const strength = above + usize(across) * ABOVE;
  const rows = strength + usize(across * down);
  memory.fill(above, 0, usize(across) * ABOVE);
  memory.fill(coefficients, 0, COEFFICIENTS_BYTES);
  border(y, stride, down * 16);
  border(u, chromaStride, down * 8);
  border(v, chromaStride, down * 8);
  for (let my = 0; my < down; my++) {
    memory.fill(left, 0, 16);
    store<u32>(leftModes, 0);
    const partition = partitions + usize(my & partitionMask) * DECODER_BYTES;
    for (let mx = 0; mx < across; mx++) {
      take(FIRST);
      const top = above + usize(mx) * ABOVE;
      readModes(top);
      if (ranDry()) return false;
      keep(FIRST);
      if (skipped) noResiduals(split, top, left);
      else {
        take(partition);
        residuals(split, segment, top, left);
        if (ranDry()) return false;
        keep(partition);
      }
      const inside = split || filled != 0;
      store<u8>(strength + usize(my * across + mx), u8(segment * 2 + i32(split)) | (inside ? 8 : 0));
      rebuildLuma(y + usize(my * 16) * stride + usize(mx * 16), stride, my > 0, mx > 0, mx == across - 1);
      const c = usize(my * 8) * chromaStride + usize(mx * 8);
      rebuildChroma(u + c, chromaStride, 16, my > 0, mx > 0);
      rebuildChroma(v + c, chromaStride, 20, my > 0, mx > 0);
    }
  }
  if (filtered) {
    for (let my = 0; my < down; my++)
      for (let mx = 0; mx < across; mx++) {
        const kind = i32(load<u8>(strength + usize(my * across + mx)));
        const c = usize(my * 8) * chromaStride + usize(mx * 8);
        filterBlock(
          y + usize(my * 16) * stride + usize(mx * 16),
          u + c,
          v + c,
          stride,
          chromaStride,
          kind & 7,
          (kind & 8) != 0,
          simpleFilter,
          mx > 0,
          my > 0,
        );
      }
  }
  planesToRgb(y, u, v, stride, chromaStride, width, height, rows, out);
  return true;
}
