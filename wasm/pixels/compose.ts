// Drawing on RGB images, 8 bits a channel, rows without padding. Coordinates are inside the image: the caller checks.

/** Fills columns x0..x1 and rows y0..y1, all inclusive, with 0xRRGGBB. */
export function fillRect(image: usize, width: i32, x0: i32, y0: i32, x1: i32, y1: i32, colour: i32): void {
  const r = <u8>(colour >> 16);
  const g = <u8>(colour >> 8);
  const b = <u8>colour;
  const stride = <usize>width * 3;
  const bytes = <usize>(x1 - x0 + 1) * 3;
  const first = image + <usize>y0 * stride + <usize>x0 * 3;
  for (let i: usize = 0; i < bytes; i += 3) {
    store<u8>(first + i, r);
    store<u8>(first + i, g, 1);
    store<u8>(first + i, b, 2);
  }
  let row = first;
  for (let y = y0; y < y1; y++) {
    row += stride;
    memory.copy(row, first, bytes);
  }
}

/** Copies a w x h rectangle inside one image. The two places must not overlap. */
export function copyRect(image: usize, width: i32, fromX: i32, fromY: i32, toX: i32, toY: i32, w: i32, h: i32): void {
  const stride = <usize>width * 3;
  let from = image + <usize>fromY * stride + <usize>fromX * 3;
  let to = image + <usize>toY * stride + <usize>toX * 3;
  for (let y = 0; y < h; y++) {
    memory.copy(to, from, <usize>w * 3);
    from += stride;
    to += stride;
  }
}

export function copyPixels(to: usize, from: usize, bytes: i32): void {
  memory.copy(to, from, bytes);
}

/**
 * Places a sprite of w x h palette indexes with its top left at (x, y). Index 0 leaves the pixel; index k takes the
 * k-th entry of `palette`, a list of u32 0xRRGGBB whose entry 0 is unused.
 */
export function blitPalette(image: usize, width: i32, sprite: usize, w: i32, h: i32, x: i32, y: i32, palette: usize): void {
  for (let j = 0; j < h; j++) {
    let to = image + (<usize>(y + j) * <usize>width + <usize>x) * 3;
    for (let i = 0; i < w; i++) {
      const index = <usize>load<u8>(sprite);
      if (index != 0) {
        const colour = load<u32>(palette + index * 4);
        store<u8>(to, <u8>(colour >> 16));
        store<u8>(to, <u8>(colour >> 8), 1);
        store<u8>(to, <u8>colour, 2);
      }
      sprite++;
      to += 3;
    }
  }
}

/** Blends 0xRRGGBB through a w x h coverage mask: t = fg*a + bg*(255-a) + 128; out = ((t >> 8) + t) >> 8. */
export function blendMask(image: usize, width: i32, mask: usize, w: i32, h: i32, x: i32, y: i32, colour: i32): void {
  const r = (colour >> 16) & 255;
  const g = (colour >> 8) & 255;
  const b = colour & 255;
  for (let j = 0; j < h; j++) {
    let to = image + (<usize>(y + j) * <usize>width + <usize>x) * 3;
    for (let i = 0; i < w; i++) {
      const a = <i32>load<u8>(mask);
      if (a != 0) {
        store<u8>(to, blend(r, load<u8>(to), a));
        store<u8>(to, blend(g, load<u8>(to, 1), a), 1);
        store<u8>(to, blend(b, load<u8>(to, 2), a), 2);
      }
      mask++;
      to += 3;
    }
  }
}

@inline
function blend(fg: i32, bg: i32, a: i32): u8 {
  const t = fg * a + bg * (255 - a) + 128;
  return <u8>(((t >> 8) + t) >> 8);
}
