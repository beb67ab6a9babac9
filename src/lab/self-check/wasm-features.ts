const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
/** One function that splats a byte into a vector. */
const SIMD = [
  ...HEADER,
  ...[0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b],
  ...[0x03, 0x02, 0x01, 0x00],
  ...[0x0a, 0x08, 0x01, 0x06, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0x0b],
];
/** One memory that threads may share. */
const THREADS = [...HEADER, 0x05, 0x04, 0x01, 0x03, 0x01, 0x01];

export interface WasmFeatures {
  readonly wasm: boolean;
  readonly simd: boolean;
  /** Whether such modules compile; sharing memory between workers needs an isolated page besides. */
  readonly threads: boolean;
}

/** What this engine's WebAssembly can do, by handing it the smallest modules that need it. */
export function wasmFeatures(): WasmFeatures {
  return { wasm: compiles(HEADER), simd: compiles(SIMD), threads: compiles(THREADS) };
}

function compiles(module: readonly number[]): boolean {
  try {
    return WebAssembly.validate(new Uint8Array(module));
  } catch {
    // Switched off altogether: then there is no such name.
    return false;
  }
}
