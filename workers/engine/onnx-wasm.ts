import mjs from 'onnxruntime-web/ort-wasm-simd-threaded.mjs?url';
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import * as onnxruntime from 'onnxruntime-web/wasm';
import type { OnnxRuntime } from '../../src/providers/in-page/onnx';
import { type PageRuntime, runtimeFiles, threads } from './onnx-runtime';

export async function wasmRuntime(): Promise<PageRuntime> {
  onnxruntime.env.wasm.wasmPaths = runtimeFiles(wasm, mjs);
  onnxruntime.env.wasm.numThreads = threads();
  onnxruntime.env.logLevel = 'error';
  return { onnx: onnxruntime as OnnxRuntime };
}
