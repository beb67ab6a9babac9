import * as layout from '../../wasm/atari/layout';
import { wasmBase64 } from '../../wasm/build/atari.js';

/** What wasm/atari/index.ts exports. Flags are 0 or 1. */
interface CoreExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  load_cartridge(scheme: number, size: number): void;
  configure(
    yStart: number,
    height: number,
    hmoveBlanks: number,
    left: number,
    right: number,
    swapPorts: number,
    swapPaddles: number,
    paddleHigh: number,
  ): void;
  power_on(): void;
  set_format(pal: number): void;
  set_height(height: number): void;
  set_switches(swchb: number): void;
  reset_console(): void;
  centre_paddles(): void;
  seed(value: number): void;
  random_word(): number;
  run_frames(action: number, count: number): void;
  act(action: number, count: number, sticky: number): number;
  set_applied_action(action: number): void;
  applied_action(): number;
  picture(): number;
  frame_number(): number;
  set_frame_number(frame: number): void;
  unfinished(): number;
  jammed(): number;
  lines(): number;
  restored(): void;
  prepareRuns(): void;
  toRgb(): void;
  keep_frame(lane: number): void;
  digest_kept(): void;
}

/** One machine: an instance of the module with a memory of its own. */
export interface Core {
  readonly calls: CoreExports;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The 128 bytes of RAM, live. */
  readonly ram: Uint8Array<ArrayBuffer>;
  readonly view: DataView<ArrayBuffer>;
}

let module: Promise<WebAssembly.Module> | null = null;

/** Compiles the module once and gives a fresh machine each time. */
export async function createCore(): Promise<Core> {
  module ??= WebAssembly.compile(decode(wasmBase64));
  const instance = new WebAssembly.Instance(await module, {
    env: {
      abort: () => {
        throw new Error('The Atari core stopped at an assertion.');
      },
    },
  });
  const calls = instance.exports as unknown as CoreExports;
  const buffer = calls.memory.buffer;
  return {
    calls,
    bytes: new Uint8Array(buffer),
    ram: new Uint8Array(buffer, layout.RAM, 128),
    view: new DataView(buffer),
  };
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  return bytes;
}
