// Typed views of the state region. Fields are laid over fixed addresses (layout.ts), never allocated.
import { CARTRIDGE_STATE, CONSOLE_STATE, CPU_STATE, DPC_STATE, INPUT_STATE, RIOT_STATE, TIA_STATE } from './layout';

@unmanaged
export class Cpu {
  pc: i32;
  a: i32;
  x: i32;
  y: i32;
  sp: i32;
  /** Zero flag: low byte is 0. Negative flag: bit 7 or 8 is set. */
  nz: i32;
  carry: i32;
  overflow: i32;
  decimal: i32;
  interrupt: i32;
  /** CPU cycles since the frame call that began the frame; the only clock of the machine. */
  cycles: i32;
  /** The byte last moved on the data bus. */
  bus: i32;
  /** 1 after a KIL opcode, until the next console reset. */
  jammed: i32;
}

@unmanaged
export class Tia {
  // Clocks (3 a CPU cycle) on the scale of `cpu.cycles * 3`.
  frameStart: i32;
  drawStart: i32;
  drawStop: i32;
  lastClock: i32;
  vsyncFinish: i32;
  lastHmove: i32;
  /** Clock up to which a write that changed nothing would have drawn. */
  skippedTo: i32;
  lineLeft: i32;
  /** Address of the next pixel to draw, and of the pictures. */
  pixel: i32;
  picture: i32;
  otherPicture: i32;
  vsync: i32;
  vblank: i32;
  colourP0: i32;
  colourP1: i32;
  colourPf: i32;
  colourBk: i32;
  ctrlpf: i32;
  /** The mirror mode of the line being drawn. */
  mirror: i32;
  playfield: i32;
  /** 1 while PLAYFIELD_LINE does not show `playfield` and `mirror`. */
  playfieldStale: i32;
  nusiz0: i32;
  nusiz1: i32;
  posP0: i32;
  posP1: i32;
  posM0: i32;
  posM1: i32;
  posBl: i32;
  maskP0: i32;
  maskP1: i32;
  maskM0: i32;
  maskM1: i32;
  maskBl: i32;
  grp0: i32;
  grp1: i32;
  delayedGrp0: i32;
  delayedGrp1: i32;
  /** Graphics as shown: after VDELP and REFP. */
  shownP0: i32;
  shownP1: i32;
  refp0: i32;
  refp1: i32;
  vdelp0: i32;
  vdelp1: i32;
  vdelbl: i32;
  enam0: i32;
  enam1: i32;
  enabl: i32;
  delayedEnabl: i32;
  resmp0: i32;
  resmp1: i32;
  hmp0: i32;
  hmp1: i32;
  hmm0: i32;
  hmm1: i32;
  hmbl: i32;
  /** Objects that can show (object.ts). */
  enabled: i32;
  collisions: i32;
  hmoveBlank: i32;
  cosmicArk: i32;
  cosmicArkCounter: i32;
  potsGrounded: i32;
  dumpCycle: i32;
}

@unmanaged
export class Riot {
  timer: i32;
  shift: i32;
  setCycle: i32;
  interruptCycle: i32;
  readAfterInterrupt: i32;
  ddrA: i32;
  ddrB: i32;
}

@unmanaged
export class Cartridge {
  scheme: i32;
  size: i32;
  /** Number of 4K banks, for the schemes that switch whole banks. */
  banks: i32;
  /** The bank, or the blocks of slices 0 to 2 (E0), or ROM block and RAM block (E7). */
  bank: i32;
  slice1: i32;
  slice2: i32;
  /** Reads of fastStart <= (address & 0x1FFF) < fastStart + fastLength are loads from base + (address & 0x1FFF). */
  base: i32;
  fastStart: i32;
  fastLength: i32;
  /**
   * Opcodes below 0x1000 + fastCode are fetched together with their operands. 0 where the range does not begin at
   * 0x1000, which spares the fetch a load.
   */
  fastCode: i32;
  /** 1 when a TIA write selects a bank (scheme 3F). */
  banksByTia: i32;
}

@unmanaged
export class Input {
  controllerLeft: i32;
  controllerRight: i32;
  swapPorts: i32;
  swapPaddles: i32;
  /** The paddle's highest resistance in ohm; the lowest is the same for every game. */
  paddleHigh: i32;
  /** The player's paddle resistance, and the second player's. */
  paddle: i32;
  secondPaddle: i32;
  // Ports as a read sees them.
  swcha: i32;
  swchb: i32;
  /** SWCHB with no switch held: difficulty and colour. */
  switches: i32;
  inpt4: i32;
  inpt5: i32;
  /** CPU cycles that each pot needs to charge, or POT_OPEN / POT_SHORT. */
  pot0: i32;
  pot1: i32;
  pot2: i32;
  pot3: i32;
  appliedAction: i32;
}

@unmanaged
export class Dpc {
  /** A byte for each of eight fetchers: `load<u8>(DPC_STATE + i)`, bottoms at +8, flags at +16. */
  tops: u64;
  bottoms: u64;
  flags: u64;
  /** Two bytes a fetcher. */
  counters0: u64;
  counters1: u64;
  /** Bit i: fetcher i (5 to 7) makes music. */
  music: i32;
  random: i32;
  /** CPU cycle of the last music step, and the part of a music clock left over. */
  cycle: i32;
  unused: i32;
  fraction: f64;
}

/** The console around the chips: what the cartridge's properties fix, and the frame's progress. */
@unmanaged
export class Console {
  yStart: i32;
  height: i32;
  hmoveBlanks: i32;
  pal: i32;
  /** A TIA write this many clocks after the frame's start ends the frame. */
  frameLimit: i32;
  /** 1 until the frame has ended properly. */
  partial: i32;
  greyed: i32;
  /** Instructions that the frame call may still run; 0 ends it after the present one. */
  left: i32;
  /** Lines of the last complete frame. */
  lines: i32;
  frameNumber: i32;
  instructionsLeft: i32;
}

export const cpu = changetype<Cpu>(CPU_STATE);
export const tia = changetype<Tia>(TIA_STATE);
export const riot = changetype<Riot>(RIOT_STATE);
export const cartridge = changetype<Cartridge>(CARTRIDGE_STATE);
export const dpc = changetype<Dpc>(DPC_STATE);
export const input = changetype<Input>(INPUT_STATE);
export const machine = changetype<Console>(CONSOLE_STATE);
