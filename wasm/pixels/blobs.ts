// 4-connected components of a bit mask, by runs and union-find, in memory proportional to one row.
// A component that does not reach the row at hand is finished. When labels run out, the finished ones are counted, kept
// if they are large, and all others are renumbered from 0; so any picture does with a fixed number of labels.

/** A component: area, x0, x1, y0, y1, first pixel's x (its y is y0), all i32. Half-open. */
const STAT: usize = 24;
const AREA: usize = 0;
const X0: usize = 4;
const X1: usize = 8;
const Y0: usize = 12;
const Y1: usize = 16;
const FIRST_X: usize = 20;

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

/** Labels handed out before the finished ones are cleared away: few enough for the cache. */
const LABELS: usize = 16384;

@inline function runsOf(width: i32): usize {
  return usize(width) / 2 + 2;
}

/** Bytes of scratch that `labelBlobs` needs for a width. */
export function blobScratch(width: i32): usize {
  const runs = runsOf(width);
  const labels = LABELS + 2 * runs;
  return runs * 24 + labels * (8 + STAT) + runs * STAT + 64;
}

/** Keeps the largest `limit`, larger first, of equal ones the first in scan order. */
function finish(stat: usize, least: i32): void {
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
  store<i32>(at, load<i32>(stat, Y1), 16);
  store<i32>(at, x, 20);
}

@inline function root(parents: usize, label: u32): u32 {
  let up = load<u32>(parents + (label << 2));
  while (up != label) {
    // Path halving: every other label on the way is hung one step higher.
    const higher = load<u32>(parents + (up << 2));
    store<u32>(parents + (label << 2), higher);
    label = higher;
    up = load<u32>(parents + (label << 2));
  }
  return label;
}

/** Writes where the runs of a row start and end, and a run beyond every width after them. Returns their end. */
@inline function findRuns(words: usize, stride: usize, out: usize): usize {
  let open: u64 = 0;
  for (let w: usize = 0; w < stride; w++) {
    const word = load<u64>(words + (w << 3));
    // A bit of `change` is a place where a run starts or ends.
    let change = word ^ ((word << 1) | open);
    open = word >> 63;
    const base = u32(w << 6);
    while (change) {
      store<u32>(out, base + u32(ctz(change)));
      out += 4;
      change &= change - 1;
    }
  }
  if (open) {
    store<u32>(out, u32(stride << 6));
    out += 4;
  }
  store<u64>(out, -1);
  return out;
}

/**
 * Labels the mask whose bits lie at `words` (rows of whole 64-bit words, the rest of a row zero). `out` takes up to
 * `most` + 1 kept components; `scratch` has `blobScratch(width)` bytes.
 */
export function labelBlobs(words: usize, width: i32, height: i32, least: i32, out: usize, most: i32, scratch: usize): void {
  keptTotal = 0;
  componentsTotal = 0;
  listed = 0;
  limit = most;
  list = out;
  const runs = runsOf(width);
  // Runs of the row above and of this one: start and end, and apart from them their labels.
  let above = scratch;
  let here = above + runs * 8;
  let aboveLabels = here + runs * 8;
  let hereLabels = aboveLabels + runs * 4;
  const parents = hereLabels + runs * 4;
  const renamed = parents + (LABELS + 2 * runs) * 4;
  const stats = renamed + (LABELS + 2 * runs) * 4;
  const spare = stats + (LABELS + 2 * runs) * STAT;
  const stride = (usize(width) + 63) >> 6;
  let next: u32 = 0;
  let hereEnd = here;
  store<u64>(above, -1);
  for (let y = 0; y < height; y++) {
    hereEnd = findRuns(words, stride, here);
    words += stride << 3;
    let over = above;
    let overLabel = aboveLabels;
    let mine = hereLabels;
    for (let run = here; run < hereEnd; run += 8, mine += 4) {
      const start = load<u32>(run);
      const end = load<u32>(run, 4);
      while (load<u32>(over, 4) <= start) {
        over += 8;
        overLabel += 4;
      }
      if (load<u32>(over) >= end) {
        const label = next++;
        store<u32>(mine, label);
        store<u32>(parents + (label << 2), label);
        const stat = stats + usize(label) * STAT;
        store<i32>(stat, end - start, AREA);
        store<i32>(stat, start, X0);
        store<i32>(stat, end, X1);
        store<i32>(stat, y, Y0);
        store<i32>(stat, y + 1, Y1);
        store<i32>(stat, start, FIRST_X);
        continue;
      }
      let label = root(parents, load<u32>(overLabel));
      // The last run above that touches may touch the next run here too, so it stays at hand.
      while (load<u32>(over, 8) < end) {
        over += 8;
        overLabel += 4;
        const other = root(parents, load<u32>(overLabel));
        if (other == label) continue;
        const into = min(other, label);
        const from = max(other, label);
        store<u32>(parents + (from << 2), into);
        merge(stats + usize(into) * STAT, stats + usize(from) * STAT);
        label = into;
      }
      store<u32>(mine, label);
      const stat = stats + usize(label) * STAT;
      store<i32>(stat, load<i32>(stat, AREA) + i32(end - start), AREA);
      store<i32>(stat, min(i32(start), load<i32>(stat, X0)), X0);
      store<i32>(stat, max(i32(end), load<i32>(stat, X1)), X1);
      store<i32>(stat, y + 1, Y1);
    }
    if (next > u32(LABELS)) next = clearAway(hereLabels, mine, parents, renamed, stats, spare, next, least);
    let t = above;
    above = here;
    here = t;
    t = aboveLabels;
    aboveLabels = hereLabels;
    hereLabels = t;
  }
  clearAway(hereLabels, hereLabels, parents, renamed, stats, spare, next, least);
}

/** Finishes every component that none of the row's labels belongs to, renumbers the others, returns their number. */
function clearAway(
  labels: usize, end: usize, parents: usize, renamed: usize, stats: usize, spare: usize, count: u32, least: i32,
): u32 {
  memory.fill(renamed, 255, usize(count) << 2);
  let fresh: u32 = 0;
  for (let p = labels; p < end; p += 4) {
    const label = root(parents, load<u32>(p));
    let name = load<u32>(renamed + (label << 2));
    if (name == 0xffffffff) {
      name = fresh++;
      store<u32>(renamed + (label << 2), name);
      memory.copy(spare + usize(name) * STAT, stats + usize(label) * STAT, STAT);
    }
    store<u32>(p, name);
  }
  for (let label: u32 = 0; label < count; label++) {
    if (load<u32>(parents + (label << 2)) == label && load<u32>(renamed + (label << 2)) == 0xffffffff)
      finish(stats + usize(label) * STAT, least);
  }
  memory.copy(stats, spare, usize(fresh) * STAT);
  for (let label: u32 = 0; label < fresh; label++) store<u32>(parents + (label << 2), label);
  return fresh;
}

function merge(into: usize, from: usize): void {
  store<i32>(into, load<i32>(into, AREA) + load<i32>(from, AREA), AREA);
  store<i32>(into, min(load<i32>(into, X0), load<i32>(from, X0)), X0);
  store<i32>(into, max(load<i32>(into, X1), load<i32>(from, X1)), X1);
  store<i32>(into, max(load<i32>(into, Y1), load<i32>(from, Y1)), Y1);
  const y = load<i32>(into, Y0);
  const other = load<i32>(from, Y0);
  const x = load<i32>(into, FIRST_X);
  const otherX = load<i32>(from, FIRST_X);
  if (other < y || (other == y && otherX < x)) {
    store<i32>(into, other, Y0);
    store<i32>(into, otherX, FIRST_X);
  }
}
