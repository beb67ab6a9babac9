import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Command } from 'commander';
import {
  armsNamed,
  checkFrames,
  LOCAL_ARMS,
  type PongCartridge,
  Sweep,
  type SweepArm,
  type SweepEpisode,
  sweepArms,
  sweepEpisode,
  sweepSeeds,
} from '../src/experiments/pong-controls';
import { EXIT } from './exit';
import { listOf, numberOf } from './option';
import { printJson, say } from './output';
import { type CartridgeOptions, cartridgeOf } from './pong-cartridge';
import type { Session } from './session';

/** Beside the built command line; there is none when the sources run directly, and then one thread does it all. */
const WORKER = new URL('./pong-worker.js', import.meta.url);

export function addPongSweep(pong: Command, session: Session): void {
  pong
    .command('sweep')
    .description('coded rules over many seeds: a protocol of our own, not the published comparison')
    .requiredOption(
      '--seeds <list>',
      'A..B and numbers; test seeds (ending in 8 or 9) are left out of a range',
    )
    .option(
      '--arms <list>',
      'python-2px, python-4px, rules such as rule-6px or rule-6px+3-fire',
      LOCAL_ARMS.join(','),
    )
    .option('--frames <n>', 'frames of an episode', '2000')
    .option('--rom <file>', 'the Pong cartridge')
    .option('--cartridge <name>', 'paddle')
    .option('--threads <n>', 'default: all cores')
    .option('--json', 'print the summary as JSON', false)
    .action(
      async (
        options: CartridgeOptions & {
          seeds: string;
          arms: string;
          frames: string;
          threads?: string;
          json: boolean;
        },
      ) => {
        const { seeds, left_out } = sweepSeeds(options.seeds);
        const arms = sweepArms(armsNamed(listOf(options.arms)));
        const frames = checkFrames(numberOf('--frames', options.frames, 1, 108_000));
        const cores = existsSync(WORKER) ? availableParallelism() : 1;
        const threads =
          options.threads === undefined ? cores : numberOf('--threads', options.threads, 1, 256);
        const cartridge = await cartridgeOf(options);
        if (left_out > 0) say(`${left_out} test seeds of the ranges were left out.`);
        const sweep = new Sweep(arms, seeds);
        const tell = teller(seeds.length * arms.length);
        const episodes =
          threads === 1 || !existsSync(WORKER)
            ? alone(cartridge, arms, seeds, frames)
            : pooled(cartridge, arms, seeds, frames, Math.min(threads, seeds.length));
        for await (const episode of episodes) {
          session.signal.throwIfAborted();
          sweep.add(episode);
          tell(sweep.done);
        }
        const summary = {
          ...sweep.summary(cartridge.sha256, frames),
          cartridge: cartridge.name,
          test_seeds_left_out: left_out,
        };
        if (options.json) printJson(summary);
        else {
          for (const { arm, episodes: count, mean, standard_deviation, interval } of summary.arms) {
            const bounds =
              interval === null ? '' : `, 95 % ${interval.low.toFixed(3)} to ${interval.high.toFixed(3)}`;
            process.stdout.write(
              `${arm}: ${count} seeds, mean net reward ${mean.toFixed(3)}${bounds}, sd ${standard_deviation.toFixed(3)}\n`,
            );
          }
          for (const { left, right, interval, wins, ties, losses } of summary.paired) {
            const bounds =
              interval === null
                ? 'no interval'
                : `${interval.mean.toFixed(3)}, 95 % ${interval.low.toFixed(3)} to ${interval.high.toFixed(3)}`;
            process.stdout.write(
              `${left} minus ${right}: ${bounds}; ${wins} won, ${ties} tied, ${losses} lost\n`,
            );
          }
          process.stdout.write(`${summary.protocol}\n`);
        }
        session.exit(EXIT.complete);
      },
    );
}

async function* alone(
  { machine }: PongCartridge,
  arms: readonly SweepArm[],
  seeds: readonly number[],
  frames: number,
): AsyncGenerator<SweepEpisode> {
  for (const seed of seeds) {
    for (const arm of arms) yield sweepEpisode(machine, arm, seed, frames);
    // So that a cancel is heard.
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** Seeds over threads, each asked for the next one when it has answered: nothing queues up. */
async function* pooled(
  { rom }: PongCartridge,
  arms: readonly SweepArm[],
  seeds: readonly number[],
  frames: number,
  threads: number,
): AsyncGenerator<SweepEpisode> {
  const workers = Array.from(
    { length: threads },
    () => new Worker(WORKER, { workerData: { rom, arms, frames } }),
  );
  let next = 0;
  const ask = (worker: Worker): Promise<{ worker: Worker; episodes: readonly SweepEpisode[] }> =>
    new Promise((resolve, reject) => {
      const seed = seeds[next];
      next += 1;
      worker.once('message', (message: { episodes: readonly SweepEpisode[] } | { fault: string }) => {
        worker.off('error', reject);
        if ('fault' in message) reject(new Error(message.fault));
        else resolve({ worker, episodes: message.episodes });
      });
      worker.once('error', reject);
      worker.postMessage(seed);
    });
  const waiting = new Map(workers.map((worker) => [worker, ask(worker)]));
  try {
    while (waiting.size > 0) {
      const { worker, episodes } = await Promise.race(waiting.values());
      yield* episodes;
      if (next < seeds.length) waiting.set(worker, ask(worker));
      else waiting.delete(worker);
    }
  } finally {
    for (const left of waiting.values()) left.catch(() => undefined);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function teller(total: number): (done: number) => void {
  const started = performance.now();
  let told = 0;
  return (done) => {
    const now = performance.now();
    if (now - told < (process.stderr.isTTY ? 200 : 5000) && done < total) return;
    told = now;
    const left = Math.ceil((((now - started) / done) * (total - done)) / 1000);
    say(`${done} / ${total} episodes, about ${left} s left`);
  };
}
