import * as layout from '../../wasm/atari/layout';
import { PixelproofError } from '../errors';
import { checkAction } from './actions';
import { type Cartridge, readCartridge, SCHEME_NUMBERS } from './cartridge';
import { type Core, createCore } from './core';
import type { Game, HeldEvent } from './games';
import { hexOf } from './hex';
import { type MachineView, readMachine } from './machine-view';
import { palette } from './palette';
import { type CartridgeProperties, checkProperties, DEFAULT_PROPERTIES } from './properties';
import { readSnapshot, type SnapshotHead, writeSnapshot } from './snapshot';

export interface ConsoleOptions {
  /** Rules for reward and end; null plays without any. */
  readonly game?: Game | null;
  /** Over what the ROM table says of the image, and over the defaults. */
  readonly properties?: { readonly [key: string]: unknown };
  /** Probability that a frame repeats the action applied before, 0 to 1. */
  readonly sticky?: number;
}

/** SHA-256 of a frame's RAM (128 bytes) and of its RGB picture (height x 160 x 3 bytes), 64 lowercase hex digits each. */
export interface FrameDigest {
  readonly ram: string;
  readonly rgb: string;
}

export interface StepResult {
  /** Change of score over the frames run; 0 without a game. */
  readonly reward: number;
  /** Frames actually run: fewer than asked for when the game ended. */
  readonly frames: number;
  readonly terminated: boolean;
  /** The action that the last frame applied, which a sticky draw can make differ from the one asked for. */
  readonly appliedAction: number;
}

/** Frames that are hashed at once, and the length of SHA-256. */
export const LANES = 4;
const DIGEST_BYTES = 32;
/** SWCHB with no switch held: colour, both difficulties B. */
const SWITCHES_IDLE = 0x3f;
// Format detection, as the reference does it: sixty frames, of which the last thirty vote.
const DETECTION_FRAMES = 60;
const DETECTION_FROM = 30;
const PAL_LINES = 285;
const PAL_VOTES = 15;
const PAL_HEIGHT = 250;
const NTSC_HEIGHT = 210;
/** Frames of one call are counted in 32 bits. */
const MOST_FRAMES = 0x7fffffff;
/** A cartridge that has not ended a frame after this many frame calls draws none. */
const HOPELESS_CALLS = 60;

/**
 * An Atari 2600 with a cartridge. Deterministic: no clock, no shared random numbers; two consoles that are given the
 * same calls hold the same bytes. Frames are bit-exact with ale_py 0.12.1 in RAM and picture.
 */
export class Console {
  readonly cartridge: Cartridge;
  readonly properties: CartridgeProperties;
  readonly game: Game | null;
  readonly ram: Uint8Array<ArrayBuffer>;
  readonly #core: Core;
  readonly #sticky: number;
  #format: 'NTSC' | 'PAL' = 'NTSC';
  #height: number;
  #score = 0;
  #terminated = false;

  private constructor(core: Core, cartridge: Cartridge, options: ConsoleOptions) {
    this.#core = core;
    this.cartridge = cartridge;
    this.ram = core.ram;
    this.game = options.game ?? null;
    this.properties = {
      ...DEFAULT_PROPERTIES,
      ...cartridge.known?.properties,
      ...checkProperties(options.properties ?? {}),
    };
    this.#sticky = checkSticky(options.sticky ?? 0);
    this.#height = this.properties.height;
  }

  /**
   * A powered console with the cartridge in it, after one environment reset. Throws the codes of `readCartridge`,
   * `atari_properties_invalid`, `atari_sticky_out_of_range`, and `atari_no_frame` for a program that never draws.
   */
  static async load(rom: Uint8Array, options: ConsoleOptions = {}): Promise<Console> {
    const console = await Console.powered(rom, options);
    console.environmentReset();
    return console;
  }

  /** As `load`, but only powered: format found and one console reset, no environment reset. */
  static async powered(rom: Uint8Array, options: ConsoleOptions = {}): Promise<Console> {
    const cartridge = readCartridge(rom);
    const console = new Console(await createCore(), { ...cartridge, rom: rom.slice() }, options);
    console.powerOn();
    return console;
  }

  /** A second console in the same state. */
  async clone(): Promise<Console> {
    const twin = new Console(await createCore(), this.cartridge, {
      game: this.game,
      properties: { ...this.properties },
      sticky: this.#sticky,
    });
    twin.#insert();
    twin.restore(this.snapshot());
    return twin;
  }

  /** Rows of the picture. */
  get height(): number {
    return this.#height;
  }

  get format(): 'NTSC' | 'PAL' {
    return this.#format;
  }

  /** Frames since the last environment reset. */
  get frameNumber(): number {
    return this.#core.calls.frame_number();
  }

  get appliedAction(): number {
    return this.#core.calls.applied_action();
  }

  /** Whether the game is over; then `step` runs nothing until a reset. */
  get terminated(): boolean {
    return this.#terminated;
  }

  /** Scan lines of the last finished frame, shown or not. */
  get lines(): number {
    return this.#core.calls.lines();
  }

  /** Registers of processor and TIA as they stand after the last frame. For looking only. */
  inspect(): MachineView {
    return readMachine(this.#core);
  }

  /** The picture as colour register values, height x 160, live until the next frame. */
  get picture(): Uint8Array<ArrayBuffer> {
    const { calls, bytes } = this.#core;
    const at = calls.picture();
    return bytes.subarray(at, at + this.#height * layout.PICTURE_WIDTH);
  }

  /** The picture in RGB, height x 160 x 3 bytes, live until the next call of this. */
  rgb(): Uint8Array<ArrayBuffer> {
    this.#core.calls.toRgb();
    return this.#core.bytes.subarray(layout.RGB, layout.RGB + this.#height * layout.PICTURE_WIDTH * 3);
  }

  /** Keeps the present frame in a lane, 0 to 3, for `keptDigests`. `FrameDigests` does both in turn. */
  keepFrame(lane: number): void {
    this.#core.calls.keep_frame(lane);
  }

  /** SHA-256 of the frames kept in the first `lanes` lanes, 1 to 4; all four lanes are worked at once. */
  keptDigests(lanes: number): FrameDigest[] {
    const { calls, bytes } = this.#core;
    calls.digest_kept();
    const digest = (n: number) =>
      hexOf(bytes.subarray(layout.DIGESTS + DIGEST_BYTES * n, layout.DIGESTS + DIGEST_BYTES * (n + 1)));
    return Array.from({ length: lanes }, (_, lane) => ({ ram: digest(lane), rgb: digest(LANES + lane) }));
  }

  /**
   * Starts an episode as the reference does for a seed: a fresh console, one environment reset, and a second. The seed
   * (32 bits) drives sticky actions only; RAM and timer at power-on are the same for all seeds.
   */
  reset(seed: number): void {
    checkSeed(seed);
    this.powerOn();
    this.seed(seed);
    this.environmentReset();
    this.environmentReset();
  }

  /** Seeds the random numbers of sticky actions. Throws `atari_seed_out_of_range`. */
  seed(seed: number): void {
    checkSeed(seed);
    this.#core.calls.seed(seed);
  }

  /**
   * Runs `frames` frames with an action held, stopping when the game ends. Two random draws a frame. An action outside
   * 0 to 17 throws `atari_action_out_of_range`, a frame count that is not an integer from 1 to 2147483647
   * `atari_frames_out_of_range`; both before anything has run.
   */
  step(action: number, frames = 1): StepResult {
    checkAction(action);
    if (!Number.isInteger(frames) || frames < 1 || frames > MOST_FRAMES) {
      throw new PixelproofError('atari_frames_out_of_range', 'A step runs a whole number of frames.', {
        expected: `an integer from 1 to ${MOST_FRAMES}`,
        got: frames,
      });
    }
    const { calls } = this.#core;
    if (this.game === null) {
      calls.act(action, frames, this.#sticky);
      return { reward: 0, frames, terminated: false, appliedAction: calls.applied_action() };
    }
    const before = this.#score;
    let done = 0;
    while (done < frames && !this.#terminated) {
      calls.act(action, 1, this.#sticky);
      done += 1;
      this.#terminated = this.game.ended(this.ram);
    }
    this.#score = this.game.score(this.ram);
    return {
      reward: done === 0 ? 0 : this.#score - before,
      frames: done,
      terminated: this.#terminated,
      appliedAction: calls.applied_action(),
    };
  }

  /** Everything but the cartridge's bytes, as versioned bytes. */
  snapshot(): Uint8Array<ArrayBuffer> {
    const head: SnapshotHead = {
      md5: this.cartridge.md5,
      pal: this.#format === 'PAL',
      height: this.#height,
      terminated: this.#terminated,
      score: this.#score,
    };
    return writeSnapshot(this.#core, head);
  }

  /**
   * Goes to a snapshot's state. Throws `atari_snapshot_invalid`, `atari_snapshot_version` or `atari_snapshot_rom`; the
   * running episode is then untouched.
   */
  restore(snapshot: Uint8Array): void {
    const head = readSnapshot(this.#core, snapshot, this.cartridge.md5);
    this.#height = head.height;
    this.#terminated = head.terminated;
    this.#score = head.score;
    this.#setFormat(head.pal ? 'PAL' : 'NTSC');
    this.#core.calls.restored();
  }

  /** Power off and on: RAM and random numbers as from the factory, format found, one console reset. */
  powerOn(): void {
    const { calls } = this.#core;
    this.#insert();
    this.#height = this.properties.height;
    const { format, left_difficulty, right_difficulty } = this.properties;
    calls.set_switches(
      SWITCHES_IDLE | (left_difficulty === 'A' ? 0x40 : 0) | (right_difficulty === 'A' ? 0x80 : 0),
    );
    calls.power_on();
    this.#setFormat(format === 'PAL' ? 'PAL' : 'NTSC');
    if (format === 'AUTO-DETECT') this.#detectFormat();
    if (this.#format === 'PAL' && this.#height === NTSC_HEIGHT) this.#height = PAL_HEIGHT;
    calls.set_height(this.#height);
    calls.reset_console();
    calls.set_switches(SWITCHES_IDLE);
    this.#begin();
  }

  /** The console's own reset, and the paddles back in the middle. RAM keeps its contents. */
  consoleReset(): void {
    this.#core.calls.centre_paddles();
    this.#core.calls.reset_console();
  }

  /** Runs frames with an event held, without random draws, reward or end. */
  hold(event: HeldEvent, frames: number): void {
    this.#core.calls.run_frames(actionOf(event), frames);
  }

  /** Brings the game to its start as the reference's environment does. `hold` can be watched through `onHold`. */
  environmentReset(onHold?: (event: HeldEvent, frames: number) => void): void {
    const hold = (event: HeldEvent, frames: number) => {
      onHold?.(event, frames);
      this.hold(event, frames);
    };
    this.consoleReset();
    hold('noop', 60);
    hold('reset', 4);
    if (this.game !== null) this.game.selectMode({ ram: this.ram, hold });
    hold('reset', 4);
    for (const action of this.game?.startingActions ?? []) hold(action, 1);
    this.#begin();
  }

  #begin(): void {
    this.#core.calls.set_applied_action(layout.ACTION_NOOP);
    this.#core.calls.set_frame_number(0);
    this.#score = this.game === null ? 0 : this.game.score(this.ram);
    this.#terminated = false;
  }

  #insert(): void {
    const { calls, bytes } = this.#core;
    const { rom, scheme } = this.cartridge;
    bytes.fill(0, layout.ROM, layout.ROM + layout.ROM_LIMIT);
    bytes.set(rom, layout.ROM);
    calls.load_cartridge(SCHEME_NUMBERS[scheme], rom.length);
    const p = this.properties;
    calls.configure(
      p.ystart,
      p.height,
      flag(p.hmove_blanks),
      jack(p.controller_left),
      jack(p.controller_right),
      flag(p.swap_ports),
      flag(p.swap_paddles),
      p.paddle_high,
    );
  }

  #detectFormat(): void {
    const { calls } = this.#core;
    calls.reset_console();
    let votes = 0;
    let ended = 0;
    for (let frame = 0; frame < DETECTION_FRAMES; frame += 1) {
      calls.run_frames(layout.ACTION_NOOP, 1);
      if (frame >= DETECTION_FROM && calls.lines() > PAL_LINES) votes += 1;
      if (!calls.unfinished()) ended += 1;
    }
    if (ended === 0) {
      throw new PixelproofError('atari_no_frame', 'This program never draws a frame.', {
        expected: `a vertical sync within ${layout.INSTRUCTIONS_PER_FRAME * HOPELESS_CALLS} instructions`,
        got: calls.jammed() ? 'an opcode that stops the processor' : 'none',
      });
    }
    this.#setFormat(votes >= PAL_VOTES ? 'PAL' : 'NTSC');
  }

  #setFormat(format: 'NTSC' | 'PAL'): void {
    const { calls, bytes } = this.#core;
    this.#format = format;
    calls.set_format(format === 'PAL' ? 1 : 0);
    bytes.set(new Uint8Array(palette(format).buffer), layout.PALETTE);
    calls.prepareRuns();
  }
}

function flag(value: 'YES' | 'NO'): number {
  return value === 'YES' ? 1 : 0;
}

function jack(controller: CartridgeProperties['controller_left']): number {
  return controller === 'PADDLES' ? layout.CONTROLLER_PADDLES : layout.CONTROLLER_JOYSTICK;
}

function actionOf(event: HeldEvent): number {
  if (event === 'noop') return layout.ACTION_NOOP;
  if (event === 'reset') return layout.ACTION_RESET;
  if (event === 'select') return layout.ACTION_SELECT;
  checkAction(event);
  return event;
}

function checkSeed(seed: number): void {
  if (Number.isInteger(seed) && seed >= 0 && seed <= 0xffffffff) return;
  throw new PixelproofError('atari_seed_out_of_range', 'A seed is a 32-bit number.', {
    expected: 'an integer from 0 to 4294967295',
    got: seed,
  });
}

function checkSticky(sticky: number): number {
  if (!(sticky >= 0 && sticky <= 1)) {
    throw new PixelproofError('atari_sticky_out_of_range', 'The sticky-action probability is not possible.', {
      expected: 'a number from 0 to 1',
      got: sticky,
    });
  }
  return sticky;
}
