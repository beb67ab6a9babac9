import { type Remote, transfer, wrap } from 'comlink';
import { PixelproofError } from '../../src/errors';
import type { ModelHost, ModelSession } from '../../src/providers/in-page/model-host';
import type { WorkerError } from '../api';
import { ownNestedWorker } from '../boundary/own-script';
import onnxScript from '../onnx?worker&url';
import type { OnnxApi, OpenedModel } from '../onnx-api';
import { lifeEnded } from './life';
import { siteFile } from './site-file';

let made = 0;

/** A model's worker, from its birth to its end. */
class ModelWorker {
  readonly api: Remote<OnnxApi>;
  readonly #name: string;
  readonly #model: string;
  readonly #worker: Worker;
  readonly #end = new AbortController();
  readonly #died: Promise<never>;
  #fail: (why: string) => void = () => {};

  constructor(model: string) {
    made += 1;
    this.#model = model;
    // Unique among all pages of this site: the name is also that of the lock.
    this.#name = `onnx ${made} ${crypto.randomUUID()}`;
    this.#worker = ownNestedWorker(onnxScript, this.#name);
    this.#died = new Promise<never>((_resolve, reject) => {
      this.#fail = (why) => reject(workerDied(this.#model, why));
    });
    // Nobody may be waiting when it happens.
    this.#died.catch(() => undefined);
    this.#worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#fail(event.message || 'its file did not load');
    });
    this.api = wrap<OnnxApi>(this.#worker);
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

/** Models in workers of their own, one each: one that falls over takes nothing with it, and closing it frees all it had. */
export const pageModelHost: ModelHost = {
  file: siteFile,
  async open(model, options, signal) {
    signal.throwIfAborted();
    const worker = new ModelWorker(options.name);
    try {
      const copy = model.slice();
      const opened = await worker.answer(worker.api.open(transfer(copy, [copy.buffer]), options), signal);
      worker.watch();
      return sessionOf(worker, opened);
    } catch (error) {
      worker.end();
      throw error;
    }
  },
};

function sessionOf(worker: ModelWorker, { inputs, outputs, runtime }: OpenedModel): ModelSession {
  return {
    inputs,
    outputs,
    runtime,
    run: (feeds, signal) => worker.answer(worker.api.run(feeds), signal),
    close: async () => worker.end(),
  };
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
