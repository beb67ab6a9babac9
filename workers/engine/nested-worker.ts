import { type Remote, wrap } from 'comlink';
import { PixelproofError } from '../../src/errors';
import type { WorkerError } from '../api';
import { ownNestedWorker } from '../boundary/own-script';
import { lifeEnded } from './life';

let made = 0;

/** A worker that this one made for one model, from its birth to its end. */
export class NestedWorker<Api> {
  readonly api: Remote<Api>;
  readonly #name: string;
  readonly #model: string;
  readonly #worker: Worker;
  readonly #end = new AbortController();
  readonly #died: Promise<never>;
  #fail: (why: string) => void = () => {};

  /** `kind` begins the worker's name, `model` is for messages, `script` comes from an import with `?worker&url`. */
  constructor(kind: string, model: string, script: string) {
    made += 1;
    this.#model = model;
    // Unique among all pages of this site: the name is also that of the lock.
    this.#name = `${kind} ${made} ${crypto.randomUUID()}`;
    this.#worker = ownNestedWorker(script, this.#name);
    this.#died = new Promise<never>((_resolve, reject) => {
      this.#fail = (why) => reject(workerDied(this.#model, why));
    });
    // Nobody may be waiting when it happens.
    this.#died.catch(() => undefined);
    this.#worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#fail(event.message || 'its file did not load');
    });
    this.api = wrap<Api>(this.#worker);
  }

  /** From here on the end of the worker is heard of. Only once it has answered: it holds its lock then. */
  watch(): void {
    lifeEnded(this.#name, this.#end.signal).then(() => this.#fail('the browser or somebody ended it'));
  }

  /** What the worker answers, or why it does not; rejects with the signal's reason when that is aborted first. */
  async answer<T>(asked: Promise<T>, signal: AbortSignal): Promise<T> {
    let stop = (): void => {};
    const cancelled = new Promise<never>((_resolve, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
    });
    try {
      signal.throwIfAborted();
      return await Promise.race([asked, this.#died, cancelled]);
    } catch (error) {
      signal.throwIfAborted();
      throw isWorkerError(error) ? ours(error) : error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  end(): void {
    this.#end.abort();
    this.#worker.terminate();
  }
}

function isWorkerError(error: unknown): error is WorkerError {
  return typeof error === 'object' && error !== null && !(error instanceof Error) && 'code' in error;
}

/** An error that crossed from the worker, as one of ours again. */
function ours({ code, message, expected, got }: WorkerError): PixelproofError {
  return new PixelproofError(code, message, {
    ...(expected === null ? {} : { expected }),
    ...(got === null ? {} : { got }),
  });
}

function workerDied(model: string, why: string): PixelproofError {
  return new PixelproofError(
    'model_worker_died',
    `The worker that ran ${model} ended in the middle of its work; nothing was counted. Resume the run.`,
    { expected: 'a worker that answers', got: why },
  );
}
