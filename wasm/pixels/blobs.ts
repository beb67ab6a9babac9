// 4-connected components of a bit mask, by runs and union-find, in memory proportional to one row.
// A component that does not reach the row at hand is finished: it is counted, kept if it is large, and its label is
// used again. Labels are renumbered after each row, so they stay few and in the cache.

/** A component: area, x0, x1, y0, first pixel's x and y (which is y0), all i32; y1 is the row it ended at. */
const STAT: usize = 20;
const AREA: usize = 0;
const X0: usize = 4;
const X1: usize = 8;
const Y0: usize = 12;
const FIRST_X: usize = 16;

/** A kept component: area, x0, y0, x1, y1 (half-open), first pixel's x; its y is y0. */
const KEPT: usize = 24;

let keptTotal: i32 = 0;
let componentsTotal: i32 = 0;
let list: usize = 0;
let listed: i32 = 0;
let limit: i32 = 0;

/** Components of at least the least area, listed or not. */
export function blobsCounted(): i32 {
  return keptTotal;
}
/** Components of any size. */
export function blobsTotal(): i32 {
  return componentsTotal;
}
/** How many of the counted ones are in the list. */
export function blobsListed(): i32 {
  return listed;
}

/** Bytes of scratch that `labelBlobs` needs for a width. */
export function blobScratch(width: i32): usize {
  const runs = usize(width) / 2 + 2;
  return runs * 24 + runs * 2 * (4 + 4 + STAT) + runs * STAT + 64;
}

/** Keeps the largest `limit`, larger first, of equal ones the first in scan order. */
function finish(stat: usize, y1: i32, least: i32): void {
  componentsTotal++;
  const area = load<i32>(stat, AREA);
  if (area < least) return;
  keptTotal++;
  const y0 = load<i32>(stat, Y0);
  const x = load<i32>(stat, FIRST_X);
  let place = listed;
  while (place > 0) {
    const other = list + usize(place - 1) * KEPT;
    const otherArea = load<i32>(other);
    if (otherArea > area) break;
    const otherY = load<i32>(other, 8);
    if (otherArea == area && (otherY < y0 || (otherY == y0 && load<i32>(other, 20) < x))) break;
    place--;
  }
  if (place == limit) return;
  if (listed < limit) listed++;
  const at = list + usize(place) * KEPT;
  memory.copy(at + KEPT, at, usize(listed - 1 - place) * KEPT);
  store<i32>(at, area);
  store<i32>(at, load<i32>(stat, X0), 4);
  store<i32>(at, y0, 8);
  store<i32>(at, load<i32>(stat, X1), 12);
  store<i32>(at, y1, 16);
  store<i32>(at, x, 20);
}

// @ts-ignore: decorator
@inline function root(parents: usize, label: u32): u32 {
  let up = load<u32>(parents + (label << 2));
  while (up != label) {
    label = up;
    up = load<u32>(parents + (label << 2));
  }
  return label;
}

/**
 * Labels the mask whose bits lie at `words` (rows of whole 64-bit words). `out` takes up to `most` + 1 kept
 * components; `scratch` has `blobScratch(width)` bytes.
 */
export function labelBlobs(words: usize, width: i32, height: i32, least: i32, out: usize, most: i32, scratch: usize): void {
  keptTotal = 0;
  componentsTotal = 0;
  listed = 0;
  limit = most;
  list = out;
  const room = usize(width) / 2 + 2;
  // Runs of the row above and of this one: start, end, label.
  let above = scratch;
  let here = above + room * 12;
  const parents = here + room * 12;
  const renamed = parents + room * 8;
  let stats = renamed + room * 8;
  const spare = stats + room * 2 * STAT;
  const stride = (usize(width) + 63) >> 6;
  let aboveEnd = above;
  let active: u32 = 0;
  for (let y = 0; y < height; y++) {
    // 1. This row's runs, joined with the runs above that touch them.
    let next = active;
    let run = here;
    let over = above;
    let open = false;
    let start: u32 = 0;
    for (let w: usize = 0; w <= stride; w++) {
      let word: u64 = w < stride ? load<u64>(words + (w << 3)) : 0;
      const base = u32(w << 6);
      // A bit of `change` is a place where a run starts or ends.
      let change = word ^ ((word << 1) | u64(open));
      open = (word >> 63) != 0;
      while (change) {
        const at = base + u32(ctz(change));
        change &= change - 1;
        if ((word >> (at & 63)) & 1) {
          start = at;
          continue;
        }
        // The run [start, at).
        const end = at;
        while (over < aboveEnd && load<u32>(over, 4) <= start) over += 12;
        let label: u32 = 0;
        let joined = false;
        let touching = over;
        while (touching < aboveEnd && load<u32>(touching) < end) {
          const other = root(parents, load<u32>(touching, 8));
          if (!joined) {
            label = other;
            joined = true;
          } else if (other != label) {
            const into = min(other, label);
            const from = max(other, label);
            store<u32>(parents + (from << 2), into);
            merge(stats + usize(into) * STAT, stats + usize(from) * STAT);
            label = into;
          }
          touching += 12;
        }
        const size = end - start;
        if (joined) {
          const stat = stats + usize(label) * STAT;
          store<i32>(stat, load<i32>(stat, AREA) + i32(size), AREA);
          if (i32(start) < load<i32>(stat, X0)) store<i32>(stat, start, X0);
          if (i32(end) > load<i32>(stat, X1)) store<i32>(stat, end, X1);
          // The run above may reach over the next run too.
          if (touching > over) over = touching - 12;
        } else {
          label = next++;
          store<u32>(parents + (label << 2), label);
          const stat = stats + usize(label) * STAT;
          store<i32>(stat, size, AREA);
          store<i32>(stat, start, X0);
          store<i32>(stat, end, X1);
          store<i32>(stat, y, Y0);
          store<i32>(stat, start, FIRST_X);
        }
        store<u32>(run, start);
        store<u32>(run, end, 4);
        store<u32>(run, label, 8);
        run += 12;
      }
    }
    // 2. Labels that this row holds are renumbered from 0; the other roots are finished.
    memory.fill(renamed, 255, usize(next) << 2);
    let fresh: u32 = 0;
    for (let p = here; p < run; p += 12) {
      const label = root(parents, load<u32>(p, 8));
      let name = load<u32>(renamed + (label << 2));
      if (name == 0xffffffff) {
        name = fresh++;
        store<u32>(renamed + (label << 2), name);
        memory.copy(spare + usize(name) * STAT, stats + usize(label) * STAT, STAT);
      }
      store<u32>(p, name, 8);
    }
    for (let label: u32 = 0; label < next; label++) {
      if (load<u32>(parents + (label << 2)) == label && load<u32>(renamed + (label << 2)) == 0xffffffff) {
        finish(stats + usize(label) * STAT, y, least);
      }
    }
    memory.copy(stats, spare, usize(fresh) * STAT);
    for (let label: u32 = 0; label < fresh; label++) store<u32>(parents + (label << 2), label);
    active = fresh;
    const t = above;
    above = here;
    aboveEnd = run;
    here = t;
    words += stride << 3;
  }
  for (let label: u32 = 0; label < active; label++) finish(stats + usize(label) * STAT, height, least);
}

function merge(into: usize, from: usize): void {
  store<i32>(into, load<i32>(into, AREA) + load<i32>(from, AREA), AREA);
  store<i32>(into, min(load<i32>(into, X0), load<i32>(from, X0)), X0);
  store<i32>(into, max(load<i32>(into, X1), load<i32>(from, X1)), X1);
  const y = load<i32>(into, Y0);
  const other = load<i32>(from, Y0);
  const x = load<i32>(into, FIRST_X);
  const otherX = load<i32>(from, FIRST_X);
  if (other < y || (other == y && otherX < x)) {
    store<i32>(into, other, Y0);
    store<i32>(into, otherX, FIRST_X);
  }
}
