// Pillow's luma and bicubic reduction in fixed point: horizontal pass to bytes, then vertical. The taps come from the
// caller, who computes them once in double precision.
import { equal } from './png-filter';

const PRECISION = 22;
const HALF: i32 = 1 << (PRECISION - 1);

/** Most samples an axis may have, input and output, and most taps of one output sample. */
const MAX_IN = 16384;
const MAX_OUT = 256;
const MAX_TAPS = 4096;

/** For each output sample: the first input sample, the count of taps, then the taps (i32), one list an axis. */
const firstX: usize = memory.data(MAX_OUT * 4, 16);
const countX: usize = memory.data(MAX_OUT * 4, 16);
const tapsX: usize = memory.data(MAX_TAPS * 4, 16);
const firstY: usize = memory.data(MAX_OUT * 4, 16);
const countY: usize = memory.data(MAX_OUT * 4, 16);
const tapsY: usize = memory.data(MAX_TAPS * 4, 16);
const luma: usize = memory.data(MAX_IN * 4 + 64, 16);
const narrow: usize = memory.data(MAX_OUT * MAX_IN, 16);

/** Where the caller writes: 0 firstX, 1 countX, 2 tapsX, 3 firstY, 4 countY, 5 tapsY. */
export function configureThumbnail(list: i32): usize {
  switch (list) {
    case 0: return firstX;
    case 1: return countX;
    case 2: return tapsX;
    case 3: return firstY;
    case 4: return countY;
    default: return tapsY;
  }
}

/** Reduces a width x height RGB image to outWidth x outHeight luma bytes, row-major, at `out`. */
export function thumbnail(image: usize, width: i32, height: i32, outWidth: i32, outHeight: i32, out: usize): void {
  const stride = <usize>width * 3;
  for (let y = 0; y < height; y++) {
    const row = image + <usize>y * stride;
    const to = narrow + <usize>y * <usize>outWidth;
    if (y > 0 && equal(row, row - stride, stride)) {
      memory.copy(to, to - <usize>outWidth, outWidth);
      continue;
    }
    lumaRow(row, width);
    let taps = tapsX;
    for (let x = 0; x < outWidth; x++) {
      const count = load<i32>(countX + <usize>x * 4);
      let at = luma + <usize>load<i32>(firstX + <usize>x * 4) * 4;
      let lanes = i32x4.splat(0);
      let k = 0;
      for (; k + 4 <= count; k += 4) {
        lanes = i32x4.add(lanes, i32x4.mul(v128.load(at), v128.load(taps)));
        at += 16;
        taps += 16;
      }
      let sum =
        HALF + i32x4.extract_lane(lanes, 0) + i32x4.extract_lane(lanes, 1) +
        i32x4.extract_lane(lanes, 2) + i32x4.extract_lane(lanes, 3);
      for (; k < count; k++) {
        sum += load<i32>(at) * load<i32>(taps);
        at += 4;
        taps += 4;
      }
      store<u8>(to + <usize>x, clamp(sum));
    }
  }
  let taps = tapsY;
  for (let y = 0; y < outHeight; y++) {
    const count = load<i32>(countY + <usize>y * 4);
    const first = narrow + <usize>load<i32>(firstY + <usize>y * 4) * <usize>outWidth;
    for (let x = 0; x < outWidth; x++) {
      let sum = HALF;
      let at = first + <usize>x;
      for (let k = 0; k < count; k++) {
        sum += <i32>load<u8>(at) * load<i32>(taps + <usize>k * 4);
        at += <usize>outWidth;
      }
      store<u8>(out++, clamp(sum));
    }
    taps += <usize>count * 4;
  }
}

function lumaRow(row: usize, width: i32): void {
  let to = luma;
  for (let x = 0; x < width; x++) {
    const r = <i32>load<u8>(row);
    const g = <i32>load<u8>(row, 1);
    const b = <i32>load<u8>(row, 2);
    store<i32>(to, (19595 * r + 38470 * g + 7471 * b + 32768) >> 16);
    row += 3;
    to += 4;
  }
}

@inline
function clamp(sum: i32): u8 {
  const value = sum >> PRECISION;
  return <u8>(value < 0 ? 0 : value > 255 ? 255 : value);
}
