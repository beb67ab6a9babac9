// PNG rows to RGB: the five filters, and every colour type with the values that Pillow's convert("RGB") gives.
// All buffers need 16 readable and writable bytes after their end.

const GREY: i32 = 0;
const RGB: i32 = 2;
const PALETTE: i32 = 3;
const GREY_ALPHA: i32 = 4;

@inline function read(pointer: usize, wide: bool): v128 {
  return wide ? v128.load64_zero(pointer) : v128.load32_zero(pointer);
}

// A store may write past the pixel: what lies there is written later, or is padding.
@inline function write(pointer: usize, value: v128, wide: bool): void {
  if (wide) v128.store64_lane(pointer, value, 0);
  else v128.store32_lane(pointer, value, 0);
}

@inline function subPixels(src: usize, dst: usize, end: usize, bpp: usize, wide: bool): void {
  let left = i64x2.splat(0);
  for (; dst < end; src += bpp, dst += bpp) {
    left = i8x16.add(left, read(src, wide));
    write(dst, left, wide);
  }
}

@inline function averagePixels(src: usize, dst: usize, prev: usize, end: usize, bpp: usize, wide: bool): void {
  let left = i64x2.splat(0);
  const one = i8x16.splat(1);
  for (; dst < end; src += bpp, dst += bpp, prev += bpp) {
    const up = read(prev, wide);
    const rounded = i8x16.avgr_u(left, up);
    const floor = i8x16.sub(rounded, v128.and(v128.xor(left, up), one));
    left = i8x16.add(floor, read(src, wide));
    write(dst, left, wide);
  }
}

@inline function paethPixels(src: usize, dst: usize, prev: usize, end: usize, bpp: usize, wide: bool): void {
  let a = i64x2.splat(0);
  let c = i64x2.splat(0);
  const byte = i16x8.splat(255);
  for (; dst < end; src += bpp, dst += bpp, prev += bpp) {
    const b = i16x8.extend_low_i8x16_u(read(prev, wide));
    const toA = i16x8.sub(b, c);
    const toB = i16x8.sub(a, c);
    const pa = i16x8.abs(toA);
    const pb = i16x8.abs(toB);
    const pc = i16x8.abs(i16x8.add(toA, toB));
    const least = i16x8.min_s(i16x8.min_s(pa, pb), pc);
    const predicted = v128.bitselect(a, v128.bitselect(b, c, i16x8.eq(least, pb)), i16x8.eq(least, pa));
    a = v128.and(i16x8.add(predicted, i16x8.extend_low_i8x16_u(read(src, wide))), byte);
    c = b;
    write(dst, i8x16.narrow_i16x8_u(a, a), wide);
  }
}

function paeth(a: i32, b: i32, c: i32): i32 {
  const pa = abs(b - c);
  const pb = abs(a - c);
  const pc = abs(a + b - 2 * c);
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** Undoes one row's filter from `src` into `dst`; `prev` is the row above (zeros for the first). */
function unfilter(filter: i32, src: usize, dst: usize, prev: usize, size: usize, bpp: usize): void {
  const end = dst + size;
  if (filter == 0) {
    memory.copy(dst, src, size);
    return;
  }
  if (filter == 2) {
    let i: usize = 0;
    for (; i + 16 <= size; i += 16) v128.store(dst + i, i8x16.add(v128.load(src + i), v128.load(prev + i)));
    for (; i < size; i++) store<u8>(dst + i, load<u8>(src + i) + load<u8>(prev + i));
    return;
  }
  if (bpp == 3) {
    if (filter == 1) subPixels(src, dst, end, 3, false);
    else if (filter == 3) averagePixels(src, dst, prev, end, 3, false);
    else paethPixels(src, dst, prev, end, 3, false);
    return;
  }
  if (bpp == 4) {
    if (filter == 1) subPixels(src, dst, end, 4, false);
    else if (filter == 3) averagePixels(src, dst, prev, end, 4, false);
    else paethPixels(src, dst, prev, end, 4, false);
    return;
  }
  if (bpp == 6 || bpp == 8) {
    if (filter == 1) subPixels(src, dst, end, bpp, true);
    else if (filter == 3) averagePixels(src, dst, prev, end, bpp, true);
    else paethPixels(src, dst, prev, end, bpp, true);
    return;
  }
  for (let i: usize = 0; i < size; i++) {
    const a: i32 = i >= bpp ? load<u8>(dst + i - bpp) : 0;
    const b: i32 = load<u8>(prev + i);
    const c: i32 = i >= bpp ? load<u8>(prev + i - bpp) : 0;
    const add = filter == 1 ? a : filter == 3 ? (a + b) >> 1 : paeth(a, b, c);
    store<u8>(dst + i, u8(load<u8>(src + i) + add));
  }
}

@inline function put(out: usize, r: u32, g: u32, b: u32): void {
  store<u16>(out, u16(r | (g << 8)));
  store<u8>(out, u8(b), 2);
}

/** One row of samples to RGB, `step` bytes between the pixels of `out`. Alpha is dropped, never composited. */
function expand(row: usize, width: usize, colour: i32, depth: u32, palette: usize, out: usize, step: usize): void {
  if (depth < 8) {
    // Grey is scaled to 0..255; a palette index is looked up. Both are in a table of three bytes an entry.
    const mask: u32 = (1 << depth) - 1;
    const each: u32 = 8 / depth;
    for (let x: usize = 0; x < width; x++, out += step) {
      const shift = (each - 1 - (u32(x) % each)) * depth;
      const sample = (u32(load<u8>(row + x / each)) >> shift) & mask;
      if (colour == GREY) {
        const v = (sample * 255) / mask;
        put(out, v, v, v);
      } else {
        const p = palette + sample * 3;
        put(out, load<u8>(p), load<u8>(p, 1), load<u8>(p, 2));
      }
    }
    return;
  }
  if (colour == PALETTE) {
    for (let x: usize = 0; x < width; x++, out += step) {
      const p = palette + usize(load<u8>(row + x)) * 3;
      put(out, load<u8>(p), load<u8>(p, 1), load<u8>(p, 2));
    }
    return;
  }
  const wide: usize = depth == 16 ? 2 : 1;
  if (colour == GREY || colour == GREY_ALPHA) {
    const stride = colour == GREY ? wide : wide * 2;
    for (let x: usize = 0; x < width; x++, out += step, row += stride) {
      let v = u32(load<u8>(row));
      // 16-bit grey without alpha saturates: Pillow clips its 16-bit mode instead of scaling it.
      if (wide == 2 && colour == GREY) v = v > 0 ? 255 : u32(load<u8>(row, 1));
      put(out, v, v, v);
    }
    return;
  }
  const stride: usize = wide * usize(colour == RGB ? 3 : 4);
  for (let x: usize = 0; x < width; x++, out += step, row += stride) {
    put(out, load<u8>(row), load<u8>(row + wide), load<u8>(row + 2 * wide));
  }
}

/**
 * One pass (a whole picture, or one of Adam7's seven): `raw` holds `height` rows of a filter byte and `size`
 * sample bytes. Pixel (x, y) of the pass goes to `out + y * rowStep + x * step`. `rows` is scratch of 2 * size + 64
 * bytes. Returns -1, or the first filter type that PNG does not define.
 */
export function pngPass(
  raw: usize, width: usize, height: usize, size: usize, bpp: usize, colour: i32, depth: u32,
  palette: usize, rows: usize, out: usize, step: usize, rowStep: usize,
): i32 {
  const direct = colour == RGB && depth == 8 && step == 3 && rowStep == size;
  let above = rows;
  let row = rows + size + 32;
  memory.fill(above, 0, size);
  for (let y: usize = 0; y < height; y++) {
    const filter: i32 = load<u8>(raw);
    if (filter > 4) return filter;
    if (direct) {
      unfilter(filter, raw + 1, out, above, size, bpp);
      above = out;
    } else {
      unfilter(filter, raw + 1, row, above, size, bpp);
      expand(row, width, colour, depth, palette, out, step);
      const t = above;
      above = row;
      row = t;
    }
    raw += size + 1;
    out += rowStep;
  }
  return -1;
}
