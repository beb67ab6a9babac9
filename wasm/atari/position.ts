// Where RESPx, RESMx and RESBL put an object, and what of a player's copies shows on the line of the strobe.
import { update } from './draw';
import { tia } from './state';
import { copies, missileMask, playerMask, playerWidth, spacing } from './tables';

const LINE: i32 = 228;
const BLANK: i32 = 68;

/** Position after a RESMx or RESBL strobe at `clock`. `object`: 0 and 1 the missiles, 2 the ball. */
export function reposition(object: i32, clock: i32): i32 {
  const h = (clock - tia.frameStart) % LINE;
  const late = tooLate(object, h, clock - tia.lastHmove);
  if (late >= 0) return late;
  return h < BLANK ? 2 : (h - BLANK + 4) % 160;
}

/**
 * Strobes so soon after an HMOVE that the reference gives the position a measured value: by object, clocks since the
 * HMOVE and clock of the line. -1 when none applies.
 */
function tooLate(object: i32, h: i32, sinceHmove: i32): i32 {
  if (object == 0) return sinceHmove == 60 && h == 69 ? 8 : -1;
  if (object == 1) return sinceHmove == 9 && h == 18 ? 3 : -1;
  if (sinceHmove == 54 && (h == 60 || h == 69)) return 10;
  if (sinceHmove == 9 && h == 18) return 3;
  if (sinceHmove == 21 && h == 30) return 6;
  if (sinceHmove == 18 && h == 27) return 5;
  return -1;
}

export function resetMissile(missile: i32, clock: i32): void {
  const position = reposition(missile, clock);
  if (missile == 0) {
    tia.posM0 = position;
    tia.maskM0 = missileMask(tia.nusiz0 & 7, (tia.nusiz0 >> 4) & 3, position);
  } else {
    tia.posM1 = position;
    tia.maskM1 = missileMask(tia.nusiz1 & 7, (tia.nusiz1 >> 4) & 3, position);
  }
}

/**
 * RESPx. Inside the four clocks before a copy all copies show at the new position on this line; while a copy is being
 * shown it is finished first; otherwise, and after that, the first copy waits for the next line.
 */
export function resetPlayer(player: i32, clock: i32): void {
  const h = (clock - tia.frameStart) % LINE;
  const position = h < BLANK ? 3 : (h - BLANK + 5) % 160;
  const mode = (player == 0 ? tia.nusiz0 : tia.nusiz1) & 7;
  const old = player == 0 ? tia.posP0 : tia.posP1;
  const distance = position >= old ? position - old : position - old + 160;
  let skipFirst = 1;
  for (let copy = 0; copy < copies(mode); copy++) {
    const d = distance - copy * spacing(mode);
    if (d >= 0 && d < 4) skipFirst = 0;
    else if (d >= 4 && d < 4 + playerWidth(mode)) update(clock + 11);
  }
  if (player == 0) {
    tia.posP0 = position;
    tia.maskP0 = playerMask(mode, skipFirst, position);
  } else {
    tia.posP1 = position;
    tia.maskP1 = playerMask(mode, skipFirst, position);
  }
}
