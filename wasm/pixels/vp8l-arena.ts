// Memory of one job, from a place on: pages are added as they are needed, and all of it is free when the next job begins.

/** No picture needs that much for its codes; a file that asks for it is hostile. */
const MOST: f64 = 1536.0 * 1024.0 * 1024.0;

let next: usize = 0;
let origin: usize = 0;

export function beginArena(at: usize): void {
  origin = (at + 15) & ~15;
  next = origin;
}

/** The place of `bytes` bytes, contents undefined; 0 when there is no room. */
export function reserve(bytes: f64): usize {
  if (f64(next - origin) + bytes > MOST) return 0;
  const place = next;
  next = (next + usize(bytes) + 31) & ~15;
  const have = usize(memory.size()) << 16;
  if (next + 64 > have && memory.grow(i32((next + 64 - have + 65535) >> 16)) < 0) return 0;
  return place;
}

/** Gives back what was reserved last from `place` on. */
export function trim(place: usize): void {
  next = (place + 15) & ~15;
}
