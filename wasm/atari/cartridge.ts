// Every bank scheme. Most reads never come here: a scheme names a range of addresses that plain loads serve
// (`base`, `fastStart`, `fastLength`), and only hot spots, read ports and write ports take the slow way.
import { clockRandom, dpcRead, dpcWrite } from './dpc';
import {
  CARTRIDGE_RAM,
  ROM,
  SCHEME_2K,
  SCHEME_3F,
  SCHEME_4K,
  SCHEME_CV,
  SCHEME_DPC,
  SCHEME_E0,
  SCHEME_E7,
  SCHEME_F4,
  SCHEME_F4SC,
  SCHEME_F6,
  SCHEME_F6SC,
  SCHEME_F8,
  SCHEME_F8_SWAPPED,
  SCHEME_F8SC,
  SCHEME_FASC,
  SCHEME_FE,
  SCHEME_UA,
  SYSTEM_RANDOM,
  WINDOW,
} from './layout';
import { nextWord } from './mersenne';
import { cartridge, dpc } from './state';

/** Takes over the image at ROM. `size` in bytes, a scheme of layout.ts. */
export function insert(scheme: i32, size: i32): void {
  dpc.random = 1;
  cartridge.scheme = scheme;
  cartridge.size = size;
  cartridge.banks = scheme == SCHEME_DPC ? 2 : size >> 12;
  cartridge.banksByTia = i32(scheme == SCHEME_3F);
  if (scheme == SCHEME_2K) memory.copy(ROM + 0x800, ROM, 0x800);
}

/** Reset as the console does it: RAM draws first, then the bank after reset. */
export function resetCartridge(): void {
  const ram = randomBytes(cartridge.scheme);
  for (let i = 0; i < ram; i++) store<u8>(CARTRIDGE_RAM + i, nextWord(SYSTEM_RANDOM));
  if (cartridge.scheme == SCHEME_CV && cartridge.size == 0x1000) memory.copy(CARTRIDGE_RAM, ROM, 0x400);
  switch (cartridge.scheme) {
    case SCHEME_F8:
    case SCHEME_F8SC:
      cartridge.bank = 1;
      break;
    case SCHEME_DPC:
      cartridge.bank = 1;
      // Fetchers, flags and the random register keep their values.
      dpc.cycle = 0;
      dpc.fraction = 0;
      break;
    case SCHEME_FASC:
      cartridge.bank = 2;
      break;
    case SCHEME_E0:
      cartridge.bank = 4;
      cartridge.slice1 = 5;
      cartridge.slice2 = 6;
      break;
    default:
      cartridge.bank = 0;
      cartridge.slice1 = 0;
  }
  mapAll();
}

function randomBytes(scheme: i32): i32 {
  switch (scheme) {
    case SCHEME_F8SC:
    case SCHEME_F6SC:
    case SCHEME_F4SC:
      return 128;
    case SCHEME_FASC:
      return 256;
    case SCHEME_E7:
      return 2048;
    case SCHEME_CV:
      return cartridge.size == 0x1000 ? 0 : 1024;
    default:
      return 0;
  }
}

@inline
function superchipBytes(scheme: i32): i32 {
  if (scheme == SCHEME_FASC) return 256;
  return scheme >= SCHEME_F8SC && scheme <= SCHEME_F4SC ? 128 : 0;
}

/** First hot spot of the schemes that switch whole 4K banks. */
function hotSpot(scheme: i32): i32 {
  switch (scheme) {
    case SCHEME_F8:
    case SCHEME_F8_SWAPPED:
    case SCHEME_F8SC:
    case SCHEME_FASC:
    case SCHEME_DPC:
      return 0xff8;
    case SCHEME_F6:
    case SCHEME_F6SC:
      return 0xff6;
    case SCHEME_F4:
    case SCHEME_F4SC:
      return 0xff4;
    default:
      return 0x1000;
  }
}

@inline
function fast(base: i32, start: i32, length: i32): void {
  cartridge.base = base - 0x1000;
  cartridge.fastStart = 0x1000 + start;
  cartridge.fastLength = length;
  cartridge.fastCode = start == 0 ? max(length - 2, 0) : 0;
}

/** Derives the mapping from the bank registers; also after a snapshot has been restored. */
export function mapAll(): void {
  const ram = superchipBytes(cartridge.scheme);
  if (ram) {
    for (let bank = 0; bank < cartridge.size; bank += 0x1000) memory.copy(ROM + bank + ram, CARTRIDGE_RAM, ram);
  }
  switch (cartridge.scheme) {
    case SCHEME_2K:
    case SCHEME_4K:
      fast(ROM, 0, 0x1000);
      break;
    case SCHEME_E0:
      slice(0, cartridge.bank);
      slice(1, cartridge.slice1);
      slice(2, cartridge.slice2);
      slice(3, 7);
      fast(WINDOW, 0, 0xfe0);
      break;
    case SCHEME_FE:
      // The half depends on address bit 13, which only the slow way sees.
      fast(ROM, 0, 0);
      break;
    case SCHEME_DPC:
      fast(ROM + cartridge.bank * 0x1000, 0x80, 0xfc0 - 0x80);
      break;
    case SCHEME_E7:
      mapE7();
      fast(WINDOW, 0, 0xfe0);
      break;
    case SCHEME_3F:
      memory.copy(WINDOW, ROM + cartridge.bank * 0x800, 0x800);
      memory.copy(WINDOW + 0x800, ROM + cartridge.size - 0x800, 0x800);
      fast(WINDOW, 0, 0x1000);
      break;
    case SCHEME_CV:
      memory.copy(WINDOW, CARTRIDGE_RAM, 0x400);
      // Under the write port lies the second half of the 2K of ROM.
      memory.copy(WINDOW + 0x400, ROM + cartridge.size - 0x400, 0x400);
      memory.copy(WINDOW + 0x800, ROM + cartridge.size - 0x800, 0x800);
      fast(WINDOW, 0, 0x1000);
      break;
    case SCHEME_UA:
      fast(ROM + cartridge.bank * 0x1000, 0, 0x1000);
      break;
    default:
      fast(ROM + cartridge.bank * 0x1000, 0, hotSpot(cartridge.scheme));
  }
}

@inline
function slice(n: i32, block: i32): void {
  memory.copy(WINDOW + n * 0x400, ROM + block * 0x400, 0x400);
}

function mapE7(): void {
  if (cartridge.bank == 7) {
    // Reading the write port gives the image underneath.
    memory.copy(WINDOW, ROM + 7 * 0x800, 0x400);
    memory.copy(WINDOW + 0x400, CARTRIDGE_RAM, 0x400);
  } else memory.copy(WINDOW, ROM + cartridge.bank * 0x800, 0x800);
  memory.copy(WINDOW + 0x800, ROM + cartridge.size - 0x800, 0x800);
  memory.copy(WINDOW + 0x900, CARTRIDGE_RAM + 0x400 + cartridge.slice1 * 0x100, 0x100);
}

/** A read that the fast range does not serve. `address` is the CPU's full 16 bits. */
export function cartridgeRead(address: i32, cycles: i32): i32 {
  const o = address & 0xfff;
  if (cartridge.scheme == SCHEME_FE) return load<u8>(ROM + o + (address & 0x2000 ? 0 : 0x1000));
  if (cartridge.scheme == SCHEME_DPC) return dpcBusRead(o, cycles);
  hot(o);
  return load<u8>(cartridge.base + 0x1000 + o);
}

export function cartridgeWrite(address: i32, v: i32, cycles: i32): void {
  const o = address & 0xfff;
  const scheme = cartridge.scheme;
  if (scheme == SCHEME_DPC) {
    clockRandom();
    if (o >= 0x40 && o < 0x80) dpcWrite(o, v);
    else hot(o);
    return;
  }
  // The reference's F4SC, alone among its schemes, switches by reads only.
  if (scheme != SCHEME_F4SC) hot(o);
  const superchip = superchipBytes(scheme);
  if (o < superchip) {
    store<u8>(CARTRIDGE_RAM + o, v);
    for (let bank = 0; bank < cartridge.size; bank += 0x1000) store<u8>(ROM + bank + superchip + o, v);
  } else if (scheme == SCHEME_CV) {
    if (o >= 0x400 && o < 0x800) {
      store<u8>(CARTRIDGE_RAM + o - 0x400, v);
      store<u8>(WINDOW + o - 0x400, v);
    }
  } else if (scheme == SCHEME_E7) {
    if (o < 0x400 && cartridge.bank == 7) {
      store<u8>(CARTRIDGE_RAM + o, v);
      store<u8>(WINDOW + 0x400 + o, v);
    } else if (o >= 0x800 && o < 0x900) {
      store<u8>(CARTRIDGE_RAM + 0x400 + cartridge.slice1 * 0x100 + (o & 0xff), v);
      store<u8>(WINDOW + 0x900 + (o & 0xff), v);
    }
  }
}

function dpcBusRead(o: i32, cycles: i32): i32 {
  clockRandom();
  if (o < 0x40) return dpcRead(o, cycles);
  hot(o);
  return load<u8>(cartridge.base + 0x1000 + o);
}

/** Bank switching by any access to a hot spot. */
function hot(o: i32): void {
  switch (cartridge.scheme) {
    case SCHEME_E0:
      if (o >= 0xfe0 && o < 0xff8) hotE0(o);
      break;
    case SCHEME_E7:
      if (o >= 0xfe0 && o < 0xfec) {
        if (o < 0xfe8) cartridge.bank = o - 0xfe0;
        else cartridge.slice1 = o - 0xfe8;
        mapE7();
      }
      break;
    default: {
      const bank = o - hotSpot(cartridge.scheme);
      if (bank >= 0 && bank < cartridge.banks) setBank(bank);
    }
  }
}

function hotE0(o: i32): void {
  const block = o & 7;
  if (o < 0xfe8) {
    cartridge.bank = block;
    slice(0, block);
  } else if (o < 0xff0) {
    cartridge.slice1 = block;
    slice(1, block);
  } else {
    cartridge.slice2 = block;
    slice(2, block);
  }
}

@inline
function setBank(bank: i32): void {
  cartridge.bank = bank;
  cartridge.base = ROM + bank * 0x1000 - 0x1000;
}

/** Scheme 3F: a write to TIA addresses 00-3F also selects the lower 2K. */
export function bankByTiaWrite(address: i32, v: i32): void {
  if ((address & 0x1fff) >= 0x40) return;
  cartridge.bank = v % (cartridge.size / 0x800);
  memory.copy(WINDOW, ROM + cartridge.bank * 0x800, 0x800);
}

/** Scheme UA: an access to 220 or 240 selects a bank and reaches the TIA as well. */
export function bankByAddress(address: i32): void {
  if (cartridge.scheme != SCHEME_UA) return;
  const a = address & 0x1fff;
  if (a == 0x220) setBank(0);
  else if (a == 0x240) setBank(1);
}
