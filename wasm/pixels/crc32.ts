// CRC-32 as PNG chunks carry it (ISO 3309, polynomial 0xEDB88320 reflected), four bytes a step.
const TABLE: usize = memory.data(4 * 256 * 4, 16);
let ready = false;

function prepare(): void {
  for (let n: u32 = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >> 1) : c >> 1;
    store<u32>(TABLE + n * 4, c);
  }
  for (let n: u32 = 0; n < 256; n++) {
    let c = load<u32>(TABLE + n * 4);
    for (let slice: usize = 1; slice < 4; slice++) {
      c = load<u32>(TABLE + (c & 255) * 4) ^ (c >> 8);
      store<u32>(TABLE + slice * 1024 + n * 4, c);
    }
  }
  ready = true;
}

/** CRC-32 of `length` bytes at `at`. */
export function crc32(at: usize, length: i32): u32 {
  if (!ready) prepare();
  let c: u32 = 0xffffffff;
  const end = at + <usize>length;
  const four = at + (<usize>length & ~3);
  while (at < four) {
    c ^= load<u32>(at);
    c =
      load<u32>(TABLE + 3072 + (c & 255) * 4) ^
      load<u32>(TABLE + 2048 + ((c >> 8) & 255) * 4) ^
      load<u32>(TABLE + 1024 + ((c >> 16) & 255) * 4) ^
      load<u32>(TABLE + (c >> 24) * 4);
    at += 4;
  }
  while (at < end) {
    c = load<u32>(TABLE + ((c ^ load<u8>(at)) & 255) * 4) ^ (c >> 8);
    at++;
  }
  return ~c;
}
