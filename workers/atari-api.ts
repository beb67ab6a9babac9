import type { MachineView, SpeedMeasure, TraceComparison } from '../src/atari';

/** How an episode starts. */
export interface AtariStart {
  /** Rules for score and end, null to play without any. */
  readonly game: string | null;
  /** 32 bits, for the sticky draws. */
  readonly seed: number;
  /** Probability that a frame repeats the action before. */
  readonly sticky: number;
}

export interface CartridgeView {
  readonly md5: string;
  readonly scheme: string;
  readonly size: number;
  /** Name in the table of known images, null when it is not in it. */
  readonly name: string | null;
  readonly format: 'NTSC' | 'PAL';
  readonly height: number;
  /** Line of the frame that is the picture's first row. */
  readonly first_line: number;
  readonly paddles: boolean;
  /** Rules that fit this image without being asked for, null when none are known. */
  readonly suggested_game: string | null;
}

/** One frame as somebody looks at it. Display only; evidence is made where the frame is. */
export interface FrameView {
  readonly frame: number;
  readonly running: boolean;
  readonly applied: number;
  /** Null without rules. */
  readonly score: number | null;
  readonly terminated: boolean;
  readonly lines: number;
  readonly height: number;
  /** 160 x height, opaque. */
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
  /** Colour register values, 160 x height. */
  readonly indexed: Uint8Array<ArrayBuffer>;
  readonly ram: Uint8Array<ArrayBuffer>;
  readonly machine: MachineView;
  /** SHA-256 of RAM and RGB picture, when they were asked for. */
  readonly digest: { readonly ram: string; readonly rgb: string } | null;
  /** Frames that can be taken back. */
  readonly history: number;
  /** Emulated frames a second, measured over the last second; null while it stands. */
  readonly rate: number | null;
  readonly recorded: number | null;
}

export type RecordingKind = 'webm' | 'apng' | 'gif';

export interface Recording {
  readonly kind: RecordingKind;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly frames: number;
}

/**
 * One cartridge played off the main thread. Everything but `load` throws `atari_no_cartridge` before the first `load`;
 * a call that throws leaves the running episode as it was.
 */
export interface AtariApi {
  /** Puts a cartridge in and starts an episode, paused. Throws the codes of `readCartridge`; nothing is kept then. */
  load(rom: Uint8Array, start: AtariStart | null): Promise<CartridgeView>;
  /** A new episode of the same cartridge, paused. */
  restart(start: AtariStart): Promise<CartridgeView>;

  /** Frames go to `onFrame` from now on, the present one first, never more than one at a time. */
  watch(onFrame: (frame: FrameView) => void, digests: boolean): Promise<void>;
  /** Nobody looks any more: frames are no longer converted, copied or sent. */
  unwatch(): Promise<void>;

  /** The action held from now on. Throws `atari_action_out_of_range`. */
  press(action: number): Promise<void>;
  /** Holds a console switch until it is let go with null. */
  hold(held: 'reset' | 'select' | null): Promise<void>;
  /** Runs at `speed` times sixty frames a second, backwards when negative, as fast as it can when null. */
  run(speed: number | null): Promise<void>;
  pause(): Promise<void>;
  step(frames: number): Promise<void>;
  back(frames: number): Promise<void>;

  save(): Promise<Uint8Array<ArrayBuffer>>;
  /** Throws `atari_snapshot_invalid`, `atari_snapshot_version` or `atari_snapshot_rom`. */
  restore(state: Uint8Array): Promise<void>;

  /** The present picture as PNG, 160 pixels wide, encoded from the emulator's own bytes. */
  screenshot(): Promise<Uint8Array<ArrayBuffer>>;
  /** Records every frame from now on. Throws `recording_unsupported` where WebM cannot be encoded. */
  record(kind: RecordingKind): Promise<void>;
  /** Ends the recording. Throws `recording_empty` when no frame was run meanwhile. */
  endRecording(): Promise<Recording>;

  /**
   * Runs the episode so far once more and gives every frame's digests, with what was pressed, as JSON text. Holds no
   * byte of the ROM. Throws `atari_log_full` for an episode longer than an hour.
   */
  digestLog(onProgress: (done: number, total: number) => void): Promise<string>;
  /** Runs a recorded trace (JSON text) on the cartridge, beside the episode. Throws `atari_trace_invalid`. */
  compare(trace: string): Promise<TraceComparison>;
  /** Frames a second in this worker, beside the episode. */
  measure(frames: number): Promise<SpeedMeasure>;
}
