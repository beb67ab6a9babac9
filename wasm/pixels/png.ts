// A PNG file as the reference writes it: signature, IHDR, one IDAT, IEND, nothing else.
import { crc32 } from './crc32';
import { allocate } from './memory';
import { filterRows } from './png-filter';
import { zlibBound, zlibFiltered } from './zlib';

let filtered: usize = 0;
let filteredSize = 0;

/** Bytes that the file of a width x height RGB image can take at most. */
export function pngBound(width: i32, height: i32): i32 {
  return zlibBound((width * 3 + 1) * height) + 64;
}

/** Encodes a width x height RGB image at `image` to `out`. Returns the length of the file. */
export function encodePng(image: usize, width: i32, height: i32, out: usize): i32 {
  const size = (width * 3 + 1) * height;
  if (size > filteredSize) {
    filtered = allocate(size);
    filteredSize = size;
  }
  filterRows(image, width * 3, height, filtered);

  store<u64>(out, 0x0a1a0a0d474e5089);
  let at = out + 8;
  store<u32>(at + 8, bswap(<u32>width));
  store<u32>(at + 12, bswap(<u32>height));
  // Bit depth 8, colour type 2 (RGB), then compression, filter and interlace methods 0.
  store<u32>(at + 16, 0x00000208);
  store<u8>(at + 20, 0);
  at = closeChunk(at, 0x52444849, 13);
  at = closeChunk(at, 0x54414449, zlibFiltered(filtered, size, at + 8));
  at = closeChunk(at, 0x444e4549, 0);
  return <i32>(at - out);
}

/** Writes length, type and CRC around the data that stands at `at + 8`. `type` is the four letters, little-endian. */
function closeChunk(at: usize, type: u32, length: i32): usize {
  store<u32>(at, bswap(<u32>length));
  store<u32>(at + 4, type);
  store<u32>(at + 8 + <usize>length, bswap(crc32(at + 4, length + 4)));
  return at + 12 + <usize>length;
}
