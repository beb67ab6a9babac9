import { sha256Hex } from '../evidence/identity/sha256';
import { FULL_ACTION_SET } from './actions';
import { Console } from './console';
import { createCore } from './core';
import { platformSha256, type Sha256 } from './digest';
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

/** Pictures that may wait for their digest at once; each is 100 KB. */
const IN_FLIGHT = 16;

/**
 * Runs a recorded trace on an image, from power-on, without any knowledge of the game. Throws the codes of
 * `Console.powered`.
 */
export async function compareTrace(
  rom: Uint8Array,
  trace: Trace,
  sha256: Sha256 = platformSha256,
): Promise<TraceComparison> {
  const console = await Console.powered(rom, { properties: { ...trace.console } });
  console.consoleReset();
  for (const [event, frames] of trace.prelude_events_frames) console.hold(event, frames);
  const pictures = trace.rgb_sha256_16 ?? trace.screen_sha256_16 ?? [];
  const picture = () => (trace.rgb_sha256_16 === undefined ? console.picture : console.rgb());
  let ramEqual = 0;
  let rgbEqual = 0;
  let first: TraceComparison['first_difference'] = null;
  const note = (frame: number, field: 'ram' | 'rgb', expected: string | undefined, got: string): boolean => {
    if (expected === got) return true;
    // Digests of pictures arrive late, so a later RAM difference may already be noted; of one frame RAM is named.
    if (first === null || frame < first.frame) first = { frame, field, expected: expected ?? 'none', got };
    return false;
  };
  let waiting: Promise<void>[] = [];
  for (const [index, action] of trace.actions.entries()) {
    console.step(action);
    const frame = index + 1;
    if (note(frame, 'ram', trace.ram_sha256_16[index], sha256Hex(console.ram).slice(0, DIGITS)))
      ramEqual += 1;
    const expected = pictures[index];
    const digested = sha256(picture());
    waiting.push(
      Promise.resolve(digested).then((hex) => {
        if (expected === undefined || note(frame, 'rgb', expected, hex.slice(0, DIGITS))) rgbEqual += 1;
      }),
    );
    if (waiting.length === IN_FLIGHT) {
      await Promise.all(waiting);
      waiting = [];
    }
  }
  await Promise.all(waiting);
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
export async function recordTrace(
  rom: Uint8Array,
  request: TraceRequest,
  sha256: Sha256 = platformSha256,
): Promise<Trace> {
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
  const start_rgb_sha256 = await sha256(console.rgb());
  const requested: number[] = [];
  const actions: number[] = [];
  const rewards: number[] = [];
  const ram: string[] = [];
  const screen: string[] = [];
  const rgb: (string | Promise<string>)[] = [];
  for (let frame = 0; frame < request.frames && !console.terminated; frame += 1) {
    const action = choose(frame);
    const result = console.step(action);
    requested.push(action);
    actions.push(result.appliedAction);
    rewards.push(result.reward);
    ram.push(sha256Hex(console.ram).slice(0, DIGITS));
    screen.push(sha256Hex(console.picture).slice(0, DIGITS));
    rgb.push(sha256(console.rgb()));
    if (frame % IN_FLIGHT === 0) await rgb.at(-1);
  }
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
    rgb_sha256_16: (await Promise.all(rgb)).map((digest) => digest.slice(0, DIGITS)),
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
