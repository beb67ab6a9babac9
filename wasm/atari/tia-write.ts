// TIA register writes. A write that changes what shows first draws what the old state shows, up to the write's clock
// plus the register's delay. A write that changes nothing that shows is not worth that call: it leaves its clock in
// `tia.skippedTo`, for the one case (a frame left unfinished) in which the drawing itself can be seen to lag.
import { bankByTiaWrite } from './cartridge';
import { setMirror, update } from './draw';
import { hmove } from './hmove';
import { BL, M0, M1, P0, P1, PF } from './objects';
import { reposition, resetMissile, resetPlayer } from './position';
import { cartridge, machine, tia } from './state';
import { missileMask, playerMask } from './tables';

const LINE: i32 = 228;

/** Clocks from a write until it shows, by register; the playfield's are PLAYFIELD_DELAY. */
const DELAY: usize = memory.data<u8>([
  0, 1, 0, 0, 8, 8, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 8, 8, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]);
/** The playfield registers' delay by CPU cycle of the line mod 4. */
const PLAYFIELD_DELAY: usize = memory.data<u8>([4, 5, 2, 3]);

/** Clock at which a write to `register` shows. */
export function effectClock(register: i32, clock: i32): i32 {
  register &= 0x3f;
  if (register >= 0x0d && register <= 0x0f) {
    return clock + load<u8>(PLAYFIELD_DELAY + (((clock - tia.frameStart) / 3) & 3));
  }
  return clock + load<u8>(DELAY + register);
}

/**
 * Writes `v` to the register at `address & 0x3F`. Returns the CPU cycle count afterwards, which only WSYNC moves, and
 * only when the CPU's bus access before this write was a read.
 */
export function tiaWrite(address: i32, v: i32, cycles: i32, afterRead: i32): i32 {
  const clock = cycles * 3;
  if (clock - tia.frameStart >= machine.frameLimit) {
    update(effectClock(address, clock));
    endFrame();
  }
  if (cartridge.banksByTia) bankByTiaWrite(address, v);
  // Every register is listed: only then does the compiler make a jump table.
  switch (address & 0x3f) {
    case 0x00: // VSYNC
      vsync(v, clock);
      break;
    case 0x01: // VBLANK
      vblank(v, clock, cycles);
      break;
    case 0x02: // WSYNC
      skip(clock);
      if (afterRead) {
        const wait = 76 - (cycles - tia.frameStart / 3) % 76;
        if (wait < 76) return cycles + wait;
      }
      break;
    case 0x03: // RSYNC
      skip(clock);
      break;
    case 0x04: // NUSIZ0
      nusiz0(v, clock + 8);
      break;
    case 0x05: // NUSIZ1
      nusiz1(v, clock + 8);
      break;
    case 0x06: // COLUP0
      v = colour(v);
      if (changes(v, tia.colourP0, clock)) tia.colourP0 = v;
      break;
    case 0x07: // COLUP1
      v = colour(v);
      if (changes(v, tia.colourP1, clock)) tia.colourP1 = v;
      break;
    case 0x08: // COLUPF
      v = colour(v);
      if (changes(v, tia.colourPf, clock)) tia.colourPf = v;
      break;
    case 0x09: // COLUBK
      v = colour(v);
      if (changes(v, tia.colourBk, clock)) tia.colourBk = v;
      break;
    case 0x0a: // CTRLPF
      ctrlpf(v, clock);
      break;
    case 0x0b: // REFP0
      tia.refp0 = v & 8;
      refreshObjects(clock + 1);
      break;
    case 0x0c: // REFP1
      tia.refp1 = v & 8;
      refreshObjects(clock + 1);
      break;
    case 0x0d: // PF0
      playfield((tia.playfield & 0xffff0) | (v >> 4), 0x0d, clock);
      break;
    case 0x0e: // PF1
      playfield((tia.playfield & 0xff00f) | (v << 4), 0x0e, clock);
      break;
    case 0x0f: // PF2
      playfield((tia.playfield & 0x00fff) | (v << 12), 0x0f, clock);
      break;
    case 0x10: // RESP0
      update(clock);
      resetPlayer(0, clock);
      break;
    case 0x11: // RESP1
      update(clock);
      resetPlayer(1, clock);
      break;
    case 0x12: // RESM0
      update(clock + 8);
      resetMissile(0, clock);
      break;
    case 0x13: // RESM1
      update(clock + 8);
      resetMissile(1, clock);
      break;
    case 0x14: // RESBL
      update(clock);
      tia.posBl = reposition(2, clock);
      tia.maskBl = missileMask(0, (tia.ctrlpf >> 4) & 3, tia.posBl);
      break;
    case 0x15: // AUDC0
    case 0x16: // AUDC1
    case 0x17: // AUDF0
    case 0x18: // AUDF1
    case 0x19: // AUDV0
    case 0x1a: // AUDV1
      skip(clock);
      break;
    case 0x1b: // GRP0
      tia.grp0 = v;
      tia.delayedGrp1 = tia.grp1;
      refreshObjects(clock + 1);
      break;
    case 0x1c: // GRP1
      tia.grp1 = v;
      tia.delayedGrp0 = tia.grp0;
      tia.delayedEnabl = tia.enabl;
      refreshObjects(clock + 1);
      break;
    case 0x1d: // ENAM0
      tia.enam0 = v & 2;
      refreshObjects(clock);
      break;
    case 0x1e: // ENAM1
      tia.enam1 = v & 2;
      refreshObjects(clock);
      break;
    case 0x1f: // ENABL
      tia.enabl = v & 2;
      refreshObjects(clock);
      break;
    case 0x20: // HMP0
      tia.hmp0 = v >> 4;
      skip(clock);
      break;
    case 0x21: // HMP1
      tia.hmp1 = v >> 4;
      skip(clock);
      break;
    case 0x22: // HMM0
      hmm0(v >> 4, clock);
      break;
    case 0x23: // HMM1
      tia.hmm1 = v >> 4;
      skip(clock);
      break;
    case 0x24: // HMBL
      tia.hmbl = v >> 4;
      skip(clock);
      break;
    case 0x25: // VDELP0
      tia.vdelp0 = v & 1;
      refreshObjects(clock);
      break;
    case 0x26: // VDELP1
      tia.vdelp1 = v & 1;
      refreshObjects(clock);
      break;
    case 0x27: // VDELBL
      tia.vdelbl = v & 1;
      refreshObjects(clock);
      break;
    case 0x28: // RESMP0
      resmp0(v & 2, clock);
      break;
    case 0x29: // RESMP1
      resmp1(v & 2, clock);
      break;
    case 0x2a: // HMOVE
      update(clock);
      hmove(clock);
      break;
    case 0x2b: // HMCLR
      tia.hmp0 = 0;
      tia.hmp1 = 0;
      tia.hmm0 = 0;
      tia.hmm1 = 0;
      tia.hmbl = 0;
      skip(clock);
      break;
    case 0x2c: // CXCLR
      update(clock);
      tia.collisions = 0;
      break;
    case 0x2d: case 0x2e: case 0x2f: case 0x30: case 0x31: case 0x32: case 0x33: case 0x34: case 0x35: case 0x36:
    case 0x37: case 0x38: case 0x39: case 0x3a: case 0x3b: case 0x3c: case 0x3d: case 0x3e: case 0x3f:
      skip(clock);
      break;
  }
  return cycles;
}

@inline
function skip(clock: i32): void {
  tia.skippedTo = clock;
}

/** Draws up to `clock` if a register's new value differs. */
@inline
function changes(v: i32, old: i32, clock: i32): bool {
  if (v == old) {
    skip(clock);
    return false;
  }
  update(clock);
  return true;
}

function endFrame(): void {
  machine.left = 0;
  machine.partial = 0;
}

function vsync(v: i32, clock: i32): void {
  tia.vsync = v;
  if (v & 2) {
    tia.vsyncFinish = clock + LINE;
    skip(clock);
  } else if (clock >= tia.vsyncFinish) {
    update(clock);
    tia.vsyncFinish = i32.MAX_VALUE;
    endFrame();
  } else skip(clock);
}

function vblank(v: i32, clock: i32, cycles: i32): void {
  const changed = v ^ tia.vblank;
  if (changed & 2) update(clock + 1);
  else skip(clock + 1);
  if (changed & 0x80) {
    if (v & 0x80) tia.potsGrounded = 1;
    else {
      tia.potsGrounded = 0;
      tia.dumpCycle = cycles;
    }
  }
  tia.vblank = v;
}

/** On PAL an odd number of lines takes the colour away: bit 0 marks it. */
function colour(v: i32): i32 {
  return (v & 0xfe) | (machine.pal & machine.lines & 1);
}

function nusiz0(v: i32, effect: i32): void {
  const mode = v & 7;
  const width = (v >> 4) & 3;
  if (
    v == tia.nusiz0 &&
    tia.maskP0 == playerMask(mode, 0, tia.posP0) &&
    tia.maskM0 == missileMask(mode, width, tia.posM0)
  ) {
    return skip(effect);
  }
  update(effect);
  tia.nusiz0 = v;
  tia.maskP0 = playerMask(mode, 0, tia.posP0);
  tia.maskM0 = missileMask(mode, width, tia.posM0);
}

function nusiz1(v: i32, effect: i32): void {
  const mode = v & 7;
  const width = (v >> 4) & 3;
  if (
    v == tia.nusiz1 &&
    tia.maskP1 == playerMask(mode, 0, tia.posP1) &&
    tia.maskM1 == missileMask(mode, width, tia.posM1)
  ) {
    return skip(effect);
  }
  update(effect);
  tia.nusiz1 = v;
  tia.maskP1 = playerMask(mode, 0, tia.posP1);
  tia.maskM1 = missileMask(mode, width, tia.posM1);
}

function ctrlpf(v: i32, clock: i32): void {
  if (v == tia.ctrlpf && (v & 1) == tia.mirror) return skip(clock);
  update(clock);
  tia.ctrlpf = v;
  // Before the right half has begun the new mode holds at once, afterwards from the next line.
  if ((clock - tia.frameStart) % LINE < 68 + 79) setMirror(v & 1);
  tia.maskBl = missileMask(0, (v >> 4) & 3, tia.posBl);
}

function playfield(pf: i32, register: i32, clock: i32): void {
  const effect = effectClock(register, clock);
  if (pf == tia.playfield) return skip(effect);
  update(effect);
  tia.playfield = pf;
  tia.playfieldStale = 1;
  refreshObjects(effect);
}

function hmm0(nibble: i32, clock: i32): void {
  if (tia.hmm0 == 7 && nibble == 6 && clock == tia.lastHmove + 63) {
    update(clock);
    tia.cosmicArk = 1;
    tia.cosmicArkCounter = 0;
  } else skip(clock);
  tia.hmm0 = nibble;
}

/** Where a missile comes out of its player: the middle of the copy, by the player's width. */
function middle(position: i32, mode: i32): i32 {
  position += mode == 5 ? 8 : mode == 7 ? 16 : 4;
  return position >= 160 ? position - 160 : position;
}

function resmp0(on: i32, clock: i32): void {
  if (on == tia.resmp0) return skip(clock);
  update(clock);
  tia.resmp0 = on;
  if (!on) {
    const mode = tia.nusiz0 & 7;
    tia.posM0 = middle(tia.posP0, mode);
    tia.maskM0 = missileMask(mode, (tia.nusiz0 >> 4) & 3, tia.posM0);
  }
  refreshObjects(clock);
}

function resmp1(on: i32, clock: i32): void {
  if (on == tia.resmp1) return skip(clock);
  update(clock);
  tia.resmp1 = on;
  if (!on) {
    const mode = tia.nusiz1 & 7;
    tia.posM1 = middle(tia.posP1, mode);
    tia.maskM1 = missileMask(mode, (tia.nusiz1 >> 4) & 3, tia.posM1);
  }
  refreshObjects(clock);
}

/** The bits of a byte in reverse. */
function mirrored(v: i32): i32 {
  v = ((v & 0xf0) >> 4) | ((v & 0x0f) << 4);
  v = ((v & 0xcc) >> 2) | ((v & 0x33) << 2);
  return ((v & 0xaa) >> 1) | ((v & 0x55) << 1);
}

/** Recomputes what players, missiles and ball show; draws up to `effect` first if that differs. */
export function refreshObjects(effect: i32): void {
  let p0 = tia.vdelp0 ? tia.delayedGrp0 : tia.grp0;
  let p1 = tia.vdelp1 ? tia.delayedGrp1 : tia.grp1;
  if (tia.refp0) p0 = mirrored(p0);
  if (tia.refp1) p1 = mirrored(p1);
  let e = 0;
  if (tia.playfield) e |= PF;
  if (p0) e |= P0;
  if (p1) e |= P1;
  if (tia.enam0 && !tia.resmp0) e |= M0;
  if (tia.enam1 && !tia.resmp1) e |= M1;
  if (tia.vdelbl ? tia.delayedEnabl : tia.enabl) e |= BL;
  if (p0 == tia.shownP0 && p1 == tia.shownP1 && e == tia.enabled) return skip(effect);
  update(effect);
  tia.shownP0 = p0;
  tia.shownP1 = p1;
  tia.enabled = e;
}
