import type { OnnxRuntime } from '../../src/providers/in-page/onnx';
import { checkWorkerAddresses } from '../boundary/own-script';

/** One of onnxruntime-web's builds, set up. */
export interface PageRuntime {
  readonly onnx: OnnxRuntime;
  /** Set where a device can be lost: resolves with why. */
  readonly lost?: () => Promise<string> | null;
}

/** More threads than this bring nothing for models of these sizes. */
const MAX_THREADS = 4;

/** How many threads the runtime may start; they share memory, which a browser allows on isolated pages only. */
export function threads(): number {
  if (!self.crossOriginIsolated) return 1;
  checkWorkerAddresses();
  return Math.min(MAX_THREADS, navigator.hardwareConcurrency || 1);
}

/**
 * Where the runtime's own files are, beside this module. Both are given: with the wasm alone the runtime starts its
 * threads from this worker's file, whose message handler then takes their messages, and opening a model never ends.
 */
export function runtimeFiles(wasm: string, mjs: string): { readonly wasm: string; readonly mjs: string } {
  return { wasm: new URL(wasm, import.meta.url).href, mjs: new URL(mjs, import.meta.url).href };
}
