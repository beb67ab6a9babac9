// Address decoding. The `@inline` doors serve RAM and plain ROM by a load; everything else goes through a call.
// `bus` is the byte last moved: TIA reads let it through in their low bits.
import { bankByAddress, cartridgeRead, cartridgeWrite } from './cartridge';
import { update } from './draw';
import { RAM } from './layout';
import { riotRead, riotWrite } from './riot';
import { cartridge } from './state';
import { tiaRead } from './tia-read';
import { effectClock, tiaWrite } from './tia-write';

/** RAM as page zero sees it: load<u8>(PAGE_ZERO + 0x80..0xFF). */
export const PAGE_ZERO: i32 = RAM - 0x80;

/** Reads any 16-bit address. */
@inline
export function read(address: i32, cycles: i32, bus: i32): i32 {
  const a = address & 0x1fff;
  if (<u32>(a - cartridge.fastStart) < <u32>cartridge.fastLength) return load<u8>(cartridge.base + a);
  return slowRead(address, cycles, bus);
}

function slowRead(address: i32, cycles: i32, bus: i32): i32 {
  if (address & 0x1000) return cartridgeRead(address, cycles);
  if (address & 0x80) {
    return address & 0x200 ? riotRead(address, cycles) : <i32>load<u8>(RAM + (address & 0x7f));
  }
  bankByAddress(address);
  return tiaRead(address, cycles, bus);
}

/** Reads an address of page zero. */
@inline
export function readZero(z: i32, cycles: i32, bus: i32): i32 {
  return z & 0x80 ? <i32>load<u8>(PAGE_ZERO + z) : tiaRead(z, cycles, bus);
}

/** The 16-bit pointer at page zero address `z`; its second byte is not wrapped into the page. */
@inline
export function pointer(z: i32, cycles: i32, bus: i32): i32 {
  if (z >= 0x80 && z < 0xff) return load<u16>(PAGE_ZERO + z);
  return slowPointer(z, cycles, bus);
}

function slowPointer(z: i32, cycles: i32, bus: i32): i32 {
  const low = slowRead(z, cycles, bus);
  return low | (slowRead(z + 1, cycles, low) << 8);
}

/** Writes any 16-bit address after a read. Returns the cycle count, which WSYNC moves. */
export function write(address: i32, v: i32, cycles: i32): i32 {
  if (address & 0x1000) cartridgeWrite(address, v, cycles);
  else if (!(address & 0x80)) {
    bankByAddress(address);
    return tiaWrite(address, v, cycles, 1);
  } else if (address & 0x200) riotWrite(address, v, cycles);
  else store<u8>(RAM + (address & 0x7f), v);
  return cycles;
}

/** Writes an address of page zero after a read. */
@inline
export function writeZero(z: i32, v: i32, cycles: i32): i32 {
  if (z & 0x80) {
    store<u8>(PAGE_ZERO + z, v);
    return cycles;
  }
  return tiaWrite(z, v, cycles, 1);
}

/** Reads the stack, which lies over page zero: RAM above, TIA below. */
@inline
export function pull(sp: i32, cycles: i32, bus: i32): i32 {
  return readZero(sp, cycles, bus);
}

/** The only push of an instruction. */
@inline
export function pushOne(sp: i32, v: i32, cycles: i32): i32 {
  if (sp & 0x80) {
    store<u8>(PAGE_ZERO + sp, v);
    return cycles;
  }
  return tiaWrite(0x100 | sp, v, cycles, 1);
}

/** One of several pushes of an instruction. `afterRead` is 0 when the access before was a push too. */
@inline
export function push(sp: i32, v: i32, cycles: i32, afterRead: i32): i32 {
  if (sp & 0x80) {
    store<u8>(PAGE_ZERO + sp, v);
    return cycles;
  }
  return pushToTia(sp, v, cycles, afterRead);
}

/** Two pushes of one instruction share a clock, so here a register's delay counts even if the write changes nothing. */
function pushToTia(sp: i32, v: i32, cycles: i32, afterRead: i32): i32 {
  update(effectClock(sp, cycles * 3));
  return tiaWrite(0x100 | sp, v, cycles, afterRead);
}
