import type { RgbImage } from '../rgb-image';
import { measureWasm, WASM_ENGINE } from './measure';
import type { Measured, MeasureTask } from './task';

/** Who measured: it stands in every result. Two engines give the same integers, or one of them is wrong. */
export interface EngineIdentity {
  readonly id: 'wasm-simd' | 'webgpu';
  readonly version: string;
}

export interface SignalEngine {
  readonly identity: EngineIdentity;
  measure(image: RgbImage, task: MeasureTask): Promise<Measured>;
}

/** The default: everywhere, and faster than a round trip to a graphics card for single pictures. */
export const wasmEngine: SignalEngine = {
  identity: WASM_ENGINE,
  measure: async (image, task) => measureWasm(image, task),
};
