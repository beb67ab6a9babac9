import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { InferenceSession } from 'onnxruntime-web';
import { PixelproofError } from '../src/errors';
import type { ModelFiles } from '../src/providers/in-page/vlm/files';
import type { Library } from '../src/providers/in-page/vlm/library';
import { openVlm } from '../src/providers/in-page/vlm/session';
import type { VlmHost } from '../src/providers/in-page/vlm/vlm-host';

/** A model's folder on this disk, laid out as on the hub: `config.json`, `tokenizer.json`, `onnx/…`. */
function folderFiles(folder: string): ModelFiles {
  return {
    has: (path) =>
      stat(join(folder, path)).then(
        (found) => found.isFile(),
        () => false,
      ),
    async read(path) {
      try {
        return new Uint8Array(await readFile(join(folder, path)));
      } catch (error) {
        if ((error as { readonly code?: string }).code === 'ENOENT') return null;
        throw error;
      }
    },
  };
}

let library: Promise<Library> | null = null;

/**
 * transformers.js with our onnxruntime-web under it. The package wants onnxruntime-node, a native library of its own
 * per system; it takes another runtime where one stands under this name before it is imported. Its calls are put in a
 * row, because the WebAssembly runtime opens one model at a time.
 */
export function nodeLibrary(): Promise<Library> {
  library ??= (async () => {
    const onnxruntime = await import('onnxruntime-web');
    onnxruntime.env.wasm.numThreads = 1;
    let last: Promise<unknown> = Promise.resolve();
    const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
      const turn = last.then(work);
      last = turn.catch(() => undefined);
      return turn;
    };
    Reflect.set(globalThis, Symbol.for('onnxruntime'), {
      ...onnxruntime,
      // A copy: the package writes the address of a public server into what it is given.
      env: { ...onnxruntime.env, wasm: { ...onnxruntime.env.wasm } },
      InferenceSession: {
        create: (...given: Parameters<typeof onnxruntime.InferenceSession.create>) =>
          inTurn(async () => breathing(await onnxruntime.InferenceSession.create(...given))),
      },
    });
    return (await import('@huggingface/transformers')) as unknown as Library;
  })();
  return library;
}

/** Computing holds the thread; before each pass others have a turn, so that Ctrl+C is heard between two words. */
function breathing(session: InferenceSession): InferenceSession {
  const run = session.run.bind(session) as (...given: unknown[]) => ReturnType<InferenceSession['run']>;
  Reflect.set(session, 'run', async (...given: unknown[]) => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    return run(...given);
  });
  return session;
}

/** Models in this process, from one folder of the disk; none without a folder. */
export function nodeVlmHost(folder: string | null): VlmHost {
  return {
    async open({ name, dtype, backend }, signal) {
      signal.throwIfAborted();
      if (folder === null || !(await isFolder(folder))) {
        throw new PixelproofError(
          'model_not_here',
          'Name the folder of the model with --model-folder; nothing is downloaded here.',
          { expected: `a folder with the files of ${name}`, got: folder ?? 'no --model-folder' },
        );
      }
      if (backend !== 'wasm') {
        throw new PixelproofError('model_backend', 'A terminal has no WebGPU; choose wasm.', {
          expected: 'wasm',
          got: backend,
        });
      }
      return openVlm(await nodeLibrary(), folderFiles(folder), { dtype, backend, executionProvider: 'wasm' });
    },
  };
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
