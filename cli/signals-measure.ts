import {
  type Definition,
  failedRecord,
  measureFile,
  type SignalRecord,
} from '../src/experiments/image-signals';
import { wasmEngine } from '../src/pixels/signals/engine';
import { readPicture } from './signals-files';

/** Reads and measures one file; a file that cannot be read gets a record too. */
export async function measurePath(path: string, definition: Definition): Promise<SignalRecord> {
  try {
    return await measureFile(path, await readPicture(path), definition, wasmEngine);
  } catch (error) {
    return failedRecord(path, null, error);
  }
}
