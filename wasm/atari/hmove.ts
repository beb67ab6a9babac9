import { HMOVE_MOTION } from './hmove-table';
import { machine, tia } from './state';
import { missileMask, playerMask } from './tables';

const LINE: i32 = 228;

/** HMOVE: moves the five objects by the table row of the line's CPU cycle and renews every mask. */
export function hmove(clock: i32): void {
  const cycle = ((clock - tia.frameStart) % LINE) / 3;
  if (machine.hmoveBlanks && (cycle <= 20 || cycle == 75)) tia.hmoveBlank = 1;
  tia.posP0 = moved(tia.posP0, cycle, tia.hmp0);
  tia.posP1 = moved(tia.posP1, cycle, tia.hmp1);
  tia.posM0 = moved(tia.posM0, cycle, tia.hmm0);
  tia.posM1 = moved(tia.posM1, cycle, tia.hmm1);
  tia.posBl = moved(tia.posBl, cycle, tia.hmbl);
  renewMasks();
  tia.lastHmove = clock;
  tia.cosmicArk = 0;
}

@inline
function moved(position: i32, cycle: i32, nibble: i32): i32 {
  position += load<i8>(HMOVE_MOTION + cycle * 16 + nibble);
  if (position >= 160) return position - 160;
  return position < 0 ? position + 160 : position;
}

export function renewMasks(): void {
  const mode0 = tia.nusiz0 & 7;
  const mode1 = tia.nusiz1 & 7;
  tia.maskP0 = playerMask(mode0, 0, tia.posP0);
  tia.maskP1 = playerMask(mode1, 0, tia.posP1);
  tia.maskM0 = missileMask(mode0, (tia.nusiz0 >> 4) & 3, tia.posM0);
  tia.maskM1 = missileMask(mode1, (tia.nusiz1 >> 4) & 3, tia.posM1);
  tia.maskBl = missileMask(0, (tia.ctrlpf >> 4) & 3, tia.posBl);
}
