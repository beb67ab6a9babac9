// Lazy drawing: the picture is brought up to a clock only when a register that shows is about to change, and then in
// vectors of sixteen pixels. Blocks are aligned to the line, so score mode's halves meet on a block edge.
import {
  LANES,
  NIBBLES,
  NO_MASK,
  PLAYFIELD_LINE,
} from './layout';
import {
  BL,
  BL_PF,
  M0,
  M0_BL,
  M0_M1,
  M0_P0,
  M0_P1,
  M0_PF,
  M1,
  M1_BL,
  M1_P0,
  M1_P1,
  M1_PF,
  P0,
  P0_BL,
  P0_P1,
  P0_PF,
  P1,
  P1_BL,
  P1_PF,
  PF,
} from './objects';
import { tia } from './state';
import { missileMask, playerMask } from './tables';

const LINE: i32 = 228;
const BLANK: i32 = 68;
/** The HMOVE comb covers eight pixels after horizontal blank. */
const COMB_END: i32 = 76;

/** Draws up to clock `c`. A line end that falls exactly on `c` is worked off by the next call. */
export function update(c: i32): void {
  if (c < tia.drawStart || tia.lastClock >= c || tia.lastClock >= tia.drawStop) return;
  if (c > tia.drawStop) c = tia.drawStop;
  do {
    const left = tia.lineLeft;
    let from = LINE - left;
    let n: i32;
    let ended = false;
    if (c > tia.lastClock + left) {
      n = left;
      tia.lineLeft = LINE;
      tia.lastClock += left;
      ended = true;
    } else {
      n = c - tia.lastClock;
      tia.lineLeft = left - n;
      tia.lastClock = c;
    }
    if (from < BLANK) {
      const skip = min(BLANK - from, n);
      from += skip;
      n -= skip;
    }
    const at = tia.pixel;
    if (n > 0) {
      span(from - BLANK, n, at);
      tia.pixel = at + n;
    }
    if (tia.hmoveBlank && from < COMB_END) {
      if (from == BLANK) store<u64>(at, 0);
      else memory.fill(at, 0, COMB_END - from);
      if (n + from >= COMB_END) tia.hmoveBlank = 0;
    }
    if (ended) endLine();
  } while (tia.lastClock < c);
}

function endLine(): void {
  setMirror(tia.ctrlpf & 1);
  tia.maskP0 = playerMask(tia.nusiz0 & 7, 0, tia.posP0);
  tia.maskP1 = playerMask(tia.nusiz1 & 7, 0, tia.posP1);
  if (tia.cosmicArk) cosmicArkStep();
}

export function setMirror(mirror: i32): void {
  if (tia.mirror == mirror) return;
  tia.mirror = mirror;
  tia.playfieldStale = 1;
}

const ARK_STEPS: usize = memory.data<u8>([18, 33, 0, 17]);

/** Stars by a late HMM0 write: missile 0 drifts every line. */
function cosmicArkStep(): void {
  const counter = (tia.cosmicArkCounter + 1) & 3;
  tia.cosmicArkCounter = counter;
  let position = tia.posM0 - load<u8>(ARK_STEPS + counter);
  if (position < 0) position += 160;
  tia.posM0 = position;
  const width = (tia.nusiz0 >> 4) & 3;
  if (counter == 2) tia.maskM0 = NO_MASK;
  else tia.maskM0 = missileMask(tia.nusiz0 & 7, counter == 1 ? width | 1 : width, position);
}

/** Draws pixels x to x + n - 1 of the current line at address `at`. */
function span(x: i32, n: i32, at: i32): void {
  if (tia.vblank & 2) return fill(at, n, 0);
  const enabled = tia.enabled;
  if (enabled == 0) return fill(at, n, tia.colourBk);
  if (enabled & PF && tia.playfieldStale) spreadPlayfield();
  if (enabled == PF) return playfieldOnly(x, n, at);
  objects(x, n, at, enabled);
}

function fill(at: i32, n: i32, colour: i32): void {
  const c = i8x16.splat(<i8>colour);
  const end = at + n;
  if (n >= 16) {
    do {
      v128.store(at, c);
      at += 16;
    } while (at <= end - 16);
    v128.store(end - 16, c);
  } else {
    const old = v128.load(at);
    v128.store(at, v128.bitselect(c, old, v128.load(LANES + 32 - n)));
  }
}

/** Pixels of the playfield, a nibble of its twenty bits at a time. */
export function spreadPlayfield(): void {
  tia.playfieldStale = 0;
  const pf = tia.playfield;
  const straight = NIBBLES;
  const reversed = NIBBLES + 256;
  // PF0 and PF2 show their lowest bit first, PF1 its highest (stored as bits 11..4).
  const a = (pf & 15) << 4;
  const b = ((pf >> 8) & 15) << 4;
  const c = ((pf >> 4) & 15) << 4;
  const d = ((pf >> 12) & 15) << 4;
  const e = ((pf >> 16) & 15) << 4;
  const line = PLAYFIELD_LINE;
  v128.store(line, v128.load(straight + a));
  v128.store(line + 16, v128.load(reversed + b));
  v128.store(line + 32, v128.load(reversed + c));
  v128.store(line + 48, v128.load(straight + d));
  v128.store(line + 64, v128.load(straight + e));
  if (tia.mirror) {
    v128.store(line + 80, v128.load(reversed + e));
    v128.store(line + 96, v128.load(reversed + d));
    v128.store(line + 112, v128.load(straight + c));
    v128.store(line + 128, v128.load(straight + b));
    v128.store(line + 144, v128.load(reversed + a));
  } else {
    v128.store(line + 80, v128.load(straight + a));
    v128.store(line + 96, v128.load(reversed + b));
    v128.store(line + 112, v128.load(reversed + c));
    v128.store(line + 128, v128.load(straight + d));
    v128.store(line + 144, v128.load(straight + e));
  }
}

/** Lanes of the block at `block` that lie in x0 <= x < x1. */
@inline
function lanes(block: i32, x0: i32, x1: i32): v128 {
  const low = max(x0 - block, 0);
  const high = min(x1 - block, 16);
  return v128.and(v128.load(LANES + 16 - low), v128.load(LANES + 32 - high));
}

/** Only the playfield can show: score mode holds even under priority. */
function playfieldOnly(x: i32, n: i32, at: i32): void {
  const row = at - x;
  const x1 = x + n;
  const bk = i8x16.splat(<i8>tia.colourBk);
  const score = tia.ctrlpf & 2;
  const left = i8x16.splat(<i8>(score ? tia.colourP0 : tia.colourPf));
  const right = i8x16.splat(<i8>(score ? tia.colourP1 : tia.colourPf));
  for (let block = x & -16; block < x1; block += 16) {
    const colour = v128.bitselect(block < 80 ? left : right, bk, v128.load(PLAYFIELD_LINE + block));
    const to = row + block;
    v128.store(to, v128.bitselect(colour, v128.load(to), lanes(block, x, x1)));
  }
}

function objects(x: i32, n: i32, at: i32, enabled: i32): void {
  const row = at - x;
  const x1 = x + n;
  const none = i8x16.splat(0);
  const bk = i8x16.splat(<i8>tia.colourBk);
  const p0Colour = i8x16.splat(<i8>tia.colourP0);
  const p1Colour = i8x16.splat(<i8>tia.colourP1);
  const pfColour = i8x16.splat(<i8>tia.colourPf);
  const p0Graphics = i8x16.splat(<i8>tia.shownP0);
  const p1Graphics = i8x16.splat(<i8>tia.shownP1);
  const p0At = tia.maskP0;
  const p1At = tia.maskP1;
  const m0At = enabled & M0 ? tia.maskM0 : NO_MASK;
  const m1At = enabled & M1 ? tia.maskM1 : NO_MASK;
  const blAt = enabled & BL ? tia.maskBl : NO_MASK;
  const pfAt = enabled & PF ? PLAYFIELD_LINE : NO_MASK;
  const priority = tia.ctrlpf & 4;
  const score = tia.ctrlpf & 2;
  for (let block = x & -16; block < x1; block += 16) {
    const valid = lanes(block, x, x1);
    const p0 = i8x16.ne(v128.and(v128.load(p0At + block), p0Graphics), none);
    const p1 = i8x16.ne(v128.and(v128.load(p1At + block), p1Graphics), none);
    const m0 = v128.load(m0At + block);
    const m1 = v128.load(m1At + block);
    const bl = v128.load(blAt + block);
    const pf = v128.load(pfAt + block);

    let any = v128.or(p0, m0);
    let meet = v128.and(p0, m0);
    meet = v128.or(meet, v128.and(any, p1));
    any = v128.or(any, p1);
    meet = v128.or(meet, v128.and(any, m1));
    any = v128.or(any, m1);
    meet = v128.or(meet, v128.and(any, bl));
    any = v128.or(any, bl);
    meet = v128.or(meet, v128.and(any, pf));
    any = v128.or(any, pf);
    if (v128.any_true(v128.and(meet, valid))) collide(v128.and(meet, valid), p0, m0, p1, m1, bl, pf);

    let colour = bk;
    if (v128.any_true(any)) {
      const one = v128.or(p1, m1);
      const zero = v128.or(p0, m0);
      if (priority) {
        colour = v128.bitselect(p1Colour, colour, one);
        colour = v128.bitselect(p0Colour, colour, zero);
        colour = v128.bitselect(pfColour, colour, v128.or(bl, pf));
      } else if (score) {
        colour = v128.bitselect(pfColour, colour, bl);
        const left = block < 80;
        colour = v128.bitselect(left ? p0Colour : p1Colour, colour, pf);
        // In the left half the playfield already has player 0's colour, which player 1 does not cover.
        colour = v128.bitselect(p1Colour, colour, left ? v128.andnot(one, pf) : one);
        colour = v128.bitselect(p0Colour, colour, zero);
      } else {
        colour = v128.bitselect(pfColour, colour, v128.or(bl, pf));
        colour = v128.bitselect(p1Colour, colour, one);
        colour = v128.bitselect(p0Colour, colour, zero);
      }
    }
    const to = row + block;
    v128.store(to, v128.bitselect(colour, v128.load(to), valid));
  }
}

@inline
function both(a: v128, b: v128, bit: i32): i32 {
  return v128.any_true(v128.and(a, b)) ? bit : 0;
}

/** Latches every pair that shares a pixel among the lanes in `meet`. */
function collide(meet: v128, p0: v128, m0: v128, p1: v128, m1: v128, bl: v128, pf: v128): void {
  p0 = v128.and(p0, meet);
  m0 = v128.and(m0, meet);
  p1 = v128.and(p1, meet);
  m1 = v128.and(m1, meet);
  bl = v128.and(bl, meet);
  let bits = both(p0, m0, M0_P0) | both(p1, m0, M0_P1) | both(p1, m1, M1_P1) | both(p0, m1, M1_P0);
  bits |= both(p0, bl, P0_BL) | both(p0, pf, P0_PF) | both(p1, bl, P1_BL) | both(p1, pf, P1_PF);
  bits |= both(m0, bl, M0_BL) | both(m0, pf, M0_PF) | both(m1, bl, M1_BL) | both(m1, pf, M1_PF);
  bits |= both(bl, pf, BL_PF) | both(m0, m1, M0_M1) | both(p0, p1, P0_P1);
  tia.collisions |= bits;
}
