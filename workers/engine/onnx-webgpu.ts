import mjs from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.mjs?url';
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';
import * as onnxruntime from 'onnxruntime-web/webgpu';
import { PixelproofError } from '../../src/errors';
import type { OnnxRuntime } from '../../src/providers/in-page/onnx';
import { type PageRuntime, runtimeFiles, threads } from './onnx-runtime';

/** Throws `model_backend` where the browser gives no adapter: its API may be there without one. */
export async function webgpuRuntime(): Promise<PageRuntime> {
  const adapter = (await navigator.gpu?.requestAdapter()) ?? null;
  if (adapter === null) {
    throw new PixelproofError('model_backend', 'This browser gives no WebGPU adapter; choose wasm.', {
      expected: 'a WebGPU adapter',
      got: navigator.gpu === undefined ? 'no WebGPU' : 'none',
    });
  }
  onnxruntime.env.wasm.wasmPaths = runtimeFiles(wasm, mjs);
  onnxruntime.env.wasm.numThreads = threads();
  onnxruntime.env.logLevel = 'error';
  return {
    onnx: onnxruntime as OnnxRuntime,
    lost: () => {
      const device: Promise<GPUDevice> | undefined = onnxruntime.env.webgpu.device;
      if (device === undefined) return null;
      return Promise.resolve(device)
        .then(({ lost }) => lost)
        .then(({ reason, message }) => `${reason}: ${message}`);
    },
  };
}
