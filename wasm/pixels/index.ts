export { adler32, crc32 } from './checksum';
export { inflate, inflateConsumed, inflateWritten } from './inflate';
export { freeMemory } from './memory';
export { pngPass } from './png';

export function version(): i32 {
  return 1;
}
