// A zlib stream (RFC 1950) around the DEFLATE data.
import { adler32 } from './adler32';
import { deflate } from './deflate';

/** More than the worst case, which is stored blocks: five bytes for each 32767 symbols. */
export function zlibBound(length: i32): i32 {
  return length + (length >> 2) + 1024;
}

/** Compresses `length` bytes at `from` to `to`, as zlib does at level 6, memLevel 9, strategy filtered. */
export function zlibFiltered(from: usize, length: i32, to: usize): i32 {
  // 0x78: DEFLATE with a 32 KiB window. 0x9c: default level, and the pair divides by 31.
  store<u8>(to, 0x78);
  store<u8>(to, 0x9c, 1);
  const size = deflate(from, length, to + 2);
  store<u32>(to + 2 + <usize>size, bswap(adler32(from, length)));
  return size + 6;
}
