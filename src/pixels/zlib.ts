import { memoryAt, Scratch, wasm } from './wasm';

const input = new Scratch();
const output = new Scratch();

/** A zlib stream as classic zlib makes it at level 6, window 2^15, memLevel 9, strategy filtered. */
export function zlibFiltered(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const from = input.reserve(data.length);
  const to = output.reserve(wasm.zlibBound(data.length));
  memoryAt(from, data.length).set(data);
  return memoryAt(to, wasm.zlibFiltered(from, data.length, to)).slice();
}

/** CRC-32 (ISO 3309), as PNG chunks and zip entries carry it: 0..2^32-1. */
export function crc32(data: Uint8Array): number {
  const from = input.reserve(data.length);
  memoryAt(from, data.length).set(data);
  return wasm.crc32(from, data.length) >>> 0;
}

/** Adler-32 (RFC 1950): 0..2^32-1. */
export function adler32(data: Uint8Array): number {
  const from = input.reserve(data.length);
  memoryAt(from, data.length).set(data);
  return wasm.adler32(from, data.length) >>> 0;
}
