// The console: power-on, reset, one frame. What the host calls stands in index.ts.
import { resetCartridge } from './cartridge';
import { resetCpu, run } from './cpu';
import { update } from './draw';
import { renewMasks } from './hmove';
import { applyAction } from './input';
import {
  DPC_STATE,
  INSTRUCTIONS_PER_FRAME,
  PICTURE_A,
  PICTURE_B,
  PICTURE_ROWS,
  PICTURE_WIDTH,
  RAM,
  RIOT_STATE,
  SYSTEM_RANDOM,
  TIA_STATE,
} from './layout';
import { nextWord, seedTwister } from './mersenne';
import { resetRiot } from './riot';
import { Tia, cpu, dpc, machine, riot, tia } from './state';

const LINE: i32 = 228;
/** Seed of the console's own random numbers: RAM and timer at power-on are the same in every run. */
const SYSTEM_SEED: u32 = 4753849;
/** Lines after which a TIA write ends the frame. */
const NTSC_LINES: i32 = 290;
const PAL_LINES: i32 = 342;

/** Fresh silicon: RAM and the first timer draw. */
export function powerOn(): void {
  seedTwister(SYSTEM_RANDOM, SYSTEM_SEED);
  for (let i = 0; i < 128; i++) store<u8>(RAM + i, nextWord(SYSTEM_RANDOM));
  machine.partial = 0;
  machine.greyed = 0;
  machine.lines = 0;
  resetRiot();
}

export function setFormat(pal: i32): void {
  machine.pal = pal;
  machine.frameLimit = ((pal ? PAL_LINES : NTSC_LINES) + 1) * LINE;
}

/** The reset line: RIOT, TIA, cartridge, CPU, in this order of random draws. RAM and an unfinished frame stay. */
export function resetConsole(): void {
  rebase(cpu.cycles);
  resetRiot();
  resetTia();
  resetCartridge();
  resetCpu();
}

function resetTia(): void {
  memory.fill(TIA_STATE, 0, offsetof<Tia>());
  memory.fill(PICTURE_A, 0, PICTURE_WIDTH * PICTURE_ROWS);
  memory.fill(PICTURE_B, 0, PICTURE_WIDTH * PICTURE_ROWS);
  tia.picture = PICTURE_A;
  tia.otherPicture = PICTURE_B;
  tia.pixel = PICTURE_A;
  tia.lineLeft = LINE;
  tia.vsyncFinish = i32.MAX_VALUE;
  tia.playfieldStale = 1;
  setWindow();
  renewMasks();
}

function setWindow(): void {
  tia.drawStart = tia.frameStart + LINE * machine.yStart;
  tia.drawStop = tia.drawStart + LINE * machine.height;
}

/** Moves the origin of time, so that cycle counts stay small. */
function rebase(cycles: i32): void {
  const clocks = cycles * 3;
  riot.setCycle -= cycles;
  riot.interruptCycle -= cycles;
  tia.dumpCycle -= cycles;
  dpc.cycle -= cycles;
  tia.frameStart -= clocks;
  tia.drawStart -= clocks;
  tia.drawStop -= clocks;
  tia.lastClock -= clocks;
  tia.lastHmove -= clocks;
  if (tia.vsyncFinish != i32.MAX_VALUE) tia.vsyncFinish -= clocks;
  cpu.cycles = 0;
}

/** Runs until the frame ends or 25000 instructions have passed; then the next call goes on with the same frame. */
export function frame(action: i32): void {
  applyAction(action);
  if (!machine.partial) startFrame();
  machine.partial = 1;
  run(INSTRUCTIONS_PER_FRAME);
  const lines = (cpu.cycles * 3 - tia.frameStart) / LINE;
  if (!machine.partial) machine.lines = lines;
  else {
    update(tia.skippedTo);
    if (!machine.greyed) greyFrom(lines);
  }
  machine.frameNumber++;
}

function startFrame(): void {
  const other = tia.otherPicture;
  tia.otherPicture = tia.picture;
  tia.picture = other;
  const column = (cpu.cycles * 3 - tia.frameStart) % LINE;
  rebase(cpu.cycles);
  tia.frameStart = -column;
  setWindow();
  tia.lastClock = tia.drawStart;
  tia.lineLeft = LINE;
  tia.pixel = other;
  tia.skippedTo = tia.drawStart;
  machine.greyed = 0;
  if (machine.pal) {
    const loss = machine.lines & 1;
    tia.colourP0 = (tia.colourP0 & 0xfe) | loss;
    tia.colourP1 = (tia.colourP1 & 0xfe) | loss;
    tia.colourPf = (tia.colourPf & 0xfe) | loss;
    tia.colourBk = (tia.colourBk & 0xfe) | loss;
  }
}

/** A frame that does not end is shown with the rows not drawn yet in grey. */
function greyFrom(lines: i32): void {
  machine.greyed = 1;
  const first = max(lines - machine.yStart, 0);
  for (let i = first * PICTURE_WIDTH; i < machine.height * PICTURE_WIDTH; i++) {
    store<u8>(tia.picture + i, (load<u8>(tia.picture + i) & 0x0f) >> 1);
  }
}

/** Lines of the frame so far; after a frame that ended, of that frame. */
export function linesRun(): i32 {
  return (cpu.cycles * 3 - tia.frameStart) / LINE;
}
