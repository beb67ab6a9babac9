// The 6532: RAM is in bus.ts; here are the ports and the interval timer.
import { SYSTEM_RANDOM } from './layout';
import { nextWord } from './mersenne';
import { input, riot } from './state';

export function resetRiot(): void {
  riot.timer = 25 + <i32>(nextWord(SYSTEM_RANDOM) % 75);
  riot.shift = 6;
  riot.setCycle = 0;
  riot.interruptCycle = 0;
  riot.readAfterInterrupt = 0;
  riot.ddrA = 0;
  riot.ddrB = 0;
}

export function riotRead(address: i32, cycles: i32): i32 {
  switch (address & 7) {
    case 0:
      return input.swcha;
    case 1:
      return riot.ddrA;
    case 2:
      return input.swchb;
    case 3:
      return riot.ddrB;
    case 4:
    case 6:
      return timer(cycles);
    default:
      return count(cycles) >= 0 || riot.readAfterInterrupt ? 0 : 0x80;
  }
}

@inline
function elapsed(cycles: i32): u32 {
  return <u32>(cycles - 1 - riot.setCycle);
}

@inline
function count(cycles: i32): i32 {
  return riot.timer - <i32>(elapsed(cycles) >> riot.shift) - 1;
}

function timer(cycles: i32): i32 {
  const value = count(cycles);
  if (value >= 0) return value & 0xff;
  const delta = <i32>elapsed(cycles);
  const whole = riot.timer << riot.shift;
  const below = whole - delta - 1;
  if (below <= -2 && !riot.readAfterInterrupt) {
    riot.readAfterInterrupt = 1;
    riot.interruptCycle = cycles;
  }
  if (!riot.readAfterInterrupt) return below & 0xff;
  const offset = riot.interruptCycle - (riot.setCycle + whole);
  return (riot.timer - <i32>(<u32>delta >> riot.shift) - offset) & 0xff;
}

export function riotWrite(address: i32, v: i32, cycles: i32): void {
  if ((address & 7) == 1) {
    riot.ddrA = v;
    return;
  }
  const select = address & 0x17;
  if (select < 0x14) return;
  const step = select - 0x14;
  riot.shift = step == 3 ? 10 : step * 3;
  riot.timer = v;
  riot.setCycle = cycles;
  riot.readAfterInterrupt = 0;
}
