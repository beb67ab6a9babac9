import { PixelproofError } from '../../errors';
import type { Backend, ModelSession, Tensor, TensorSpec, TensorType } from './model-host';

/** The part of onnxruntime-web that is used here; a window, a worker and Node hand in the module that fits them. */
export interface OnnxRuntime {
  readonly env: {
    readonly versions: { readonly web?: string };
    readonly wasm: { readonly numThreads?: number };
  };
  readonly InferenceSession: {
    create(model: Uint8Array, options: { executionProviders: Backend[] }): Promise<OnnxSession>;
  };
  readonly Tensor: new (type: TensorType, data: Tensor['data'], shape: readonly number[]) => OnnxTensor;
}

interface OnnxSession {
  readonly inputMetadata: readonly OnnxValue[];
  readonly outputMetadata: readonly OnnxValue[];
  run(feeds: Record<string, OnnxTensor>): Promise<Record<string, OnnxTensor>>;
  release(): Promise<void>;
}

interface OnnxTensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: unknown;
  dispose?(): void;
}

type OnnxValue =
  | { readonly name: string; readonly isTensor: false }
  | {
      readonly name: string;
      readonly isTensor: true;
      readonly type: string;
      readonly shape: readonly (number | string)[];
    };

export interface OpenOptions {
  /** For messages. */
  readonly name: string;
  readonly backend: Backend;
  /** Resolves when the device is lost, with why; only a WebGPU device can be. */
  readonly lost?: () => Promise<string> | null;
}

/**
 * Opens a model in the runtime that is handed in. Throws `model_unreadable` for bytes that are no whole ONNX model,
 * `model_out_of_memory`, `model_backend` where the backend cannot be had.
 */
export async function openOnnx(
  runtime: OnnxRuntime,
  model: Uint8Array,
  { name, backend, lost }: OpenOptions,
): Promise<ModelSession> {
  let session: OnnxSession;
  try {
    session = await runtime.InferenceSession.create(model, { executionProviders: [backend] });
  } catch (cause) {
    throw openFault(cause, name, backend, model.length);
  }
  let reason: string | null = null;
  const gone = lost?.()?.then((why) => {
    reason = why;
    throw deviceLost(name, why);
  });
  // Nobody may be waiting when it happens.
  gone?.catch(() => undefined);
  let open = true;
  return {
    inputs: session.inputMetadata.map(specOf),
    outputs: session.outputMetadata.map(specOf),
    runtime: {
      name: 'onnxruntime-web',
      version: runtime.env.versions.web ?? 'unknown',
      backend,
      threads: runtime.env.wasm.numThreads ?? 1,
    },
    async run(feeds, signal) {
      signal.throwIfAborted();
      if (reason !== null) throw deviceLost(name, reason);
      const given = Object.fromEntries(
        Object.entries(feeds).map(([key, { type, data, shape }]) => [
          key,
          new runtime.Tensor(type, data, [...shape]),
        ]),
      );
      try {
        const asked = session.run(given);
        const found = await (gone === undefined ? asked : Promise.race([asked, gone]));
        signal.throwIfAborted();
        return Object.fromEntries(Object.entries(found).map(([key, tensor]) => [key, tensorOf(key, tensor)]));
      } catch (cause) {
        signal.throwIfAborted();
        if (reason !== null) throw deviceLost(name, reason);
        throw cause instanceof PixelproofError ? cause : runFault(cause, name);
      }
    },
    async close() {
      if (!open) return;
      open = false;
      await session.release().catch(() => undefined);
    },
  };
}

function specOf(value: OnnxValue): TensorSpec {
  if (!value.isTensor) return { name: value.name, type: 'no tensor', shape: [] };
  return { name: value.name, type: value.type, shape: [...value.shape] };
}

function tensorOf(name: string, { type, dims, data }: OnnxTensor): Tensor {
  const shape = [...dims];
  if (type === 'float32' && data instanceof Float32Array) return { type, shape, data };
  if (type === 'int64' && data instanceof BigInt64Array) return { type, shape, data };
  if (type === 'int32' && data instanceof Int32Array) return { type, shape, data };
  if ((type === 'uint8' || type === 'bool') && data instanceof Uint8Array) return { type, shape, data };
  throw new PixelproofError(
    'model_run_failed',
    `The model's output ${name} holds numbers that are not read here.`,
    {
      expected: 'float32, int64, int32, uint8 or bool',
      got: type,
    },
  );
}

/** How WebAssembly, its allocator and the browsers say that memory is out; none of them has a type for it. */
const NO_MEMORY =
  /bad_alloc|out of memory|cannot enlarge memory|allocation failed|failed to allocate|could not allocate|tensor shape is too large/i;

/** What the runtime says, without the places of its sources on the machine that built it. */
const wordsOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause))
    .replaceAll(/\S+\.(?:cc|h):\d+ /g, '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300);

function openFault(cause: unknown, name: string, backend: Backend, bytes: number): PixelproofError {
  const words = wordsOf(cause);
  if (NO_MEMORY.test(words) || cause instanceof RangeError) return outOfMemory(name, words, cause);
  if (/no available backend|webgpu is not|webgpu.*adapter|backend not found/i.test(words)) {
    const advice = backend === 'wasm' ? 'the runtime of the model did not start' : 'choose wasm';
    return new PixelproofError('model_backend', `The ${backend} backend cannot be had here: ${advice}.`, {
      expected: backend,
      got: words,
      cause,
    });
  }
  return new PixelproofError(
    'model_unreadable',
    `${name} is no ONNX model that can be run, or not a whole one; nothing was asked.`,
    { expected: 'a whole ONNX model', got: `${bytes} bytes; the runtime says: ${words}`, cause },
  );
}

function runFault(cause: unknown, name: string): PixelproofError {
  const words = wordsOf(cause);
  if (NO_MEMORY.test(words) || cause instanceof RangeError) return outOfMemory(name, words, cause);
  return new PixelproofError(
    'model_run_failed',
    `${name} broke off while it was asked; nothing was counted.`,
    {
      expected: 'an answer',
      got: words,
      cause,
    },
  );
}

function outOfMemory(name: string, words: string, cause: unknown): PixelproofError {
  return new PixelproofError(
    'model_out_of_memory',
    `${name} needs more memory than there is here; close other tabs or take a smaller model.`,
    { expected: 'enough memory', got: words, cause },
  );
}

function deviceLost(name: string, why: string): PixelproofError {
  return new PixelproofError(
    'model_device_lost',
    `The graphics device was lost while ${name} was open; resume the run, or choose wasm.`,
    { expected: 'a device that stays', got: why },
  );
}
