import { GIFEncoder } from 'gifenc';
import { nothingRecorded, type Recorder, VIEWING_FRAMES } from './recorder';

/** GIF counts hundredths of a second, and browsers slow anything under two of them down. */
const DELAY_MS = 20;

/**
 * A GIF of the frames as they are: the console's colours are its palette, so no pixel changes. It plays at 50 frames a
 * second, a sixth slower than the console; none is left out, for many games draw an object only every other frame.
 * `palette` is 256 words 0x00BBGGRR by colour register value. Stops taking frames after two minutes.
 */
export function gifRecorder(palette: Uint32Array): Recorder {
  const encoder = GIFEncoder();
  const colours = Array.from(
    palette,
    (word) => [word & 0xff, (word >> 8) & 0xff, (word >> 16) & 0xff] as const,
  );
  let frames = 0;
  return {
    kind: 'gif',
    get frames() {
      return frames;
    },
    busy: false,
    add({ indexed, width, height }) {
      if (frames === VIEWING_FRAMES) return;
      const first = frames === 0 ? { palette: colours } : {};
      encoder.writeFrame(indexed, width, height, { ...first, delay: DELAY_MS });
      frames += 1;
    },
    settled: async () => undefined,
    async finish() {
      if (frames === 0) throw nothingRecorded();
      encoder.finish();
      return { kind: 'gif', bytes: encoder.bytes(), frames };
    },
  };
}
