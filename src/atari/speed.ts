import { Console } from './console';
import { FrameDigests } from './frame-digests';
import { gameNamed } from './games';

export interface SpeedMeasure {
  readonly frames: number;
  readonly frames_per_second_ram: number;
  readonly frames_per_second_sha256: number;
  /** So that no engine can leave the reads out. */
  readonly checksum: number;
}

/** The engine compiles the core while it warms up. */
const WARM_UP = 1000;

/**
 * Frames a second of an image, nothing pressed, on the calling thread: with a byte of RAM read each frame, and with
 * SHA-256 of RAM and RGB picture of each frame. A game whose rules are known begins again when it is over, so that it is
 * always played. `clock` gives milliseconds. Throws the codes of `Console.load`.
 */
export async function measureSpeed(
  rom: Uint8Array,
  frames: number,
  clock: () => number,
): Promise<SpeedMeasure> {
  const known = (await Console.powered(rom)).cartridge.known;
  const console = await Console.load(rom, { game: known === null ? null : gameNamed(known.rules) });
  let checksum = 0;
  const digests = new FrameDigests(console, (digest) => {
    checksum += digest.ram.length + digest.rgb.length;
  });
  const run = (count: number, look: (frame: number) => void): number => {
    const started = clock();
    for (let frame = 0; frame < count; frame += 1) {
      if (console.step(0).terminated) console.environmentReset();
      look(frame);
    }
    digests.flush();
    return (count * 1000) / (clock() - started);
  };
  const read = (frame: number): void => {
    checksum += console.ram[frame & 127] ?? 0;
  };
  run(Math.min(WARM_UP, frames), read);
  return {
    frames,
    frames_per_second_ram: run(frames, read),
    frames_per_second_sha256: run(frames, () => digests.add()),
    checksum,
  };
}
