// Bundled by atari-traces.spec.ts and started as a worker: replays one reference file for each message.
import { replayBoot, replayRandom, replayScript, replaySeed } from '../../src/atari/testing/replay';

const REPLAYS = { boot: replayBoot, script: replayScript, seed: replaySeed, random: replayRandom };

export interface ReplayRequest {
  readonly kind: keyof typeof REPLAYS;
  readonly rom: Uint8Array;
  /** A file of fixtures/atari, as JSON text. */
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
