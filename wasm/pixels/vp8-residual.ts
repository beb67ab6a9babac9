// Coefficients of one macroblock (RFC 6386, 13), multiplied by their steps.
import { STEPS_BYTES, steps, tokens } from './vp8-frame';
import { readBlock } from './vp8-bits';

/** 25 blocks of 16 coefficients, i16: 16 of luma, 4 of each chroma, the second-order block. */
export const COEFFICIENTS_BYTES: usize = 25 * 32;
export const coefficients: usize = memory.data(25 * 32, 16);
const SECOND: usize = 24 * 32;
/** Probabilities of one kind of block. */
const KIND: usize = 8 * 33;

const first4: usize = memory.data(16 * 4, 16);

/** The inverse of the transform of second order: one DC for each luma block (14.3). */
function spreadDc(): void {
  const from = coefficients + SECOND;
  for (let i: usize = 0; i < 4; i++) {
    const at = from + (i << 1);
    const a = i32(load<i16>(at)) + i32(load<i16>(at, 24));
    const b = i32(load<i16>(at, 8)) + i32(load<i16>(at, 16));
    const c = i32(load<i16>(at, 8)) - i32(load<i16>(at, 16));
    const d = i32(load<i16>(at)) - i32(load<i16>(at, 24));
    const to = first4 + (i << 2);
    store<i32>(to, a + b);
    store<i32>(to, d + c, 16);
    store<i32>(to, a - b, 32);
    store<i32>(to, d - c, 48);
  }
  for (let i: usize = 0; i < 4; i++) {
    const at = first4 + (i << 4);
    const a = load<i32>(at) + 3 + load<i32>(at, 12);
    const b = load<i32>(at, 4) + load<i32>(at, 8);
    const c = load<i32>(at, 4) - load<i32>(at, 8);
    const d = load<i32>(at) + 3 - load<i32>(at, 12);
    const to = coefficients + (i << 7);
    store<i16>(to, i16((a + b) >> 3));
    store<i16>(to, i16((d + c) >> 3), 32);
    store<i16>(to, i16((a - b) >> 3), 64);
    store<i16>(to, i16((d - c) >> 3), 96);
  }
}

/**
 * Which blocks of the last macroblock have anything to add, a bit each: 16 of luma, then 8 of chroma. What was left in
 * `coefficients` is cleared by who uses it.
 */
export let filled: u32 = 0;

/**
 * Reads a macroblock's coefficients. `above` and `left` hold 9 bytes of what their neighbours had: 4 columns (or rows)
 * of luma, 2 and 2 of chroma, and the second order.
 */
export function residuals(split: bool, segment: i32, above: usize, left: usize): void {
  const step = steps + usize(segment) * STEPS_BYTES;
  let bits: u32 = 0;
  let first: usize = 0;
  let kind: usize = 3;
  if (!split) {
    const context = u32(load<u8>(above, 8)) + u32(load<u8>(left, 8));
    memory.fill(coefficients + SECOND, 0, 32);
    const n = readBlock(tokens + KIND, context, load<i32>(step, 8), load<i32>(step, 12), 0, coefficients + SECOND);
    const any = u8(n > 0);
    store<u8>(above, any, 8);
    store<u8>(left, any, 8);
    if (n > 0) spreadDc();
    first = 1;
    kind = 0;
  }
  const ydc = load<i32>(step);
  const yac = load<i32>(step, 4);
  let out = coefficients;
  for (let y: usize = 0; y < 4; y++) {
    let l: u32 = load<u8>(left + y);
    for (let x: usize = 0; x < 4; x++, out += 32) {
      const n = readBlock(tokens + kind * KIND, l + u32(load<u8>(above + x)), ydc, yac, first, out);
      l = u32(n > i32(first));
      store<u8>(above + x, u8(l));
      if (n > 1 || load<i16>(out) != 0) bits |= 1 << u32(y * 4 + x);
    }
    store<u8>(left + y, u8(l));
  }
  const cdc = load<i32>(step, 16);
  const cac = load<i32>(step, 20);
  for (let plane: usize = 0; plane < 2; plane++) {
    const top = above + 4 + plane * 2;
    const side = left + 4 + plane * 2;
    for (let y: usize = 0; y < 2; y++) {
      let l: u32 = load<u8>(side + y);
      for (let x: usize = 0; x < 2; x++, out += 32) {
        const n = readBlock(tokens + 2 * KIND, l + u32(load<u8>(top + x)), cdc, cac, 0, out);
        l = u32(n > 0);
        store<u8>(top + x, u8(l));
        if (n > 1 || load<i16>(out) != 0) bits |= 1 << u32(16 + plane * 4 + y * 2 + x);
      }
      store<u8>(side + y, u8(l));
    }
  }
  filled = bits;
}

/** A macroblock without coefficients: nothing is left for its neighbours to see, but the second order of a split one. */
export function noResiduals(split: bool, above: usize, left: usize): void {
  memory.fill(above, 0, split ? 8 : 9);
  memory.fill(left, 0, split ? 8 : 9);
  filled = 0;
}
