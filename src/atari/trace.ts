import { sha256Hex } from '../evidence/identity/sha256';
import { FULL_ACTION_SET } from './actions';
import { Console } from './console';
import { createCore } from './core';
import { FrameDigests } from './frame-digests';
import type { Game, HeldEvent } from './games';
import { hexOf } from './hex';
import type { PreludeEvent, Trace } from './trace-form';

export interface TraceComparison {
  readonly frames: number;
  readonly ram_equal: number;
  /** Frames whose picture is equal: by RGB digest, or by indexed digest in a trace that has only that. */
  readonly rgb_equal: number;
  readonly first_difference: null | {
    /** Counted from 1: the frame after the first action. */
    readonly frame: number;
    readonly field: 'ram' | 'rgb';
    readonly expected: string;
    readonly got: string;
  };
}

/** Hex digits of a digest that a trace keeps. */
const DIGITS = 16;

/** After this many frames a worker answers whoever else asks. */
const BREATH = 256;

const short = (digest: string) => digest.slice(0, DIGITS);

/**
 * Runs a recorded trace on an image, from power-on, without any knowledge of the game. Throws the codes of
 * `Console.powered`.
 */
export async function compareTrace(rom: Uint8Array, trace: Trace): Promise<TraceComparison> {
  const console = await Console.powered(rom, { properties: { ...trace.console } });
  console.consoleReset();
  for (const [event, frames] of trace.prelude_events_frames) console.hold(event, frames);
  const { rgb_sha256_16: rgb, screen_sha256_16: screen, ram_sha256_16: ram } = trace;
  let frame = 0;
  let ramEqual = 0;
  let rgbEqual = 0;
  let first: TraceComparison['first_difference'] = null;
  // A trace without digests of a kind has no difference of that kind.
  const equal = (field: 'ram' | 'rgb', expected: readonly string[] | undefined, got: string): boolean => {
    const wanted = expected?.[frame - 1];
    if (expected === undefined || wanted === got) return true;
    first ??= { frame, field, expected: wanted ?? 'none', got };
    return false;
  };
  const indexed: string[] = [];
  const digests = new FrameDigests(console, (digest) => {
    frame += 1;
    if (equal('ram', ram, short(digest.ram))) ramEqual += 1;
    const picture =
      rgb === undefined ? equal('rgb', screen, indexed.shift() ?? '') : equal('rgb', rgb, short(digest.rgb));
    if (picture) rgbEqual += 1;
  });
  for (const [index, action] of trace.actions.entries()) {
    if (index % BREATH === BREATH - 1) await new Promise<void>((resolve) => setTimeout(resolve, 0));
    console.step(action);
    if (rgb === undefined && screen !== undefined) indexed.push(short(sha256Hex(console.picture)));
    digests.add();
  }
  digests.flush();
  return { frames: trace.actions.length, ram_equal: ramEqual, rgb_equal: rgbEqual, first_difference: first };
}

export interface TraceRequest {
  /** Rules to play by; null runs the cartridge without any. */
  readonly game: Game | null;
  readonly properties?: { readonly [key: string]: unknown };
  readonly frames: number;
  /** What to press: nothing, a list repeated as often as needed, or seeded random actions. */
  readonly script: 'noop' | readonly number[] | { readonly seed: number };
  /** Probability that a frame repeats the action applied before. */
  readonly sticky: number;
}

/**
 * Records a trace of an image: one environment reset, then `frames` frames, fewer when the game ends. `actions` are
 * those applied, so that the trace needs no random numbers to be run again.
 */
export async function recordTrace(rom: Uint8Array, request: TraceRequest): Promise<Trace> {
  const { game, sticky, script } = request;
  const options = { game, sticky, properties: request.properties ?? {} };
  const console = await Console.powered(rom, options);
  const prelude: PreludeEvent[] = [];
  console.environmentReset((event: HeldEvent, frames: number) => {
    prelude.push([event, frames]);
  });
  const choose = await chooser(
    script,
    game?.actions ?? console.cartridge.known?.minimalActions ?? FULL_ACTION_SET,
  );
  const seed = typeof script === 'object' && 'seed' in script ? script.seed : 0;
  console.seed(seed);
  const start_ram_hex = hexOf(console.ram);
  const start_rgb_sha256 = sha256Hex(console.rgb());
  const requested: number[] = [];
  const actions: number[] = [];
  const rewards: number[] = [];
  const ram: string[] = [];
  const screen: string[] = [];
  const rgb: string[] = [];
  const digests = new FrameDigests(console, (digest) => {
    ram.push(short(digest.ram));
    rgb.push(short(digest.rgb));
  });
  for (let frame = 0; frame < request.frames && !console.terminated; frame += 1) {
    const action = choose(frame);
    const result = console.step(action);
    requested.push(action);
    actions.push(result.appliedAction);
    rewards.push(result.reward);
    screen.push(short(sha256Hex(console.picture)));
    digests.add();
  }
  digests.flush();
  return {
    kind: 'pixelproof-atari-trace-v1',
    name: game?.name ?? console.cartridge.known?.name ?? null,
    rom_bytes: rom.length,
    rom_md5: console.cartridge.md5,
    console: console.properties,
    prelude_events_frames: prelude,
    start_ram_hex,
    start_rgb_sha256,
    sticky,
    ...(sticky > 0 ? { requested_actions: requested } : {}),
    actions,
    ...(game === null ? {} : { rewards }),
    ram_sha256_16: ram,
    screen_sha256_16: screen,
    rgb_sha256_16: rgb,
  };
}

/** Words of MT19937 with the seed pick an action each, by remainder. */
async function chooser(
  script: TraceRequest['script'],
  actions: readonly number[],
): Promise<(frame: number) => number> {
  if (script === 'noop') return () => 0;
  if (!('seed' in script)) return (frame) => script[frame % script.length] ?? 0;
  const { calls } = await createCore();
  calls.seed(script.seed);
  return () => actions[(calls.random_word() >>> 0) % actions.length] ?? 0;
}
