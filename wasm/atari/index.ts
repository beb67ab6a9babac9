// What the host calls. It writes the image to ROM, the palette to PALETTE, and reads pictures and RAM where layout.ts says.
import { insert, mapAll } from './cartridge';
import { frame, linesRun, powerOn, resetConsole, setFormat } from './console';
import { spreadPlayfield } from './draw';
import { centrePaddles, unsetPaddles } from './input';
import { ENVIRONMENT_RANDOM, MAP_BASE, MAP_END, STATE_BEGIN, STATE_END } from './layout';
import { nextWord, seedTwister } from './mersenne';
import { cpu, input, machine, tia } from './state';
import { fillTables } from './tables';

export { digest_kept, keep_frame } from './digest';
export { prepareRuns, toRgb } from './rgb';

memory.grow(MAP_END / 0x10000 - memory.size());
if (<i32>__heap_base > MAP_BASE) unreachable();
fillTables();

/** Takes the image at ROM: a scheme of layout.ts and the image's size in bytes. Forgets everything before. */
export function load_cartridge(scheme: i32, size: i32): void {
  memory.fill(STATE_BEGIN, 0, STATE_END - STATE_BEGIN);
  insert(scheme, size);
}

/** What the cartridge's properties fix. `switches` is SWCHB with nothing held. */
export function configure(
  yStart: i32,
  height: i32,
  hmoveBlanks: i32,
  left: i32,
  right: i32,
  swapPorts: i32,
  swapPaddles: i32,
  paddleHigh: i32,
): void {
  machine.yStart = yStart;
  machine.height = height;
  machine.hmoveBlanks = hmoveBlanks;
  input.controllerLeft = left;
  input.controllerRight = right;
  input.swapPorts = swapPorts;
  input.swapPaddles = swapPaddles;
  input.paddleHigh = paddleHigh;
}

export function power_on(): void {
  unsetPaddles();
  powerOn();
}

export function set_format(pal: i32): void {
  setFormat(pal);
}

export function set_height(height: i32): void {
  machine.height = height;
}

export function set_switches(swchb: i32): void {
  input.switches = swchb;
}

export function reset_console(): void {
  resetConsole();
}

export function centre_paddles(): void {
  centrePaddles();
}

export function seed(value: u32): void {
  seedTwister(ENVIRONMENT_RANDOM, value);
}

/** The next word of the environment's random numbers. */
export function random_word(): u32 {
  return nextWord(ENVIRONMENT_RANDOM);
}

/** Runs `count` frames with an action held, without random draws. */
export function run_frames(action: i32, count: i32): void {
  for (let i = 0; i < count; i++) frame(action);
}

/**
 * Runs `count` frames as an agent acts: two draws a frame, of which the first decides whether the action applied before
 * is repeated (draw below `sticky`). Returns the action applied last.
 */
export function act(action: i32, count: i32, sticky: f64): i32 {
  for (let i = 0; i < count; i++) {
    const draw = <f64>nextWord(ENVIRONMENT_RANDOM) / 4294967296.0;
    nextWord(ENVIRONMENT_RANDOM);
    if (draw >= sticky) input.appliedAction = action;
    frame(input.appliedAction);
  }
  return input.appliedAction;
}

export function set_applied_action(action: i32): void {
  input.appliedAction = action;
}

export function applied_action(): i32 {
  return input.appliedAction;
}

/** Address of the indexed picture, rows of 160 bytes. */
export function picture(): i32 {
  return tia.picture;
}

export function frame_number(): i32 {
  return machine.frameNumber;
}

export function set_frame_number(n: i32): void {
  machine.frameNumber = n;
}

/** 1 while the frame begun has not ended. */
export function unfinished(): i32 {
  return machine.partial;
}

export function jammed(): i32 {
  return cpu.jammed;
}

export function lines(): i32 {
  return linesRun();
}

/** After the host has put a snapshot into the state region: rebuilds what is derived from it. */
export function restored(): void {
  mapAll();
  if (!tia.playfieldStale) spreadPlayfield();
}
