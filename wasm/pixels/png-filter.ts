// PNG row filters for RGB, 8 bits. For each row the cheapest of None, Up, Sub and Paeth by the sum of absolute signed
// residuals, tried in that order, a later one only if strictly cheaper and only while the best is above zero. Average is
// never tried. This is Pillow's choice (its ZipEncode), which the published digests depend on.

const NONE: u8 = 0;
const SUB: u8 = 1;
const UP: u8 = 2;
const PAETH: u8 = 4;

/** Longest row in bytes. */
export const MAX_STRIDE = 3 * 16384;
/** Zero bytes before a row, so that "the pixel to the left" can be read at its start. */
const LEAD: usize = 16;
const rowBytes = MAX_STRIDE + 64;
const current: usize = memory.data(rowBytes, 16);
const above: usize = memory.data(rowBytes, 16);
const residual: usize = memory.data(rowBytes, 16);
const best: usize = memory.data(rowBytes, 16);

/** Filters `height` rows of `stride` bytes at `image` to `out`, each with its filter byte in front. */
export function filterRows(image: usize, stride: i32, height: i32, out: usize): void {
  const n = <usize>stride;
  for (let y = 0; y < height; y++) {
    const row = image + <usize>y * n;
    const previous = y == 0 ? 0 : row - n;
    filterRow(row, previous, n, out);
    out += n + 1;
  }
}

function filterRow(row: usize, previous: usize, n: usize, out: usize): void {
  if (allZero(row, n)) {
    store<u8>(out, NONE);
    memory.fill(out + 1, 0, n);
    return;
  }
  if (previous != 0 && equal(row, previous, n)) {
    store<u8>(out, UP);
    memory.fill(out + 1, 0, n);
    return;
  }
  memory.copy(current + LEAD, row, n);
  memory.fill(current + LEAD + n, 0, 32);
  if (previous == 0) memory.fill(above + LEAD, 0, n + 32);
  else {
    memory.copy(above + LEAD, previous, n);
    memory.fill(above + LEAD + n, 0, 32);
  }
  let filter = NONE;
  let from = current + LEAD;
  let cost = sum(from, n);
  up(n);
  let next = sum(residual, n);
  if (next < cost) {
    cost = next;
    filter = UP;
    memory.copy(best, residual, n);
    from = best;
  }
  sub(n);
  next = sum(residual, n);
  if (next < cost) {
    cost = next;
    filter = SUB;
    memory.copy(best, residual, n);
    from = best;
  }
  paeth(n);
  next = sum(residual, n);
  if (next < cost) {
    filter = PAETH;
    from = residual;
  }
  store<u8>(out, filter);
  memory.copy(out + 1, from, n);
}

function allZero(row: usize, n: usize): bool {
  let i: usize = 0;
  for (; i + 16 <= n; i += 16) if (v128.any_true(v128.load(row + i))) return false;
  for (; i < n; i++) if (load<u8>(row + i) != 0) return false;
  return true;
}

export function equal(a: usize, b: usize, n: usize): bool {
  let i: usize = 0;
  for (; i + 16 <= n; i += 16) {
    if (v128.any_true(v128.xor(v128.load(a + i), v128.load(b + i)))) return false;
  }
  for (; i < n; i++) if (load<u8>(a + i) != load<u8>(b + i)) return false;
  return true;
}

/** Sum of |v| over n bytes taken as signed, -128 counting 128. */
function sum(at: usize, n: usize): u32 {
  let lanes = i32x4.splat(0);
  let i: usize = 0;
  for (; i + 16 <= n; i += 16) {
    lanes = i32x4.add(
      lanes,
      i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(i8x16.abs(v128.load(at + i)))),
    );
  }
  let total =
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3);
  for (; i < n; i++) {
    const v = <i32>load<i8>(at + i);
    total += v < 0 ? -v : v;
  }
  return total;
}

function up(n: usize): void {
  for (let i: usize = 0; i < n; i += 16) {
    v128.store(residual + i, i8x16.sub(v128.load(current + LEAD + i), v128.load(above + LEAD + i)));
  }
}

function sub(n: usize): void {
  for (let i: usize = 0; i < n; i += 16) {
    v128.store(residual + i, i8x16.sub(v128.load(current + LEAD + i), v128.load(current + LEAD + i - 3)));
  }
}

function paeth(n: usize): void {
  for (let i: usize = 0; i < n; i += 16) {
    const x = v128.load(current + LEAD + i);
    const a = v128.load(current + LEAD + i - 3);
    const b = v128.load(above + LEAD + i);
    const c = v128.load(above + LEAD + i - 3);
    // Where this pixel and its left neighbour equal the ones above, the predictor is the pixel above: nothing is left.
    if (!v128.any_true(v128.or(v128.xor(x, b), v128.xor(a, c)))) {
      v128.store(residual + i, i8x16.splat(0));
      continue;
    }
    const low = predict(
      i16x8.extend_low_i8x16_u(a), i16x8.extend_low_i8x16_u(b), i16x8.extend_low_i8x16_u(c),
    );
    const high = predict(
      i16x8.extend_high_i8x16_u(a), i16x8.extend_high_i8x16_u(b), i16x8.extend_high_i8x16_u(c),
    );
    v128.store(residual + i, i8x16.sub(x, i8x16.narrow_i16x8_u(low, high)));
  }
}

/** The nearest of left, above and upper left to left + above - upper left; ties in that order (PNG, 9.4). */
@inline
function predict(a: v128, b: v128, c: v128): v128 {
  const bc = i16x8.sub(b, c);
  const ac = i16x8.sub(a, c);
  const pa = i16x8.abs(bc);
  const pb = i16x8.abs(ac);
  const pc = i16x8.abs(i16x8.add(bc, ac));
  const takeB = i16x8.le_s(pb, pc);
  const bOrC = v128.bitselect(b, c, takeB);
  const takeA = v128.and(i16x8.le_s(pa, pb), i16x8.le_s(pa, pc));
  return v128.bitselect(a, bOrC, takeA);
}
