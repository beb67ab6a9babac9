import { PixelproofError } from '../../errors';
import type { DecodeWarning } from '../decode/decoded';
import type { RgbImage } from '../rgb-image';
import { type EngineIdentity, type SignalEngine, wasmEngine } from './engine';
import type { Measured, MeasureTask } from './task';

/** What a graphics device may fail at while the picture is as good as any. */
const DEVICE_FAULTS = ['gpu_limit', 'gpu_failed'];

/** What was measured, by whom, and a warning `engine_fallback` where that is not who was asked. */
export interface MeasuredBy {
  readonly measured: Measured;
  readonly engine: EngineIdentity;
  readonly warnings: readonly DecodeWarning[];
}

/**
 * Measures with the engine that was chosen; where its device cannot, with the one that is everywhere: the integers are
 * the same, so no picture is lost to a graphics driver. Throws only what is no fault of a device.
 */
export async function measureBy(
  engine: SignalEngine,
  image: RgbImage,
  task: MeasureTask,
): Promise<MeasuredBy> {
  try {
    return { measured: await engine.measure(image, task), engine: engine.identity, warnings: [] };
  } catch (error) {
    if (!(error instanceof PixelproofError) || !DEVICE_FAULTS.includes(error.code)) throw error;
    return {
      measured: await wasmEngine.measure(image, task),
      engine: wasmEngine.identity,
      warnings: [
        {
          code: 'engine_fallback',
          message: `Measured by ${wasmEngine.identity.id} instead of ${engine.identity.id}: ${error.message} (${error.code})`,
        },
      ],
    };
  }
}
