import { PixelproofError } from '../errors';
import { instantiate, type PixelsExports } from './wasm';

const PAGE = 65536;
/** What a job may leave behind for the next one; a larger memory is given back with its instance. */
const KEEP_BYTES = 96 * 1024 * 1024;
/** Readable and writable bytes that the kernels may touch after a buffer. */
const SLACK = 64;

/** An instance of wasm/pixels whose whole memory belongs to one job at a time. */
export class Workbench {
  readonly wasm: PixelsExports = instantiate();
  private next = 0;

  /** Begins a job: everything laid out before is free again. */
  clear(): void {
    this.next = this.wasm.freeMemory();
  }

  /** The place of a buffer, 16-byte aligned, contents undefined. Throws `memory_exhausted`. */
  lay(bytes: number): number {
    const at = this.next;
    this.next = (at + bytes + SLACK + 15) & ~15;
    const memory = this.wasm.memory;
    const missing = at + bytes + SLACK + 16 - memory.buffer.byteLength;
    if (missing > 0) {
      try {
        memory.grow(Math.ceil(missing / PAGE));
      } catch (cause) {
        throw new PixelproofError('memory_exhausted', 'The browser gave no memory for this picture.', {
          expected: `${missing} more bytes`,
          cause,
        });
      }
    }
    return at;
  }

  bytes(at: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.wasm.memory.buffer, at, length);
  }

  ints(at: number, length: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.wasm.memory.buffer, at, length);
  }
}

let idle: Workbench | null = null;

/** Runs one synchronous job on a workbench. Jobs may nest: each has a bench of its own. */
export function atWorkbench<T>(job: (bench: Workbench) => T): T {
  const bench = idle ?? new Workbench();
  idle = null;
  bench.clear();
  try {
    return job(bench);
  } finally {
    if (bench.wasm.memory.buffer.byteLength <= KEEP_BYTES) idle = bench;
  }
}
