import { createGpuEngine } from '../../src/pixels/gpu/engine';
import { type SignalEngine, wasmEngine } from '../../src/pixels/signals/engine';

let gpu: Promise<SignalEngine | null> | null = null;

/** The engine of this machine with an id, null where it has none. The graphics device is asked for once. */
export async function signalEngine(id: string): Promise<SignalEngine | null> {
  if (id === wasmEngine.identity.id) return wasmEngine;
  if (id !== 'webgpu') return null;
  gpu ??= createGpuEngine(navigator.gpu).catch(() => null);
  return gpu;
}
