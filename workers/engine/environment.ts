import { version } from '../../package.json';
import type { JsonObject } from '../../src/evidence/identity/json';
import { wasmFeatures } from '../../src/lab/self-check/wasm-features';
import { adapterSummary, askForAdapter } from './gpu-adapter';

/** Asked once in a worker's life: waking a graphics card takes a moment. */
let asked: Promise<JsonObject> | null = null;

/**
 * Where a run was made, and what that place can do, as the self-check says it in short. Exported beside the evidence and
 * part of no identity.
 */
export async function environmentRecord(): Promise<JsonObject> {
  asked ??= askForAdapter().then(adapterSummary);
  const { simd, threads } = wasmFeatures();
  return {
    program: `pixelproof ${version}`,
    platform: 'browser',
    user_agent: navigator.userAgent,
    cores: navigator.hardwareConcurrency,
    cross_origin_isolated: self.crossOriginIsolated,
    wasm_simd: simd,
    wasm_threads: threads,
    webgpu: await asked,
    storage_persistent: await persistent(),
  };
}

/** Whether the browser keeps what is stored when room gets short; null where it does not say. */
async function persistent(): Promise<boolean | null> {
  try {
    return await navigator.storage.persisted();
  } catch {
    return null;
  }
}
