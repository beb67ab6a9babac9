// Indexed picture to RGB, sixteen pixels at a time where they are alike.
import { forgetPictures } from './digest';
import { PALETTE, PICTURE_WIDTH, RGB, RGB_RUNS } from './layout';
import { machine, tia } from './state';

/** Fills RGB_RUNS from PALETTE; the host calls it after it has written a palette. */
export function prepareRuns(): void {
  forgetPictures();
  for (let value = 0; value < 256; value++) {
    for (let pixel = 0; pixel < 16; pixel++) {
      const to = RGB_RUNS + value * 48 + pixel * 3;
      store<u16>(to, load<u16>(PALETTE + value * 4));
      store<u8>(to + 2, load<u8>(PALETTE + value * 4 + 2));
    }
  }
}

/** Converts the current picture to RGB bytes at RGB: height x 160 x 3. */
export function toRgb(): void {
  let from = tia.picture;
  const end = from + machine.height * PICTURE_WIDTH;
  let to = RGB;
  for (; from < end; from += 16, to += 48) {
    const block = v128.load(from);
    const first = load<u8>(from);
    if (i8x16.all_true(i8x16.eq(block, i8x16.splat(<i8>first)))) {
      const run = RGB_RUNS + <i32>first * 48;
      v128.store(to, v128.load(run));
      v128.store(to + 16, v128.load(run + 16));
      v128.store(to + 32, v128.load(run + 32));
    } else {
      // Each store spills a byte into the next pixel, which the next store puts right.
      for (let i = 0; i < 16; i++) store<u32>(to + i * 3, load<u32>(PALETTE + <i32>load<u8>(from + i) * 4));
    }
  }
}
