import { parentPort, workerData } from 'node:worker_threads';
import { insertCartridge, type SweepArm, sweepEpisode } from '../src/experiments/pong-controls';

// One thread of a sweep: a seed in, the episodes of all arms out.
const { rom, arms, frames } = workerData as { rom: Uint8Array; arms: readonly SweepArm[]; frames: number };
const ready = insertCartridge(rom);
parentPort?.on('message', (seed: number) => {
  ready
    .then(({ machine }) => arms.map((arm) => sweepEpisode(machine, arm, seed, frames)))
    .then(
      (episodes) => parentPort?.postMessage({ episodes }),
      (error: unknown) =>
        parentPort?.postMessage({
          fault: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
    );
});
