// The display processor of scheme DPC: eight data fetchers over 2K of display data, a random register, and music.
import { DPC_STATE, ROM } from './layout';
import { dpc } from './state';

const DATA: i32 = ROM + 0x2000;
const TOPS: i32 = DPC_STATE;
const BOTTOMS: i32 = DPC_STATE + 8;
const FLAGS: i32 = DPC_STATE + 16;
const COUNTERS: i32 = DPC_STATE + 24;

/** Amplitude by which of fetchers 5, 6, 7 sound (bits 0 to 2). */
const AMPLITUDES: usize = memory.data<u8>([0, 4, 5, 9, 6, 10, 11, 15]);

/** Steps the 8-bit shift register; every write and every read of its windows does. */
export function clockRandom(): void {
  const r = dpc.random;
  const feedback = ((r >> 7) ^ (r >> 5) ^ (r >> 4) ^ (r >> 3) ^ 1) & 1;
  dpc.random = ((r << 1) | feedback) & 0xff;
}

@inline
function counter(i: i32): i32 {
  return load<u16>(COUNTERS + i * 2);
}

/** Reads fetcher register `o` (0 to 3F). */
export function dpcRead(o: i32, cycles: i32): i32 {
  const i = o & 7;
  const f = (o >> 3) & 7;
  const low = counter(i) & 0xff;
  if (low == load<u8>(TOPS + i)) store<u8>(FLAGS + i, 0xff);
  else if (low == load<u8>(BOTTOMS + i)) store<u8>(FLAGS + i, 0);
  let value = 0;
  const flag: i32 = load<u8>(FLAGS + i);
  switch (f) {
    case 0:
      value = i < 4 ? dpc.random : amplitude(cycles);
      break;
    case 1:
      value = load<u8>(DATA + 2047 - counter(i));
      break;
    case 2:
      value = load<u8>(DATA + 2047 - counter(i)) & flag;
      break;
    case 7:
      value = flag;
      break;
  }
  if (!(dpc.music & (1 << i))) store<u16>(COUNTERS + i * 2, (counter(i) - 1) & 0x7ff);
  return value;
}

/** Writes fetcher register `o` (40 to 7F). */
export function dpcWrite(o: i32, v: i32): void {
  const i = o & 7;
  const at = COUNTERS + i * 2;
  const music = dpc.music & (1 << i);
  switch ((o >> 3) & 7) {
    case 0:
      store<u8>(TOPS + i, v);
      store<u8>(FLAGS + i, 0);
      break;
    case 1:
      store<u8>(BOTTOMS + i, v);
      break;
    case 2:
      store<u16>(at, (counter(i) & 0x700) | (music ? load<u8>(TOPS + i) : v));
      break;
    case 3:
      store<u16>(at, ((v & 7) << 8) | (counter(i) & 0xff));
      if (i >= 5) dpc.music = (dpc.music & ~(1 << i)) | (v & 0x10 ? 1 << i : 0);
      break;
    case 6:
      dpc.random = 1;
      break;
  }
}

function amplitude(cycles: i32): i32 {
  stepMusic(cycles);
  let sounding = 0;
  for (let i = 5; i < 8; i++) {
    if (dpc.music & (1 << i) && load<u8>(FLAGS + i)) sounding |= 1 << (i - 5);
  }
  return load<u8>(AMPLITUDES + sounding);
}

/** Music clock: 15750 Hz against the CPU's 1193191.66666667 Hz, the fraction carried over. */
function stepMusic(cycles: i32): void {
  const clocks = (15750.0 * <f64>(cycles - dpc.cycle)) / 1193191.66666667 + dpc.fraction;
  const whole = <i32>clocks;
  dpc.cycle = cycles;
  dpc.fraction = clocks - <f64>whole;
  if (whole <= 0) return;
  for (let i = 5; i < 8; i++) {
    if (!(dpc.music & (1 << i))) continue;
    const top: i32 = load<u8>(TOPS + i);
    let low = 0;
    if (top > 0) {
      low = (counter(i) & 0xff) - (whole % (top + 1));
      if (low < 0) low += top + 1;
    }
    if (low <= <i32>load<u8>(BOTTOMS + i)) store<u8>(FLAGS + i, 0);
    else if (low <= top) store<u8>(FLAGS + i, 0xff);
    store<u16>(COUNTERS + i * 2, (counter(i) & 0x700) | (low & 0xff));
  }
}
