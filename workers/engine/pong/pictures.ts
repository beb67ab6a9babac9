import { boxesFromRam } from '../../../src/experiments/pong-controls/boxes';
import type { PongMachine } from '../../../src/experiments/pong-controls/machine';
import type { PongPicture } from '../../pong-api';

const PIXELS = 160 * 210;

/** RGB bytes as the screen takes them, opaque. */
export function rgbaOf(rgb: Uint8Array): Uint8ClampedArray<ArrayBuffer> {
  const words = new Uint32Array(PIXELS);
  for (let i = 0, at = 0; i < PIXELS; i += 1, at += 3)
    words[i] = 0xff000000 | ((rgb[at + 2] ?? 0) << 16) | ((rgb[at + 1] ?? 0) << 8) | (rgb[at] ?? 0);
  return new Uint8ClampedArray(words.buffer);
}

/** What the machine shows now, copied. */
export function pictureOf(
  machine: PongMachine,
  at: Pick<PongPicture, 'seed' | 'arm' | 'decision' | 'rawFrame'>,
): PongPicture {
  return { ...at, rgba: rgbaOf(machine.rgb()), boxes: boxesFromRam(machine.ram) };
}
