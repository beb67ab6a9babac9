// Bundled by atari-traces.spec.ts and started as a worker: replays one reference file for each message.
import { compareTrace, readTrace } from '../../src/atari';
import {
  type Replayed,
  replayBoot,
  replayRandom,
  replayScript,
  replaySeed,
} from '../../src/atari/testing/replay';

/** A trace in the form that the command line compares with. */
async function replayTrace(rom: Uint8Array, file: unknown): Promise<Replayed> {
  const { frames, first_difference: first } = await compareTrace(rom, readTrace(file));
  return { frames, difference: first === null ? null : JSON.stringify(first) };
}

const REPLAYS = {
  boot: replayBoot,
  script: replayScript,
  seed: replaySeed,
  random: replayRandom,
  trace: replayTrace,
};

export interface ReplayRequest {
  readonly kind: keyof typeof REPLAYS;
  readonly rom: Uint8Array;
  /** A reference file, as JSON text. */
  readonly file: string;
}

addEventListener('message', (event: MessageEvent<ReplayRequest>) => {
  const { kind, rom, file } = event.data;
  REPLAYS[kind](rom, JSON.parse(file)).then(
    (result) => postMessage(result),
    (error: unknown) => postMessage({ frames: 0, difference: String(error) }),
  );
});
// The module's imports await; a message sent before this one would be lost.
postMessage('ready');
