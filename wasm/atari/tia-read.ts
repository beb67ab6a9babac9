import { update } from './draw';
import { POT_OPEN, POT_SHORT } from './input';
import { input, tia } from './state';

/** Reads the register at `address & 0x0F`; `bus` is the byte moved just before, which fills the low six bits. */
export function tiaRead(address: i32, cycles: i32, bus: i32): i32 {
  const noise = bus & 0x3f;
  const register = address & 0x0f;
  if (register < 8) {
    update(cycles * 3);
    return (((tia.collisions >> (register * 2)) & 3) << 6) | noise;
  }
  tia.skippedTo = cycles * 3;
  switch (register) {
    case 8:
      return pot(input.pot0, cycles) | noise;
    case 9:
      return pot(input.pot1, cycles) | noise;
    case 10:
      return pot(input.pot2, cycles) | noise;
    case 11:
      return pot(input.pot3, cycles) | noise;
    case 12:
      return input.inpt4 | noise;
    case 13:
      return input.inpt5 | noise;
    default:
      return noise;
  }
}

/** D7 once the pot's capacitor is charged. The comparison is unsigned: a sum below zero reads as not yet. */
function pot(charge: i32, cycles: i32): i32 {
  if (charge == POT_SHORT) return 0x80;
  if (charge == POT_OPEN || tia.potsGrounded) return 0;
  return <u32>cycles > <u32>(tia.dumpCycle + charge) ? 0x80 : 0;
}
