// CRC-32 as PNG chunks carry it (ISO 3309, polynomial 0xEDB88320 reflected), eight bytes a step.
const TABLE: usize = memory.data(8 * 256 * 4, 16);
let ready = false;

function prepare(): void {
  for (let n: u32 = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >> 1) : c >> 1;
    store<u32>(TABLE + n * 4, c);
  }
  for (let n: u32 = 0; n < 256; n++) {
    let c = load<u32>(TABLE + n * 4);
    for (let slice: usize = 1; slice < 8; slice++) {
      c = load<u32>(TABLE + (c & 255) * 4) ^ (c >> 8);
      store<u32>(TABLE + slice * 1024 + n * 4, c);
    }
  }
  ready = true;
}

@inline function lookUp(slice: usize, byte: u32): u32 {
  return load<u32>(TABLE + slice * 1024 + (byte & 255) * 4);
}

/** CRC-32 of `length` bytes at `at`. */
export function crc32(at: usize, length: i32): u32 {
  if (!ready) prepare();
  let c: u32 = 0xffffffff;
  const end = at + <usize>length;
  const eight = at + (<usize>length & ~7);
  while (at < eight) {
    const low = c ^ load<u32>(at);
    const high = load<u32>(at, 4);
    c =
      lookUp(7, low) ^ lookUp(6, low >> 8) ^ lookUp(5, low >> 16) ^ lookUp(4, low >> 24) ^
      lookUp(3, high) ^ lookUp(2, high >> 8) ^ lookUp(1, high >> 16) ^ lookUp(0, high >> 24);
    at += 8;
  }
  while (at < end) {
    c = lookUp(0, c ^ load<u8>(at)) ^ (c >> 8);
    at++;
  }
  return ~c;
}
