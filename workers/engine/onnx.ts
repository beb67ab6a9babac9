import { PixelproofError } from '../../src/errors';
import type { Backend, ModelSession } from '../../src/providers/in-page/model-host';
import { openOnnx } from '../../src/providers/in-page/onnx';
import type { OnnxApi } from '../onnx-api';
import { holdLife } from './life';

await holdLife(self.name);

const { signal } = new AbortController();
let session: ModelSession | null = null;

export const api: OnnxApi = {
  async open(model, options) {
    const runtime = await runtimeFor(options.backend);
    session = await openOnnx(runtime.onnx, model, {
      ...options,
      ...(runtime.lost ? { lost: runtime.lost } : {}),
    });
    const { inputs, outputs, runtime: facts } = session;
    return { inputs, outputs, runtime: facts };
  },

  async run(feeds) {
    if (session === null)
      throw new PixelproofError('model_closed', 'The model was asked before it was opened.');
    return session.run(feeds, signal);
  },
};

/** Each backend brings files of its own; whoever takes wasm never loads those of WebGPU. */
function runtimeFor(backend: Backend) {
  return backend === 'wasm'
    ? import('./onnx-wasm').then(({ wasmRuntime }) => wasmRuntime())
    : import('./onnx-webgpu').then(({ webgpuRuntime }) => webgpuRuntime());
}
