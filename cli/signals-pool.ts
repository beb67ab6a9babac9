import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Definition, SignalRecord } from '../src/experiments/image-signals';
import { measurePath } from './signals-measure';

/** Beside the built command line; there is none when the sources run directly, and then one thread does it all. */
const WORKER = new URL('./signals-worker.js', import.meta.url);

/** A thread, and what it does at the moment. */
interface Seat {
  readonly worker: Worker;
  settle: ((outcome: { record: SignalRecord } | { fault: Error }) => void) | null;
}

/**
 * Measures paths on all cores and yields the records in the order of the paths. At most two paths a thread are under way
 * or waiting for their turn, whatever the number of files.
 */
export async function* measureAll(
  paths: AsyncIterable<string>,
  definition: Definition,
  signal: AbortSignal,
  threads = existsSync(WORKER) ? availableParallelism() : 0,
): AsyncGenerator<SignalRecord> {
  const seats: Seat[] = [];
  const free: Seat[] = [];
  const waiting: ((seat: Seat) => void)[] = [];
  const release = (seat: Seat) => {
    const next = waiting.shift();
    if (next === undefined) free.push(seat);
    else next(seat);
  };
  const take = async (): Promise<Seat> => {
    const idle = free.pop();
    if (idle !== undefined) return idle;
    if (seats.length < threads) {
      const seat = startSeat(definition);
      seats.push(seat);
      return seat;
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
  const measure = async (path: string): Promise<SignalRecord> => {
    if (threads === 0) return measurePath(path, definition);
    const seat = await take();
    try {
      return await ask(seat, path);
    } finally {
      release(seat);
    }
  };
  const queue: Promise<SignalRecord>[] = [];
  try {
    for await (const path of paths) {
      signal.throwIfAborted();
      const record = measure(path);
      // A rejection is met when its turn comes; until then it must not count as unhandled.
      record.catch(() => undefined);
      queue.push(record);
      if (queue.length >= Math.max(1, 2 * threads)) {
        const first = queue.shift();
        if (first !== undefined) yield await first;
      }
    }
    for (const record of queue) {
      signal.throwIfAborted();
      yield await record;
    }
  } finally {
    await Promise.all(seats.map(({ worker }) => worker.terminate()));
  }
}

function startSeat(definition: Definition): Seat {
  const worker = new Worker(WORKER, { workerData: definition.file });
  const seat: Seat = { worker, settle: null };
  worker.on('message', (message: { record: SignalRecord } | { fault: string }) =>
    seat.settle?.('record' in message ? message : { fault: new Error(message.fault) }),
  );
  worker.on('error', (fault) => seat.settle?.({ fault }));
  return seat;
}

function ask(seat: Seat, path: string): Promise<SignalRecord> {
  return new Promise((resolve, reject) => {
    seat.settle = (outcome) => {
      seat.settle = null;
      if ('record' in outcome) resolve(outcome.record);
      else reject(outcome.fault);
    };
    seat.worker.postMessage(path);
  });
}
