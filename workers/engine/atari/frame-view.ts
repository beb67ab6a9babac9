import { type Console, frameDigest } from '../../../src/atari';
import type { FrameView } from '../../atari-api';

const WIDTH = 160;

/** What the session knows beside the console. */
type Around = Pick<FrameView, 'running' | 'history' | 'rate' | 'recorded'>;

/** The console's present frame for somebody who looks. Copies everything, so the console may go on. */
export async function viewOf(console: Console, around: Around, digests: boolean): Promise<FrameView> {
  const rgb = console.rgb();
  const pixels = WIDTH * console.height;
  const words = new Uint32Array(pixels);
  for (let i = 0, at = 0; i < pixels; i += 1, at += 3) {
    words[i] = 0xff000000 | ((rgb[at + 2] ?? 0) << 16) | ((rgb[at + 1] ?? 0) << 8) | (rgb[at] ?? 0);
  }
  const view = {
    ...around,
    frame: console.frameNumber,
    applied: console.appliedAction,
    score: console.game === null ? null : console.game.score(console.ram),
    terminated: console.terminated,
    lines: console.lines,
    height: console.height,
    rgba: new Uint8ClampedArray(words.buffer),
    indexed: console.picture.slice(),
    ram: console.ram.slice(),
    machine: console.inspect(),
  };
  return { ...view, digest: digests ? await frameDigest(console) : null };
}

/** The buffers that move to the page instead of being copied. */
export function buffersOf(view: FrameView): ArrayBuffer[] {
  return [view.rgba.buffer, view.indexed.buffer, view.ram.buffer];
}
