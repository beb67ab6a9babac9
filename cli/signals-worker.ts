import { parentPort, workerData } from 'node:worker_threads';
import { parseDefinition } from '../src/experiments/image-signals';
import { measurePath } from './signals-measure';

// One thread of the pool: a path in, its record out.
const definition = parseDefinition(workerData);
parentPort?.on('message', (path: string) => {
  measurePath(path, definition).then(
    (record) => parentPort?.postMessage({ record }),
    (error: unknown) =>
      parentPort?.postMessage({ fault: error instanceof Error ? error.stack : String(error) }),
  );
});
