// Tables that follow from a rule in a few lines; they are filled once, when the module starts.
import {
  BCD_OF,
  BCD_VALUE,
  LANES,
  MASK_BYTES,
  MISSILE_MASKS,
  NIBBLES,
  PLAYER_MASKS,
} from './layout';

/** Number of copies and their distance in pixels, by the low three bits of NUSIZ. */
const COPIES: usize = memory.data<u8>([1, 2, 2, 3, 2, 1, 3, 1]);
const SPACING: usize = memory.data<u8>([0, 16, 32, 16, 64, 0, 32, 0]);

@inline
export function copies(mode: i32): i32 {
  return load<u8>(COPIES + mode);
}

@inline
export function spacing(mode: i32): i32 {
  return load<u8>(SPACING + mode);
}

/** Pixels per player copy: modes 5 and 7 are double and quadruple width. */
@inline
export function playerWidth(mode: i32): i32 {
  return mode == 5 ? 16 : mode == 7 ? 32 : 8;
}

/** Address of the player mask for a mode at a position: the byte at +x is the graphics bit shown at pixel x. */
@inline
export function playerMask(mode: i32, skipFirst: i32, position: i32): i32 {
  return PLAYER_MASKS + (mode * 2 + skipFirst) * MASK_BYTES + 160 - position;
}

/** Address of the mask of a missile (or, with mode 0, the ball): 0xFF where it shows. `width` is a power of two's exponent. */
@inline
export function missileMask(mode: i32, width: i32, position: i32): i32 {
  return MISSILE_MASKS + (mode * 4 + width) * MASK_BYTES + 160 - position;
}

export function fillTables(): void {
  for (let mode = 0; mode < 8; mode++) {
    for (let i = 0; i < MASK_BYTES; i++) {
      const distance = i % 160;
      fillPlayer(mode, i, distance);
      for (let width = 0; width < 4; width++) {
        const at = MISSILE_MASKS + (mode * 4 + width) * MASK_BYTES + i;
        for (let copy = 0; copy < copies(mode); copy++) {
          const d = distance - copy * spacing(mode);
          if (d >= 0 && d < 1 << width) store<u8>(at, 0xff);
        }
      }
    }
  }
  memory.fill(LANES + 16, 0xff, 16);
  for (let bits = 0; bits < 16; bits++) {
    for (let i = 0; i < 16; i++) {
      if (bits & (1 << (i >> 2))) store<u8>(NIBBLES + bits * 16 + i, 0xff);
      if (bits & (8 >> (i >> 2))) store<u8>(NIBBLES + 256 + bits * 16 + i, 0xff);
    }
  }
  for (let i = 0; i < 256; i++) {
    store<u8>(BCD_VALUE + i, (i >> 4) * 10 + (i & 15));
    store<u8>(BCD_OF + i, (((i % 100) / 10) << 4) | (i % 10));
  }
}

function fillPlayer(mode: i32, i: i32, distance: i32): void {
  const shift = mode == 5 ? 1 : mode == 7 ? 2 : 0;
  // Stretched players start one pixel late.
  const late = shift ? 1 : 0;
  for (let copy = 0; copy < copies(mode); copy++) {
    const d = distance - copy * spacing(mode) - late;
    if (d < 0 || d >= playerWidth(mode)) continue;
    const bit = 0x80 >> (d >> shift);
    store<u8>(PLAYER_MASKS + mode * 2 * MASK_BYTES + i, bit);
    if (copy > 0) store<u8>(PLAYER_MASKS + (mode * 2 + 1) * MASK_BYTES + i, bit);
  }
}
