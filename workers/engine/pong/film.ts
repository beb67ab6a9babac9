import { PixelproofError } from '../../../src/errors';
import { environmentSeed, resetNoops } from '../../../src/experiments/pong-controls/environment';
import type { PongMachine } from '../../../src/experiments/pong-controls/machine';
import { ACTIONS } from '../../../src/experiments/pong-controls/protocol';
import { SeedSequence } from '../../../src/numeric/seed-sequence';
import { webmRecorder } from '../atari/recorder';
import type { EpisodeFile } from './episode-file';

const WIDTH = 160;
const HEIGHT = 210;
/** Frames after which others get their turn. */
const REPORT_EVERY = 60;

interface Screen {
  readonly machine: PongMachine;
  readonly codes: readonly number[];
}

export interface FilmOptions {
  readonly signal: AbortSignal;
  readonly onFrame: (done: number, total: number) => void;
}

/**
 * A video of one episode, or of up to four side by side in two rows, at the clock of the simulation: time that a model
 * took is not in it. The pictures are executed again from the recorded actions. Throws `recording_unsupported`,
 * `recording_failed`, `pong_record` for nothing to show.
 */
export async function filmOf(
  episodes: readonly { readonly machine: PongMachine; readonly file: EpisodeFile }[],
  { signal, onFrame }: FilmOptions,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly frames: number }> {
  const screens = episodes.slice(0, 4).map(({ machine, file }): Screen => {
    machine.reset(environmentSeed(new SeedSequence(file.seed).words(2)));
    for (let i = 0; i < resetNoops(file.seed); i += 1) machine.step(0);
    const codes = file.actions.flatMap((action, at) =>
      Array.from({ length: file.holds[at] ?? 4 }, () => ACTIONS.find(({ id }) => id === action)?.code ?? 0),
    );
    return { machine, codes };
  });
  const total = Math.max(0, ...screens.map(({ codes }) => codes.length));
  if (total === 0) throw new PixelproofError('pong_record', 'There is no frame to film.', { got: 'none' });
  const many = screens.length > 1;
  const [width, height] = many ? [WIDTH * 2, HEIGHT * 2] : [WIDTH, HEIGHT];
  const recorder = await webmRecorder(height, width, many ? { x: 2, y: 1 } : { x: 4, y: 2 });
  for (let frame = 0; frame < total; frame += 1) {
    signal.throwIfAborted();
    const data = new Uint8Array(width * height * 3);
    for (const [place, { machine, codes }] of screens.entries()) {
      const code = codes[frame];
      // An episode that ended keeps its last picture.
      if (code !== undefined) machine.step(code);
      paste(data, width, machine.rgb(), (place % 2) * WIDTH, Math.floor(place / 2) * HEIGHT);
    }
    recorder.add({ width, height, data });
    if (recorder.busy) await recorder.settled();
    if (frame % REPORT_EVERY === 0) onFrame(frame, total);
  }
  onFrame(total, total);
  const { bytes, frames } = await recorder.finish();
  return { bytes, frames };
}

function paste(into: Uint8Array, width: number, rgb: Uint8Array, left: number, top: number): void {
  for (let y = 0; y < HEIGHT; y += 1)
    into.set(rgb.subarray(y * WIDTH * 3, (y + 1) * WIDTH * 3), ((top + y) * width + left) * 3);
}
