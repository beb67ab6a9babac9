import { createMD5 } from 'hash-wasm';
import * as layout from '../../wasm/atari/layout';
import { PixelproofError } from '../errors';
import { type KnownRom, knownRom } from './rom-table';

const md5 = await createMD5();

export type Scheme =
  | '2K'
  | '4K'
  | 'F8'
  | 'F8 swapped'
  | 'F6'
  | 'F4'
  | 'F8SC'
  | 'F6SC'
  | 'F4SC'
  | 'E0'
  | 'FE'
  | 'DPC'
  | 'E7'
  | '3F'
  | 'CV'
  | 'UA'
  | 'FASC';

/** The core's numbers of the bank schemes. */
export const SCHEME_NUMBERS: { readonly [K in Scheme]: number } = {
  '2K': layout.SCHEME_2K,
  '4K': layout.SCHEME_4K,
  F8: layout.SCHEME_F8,
  'F8 swapped': layout.SCHEME_F8_SWAPPED,
  F6: layout.SCHEME_F6,
  F4: layout.SCHEME_F4,
  F8SC: layout.SCHEME_F8SC,
  F6SC: layout.SCHEME_F6SC,
  F4SC: layout.SCHEME_F4SC,
  E0: layout.SCHEME_E0,
  FE: layout.SCHEME_FE,
  DPC: layout.SCHEME_DPC,
  E7: layout.SCHEME_E7,
  '3F': layout.SCHEME_3F,
  CV: layout.SCHEME_CV,
  UA: layout.SCHEME_UA,
  FASC: layout.SCHEME_FASC,
};

export interface Cartridge {
  readonly rom: Uint8Array;
  readonly md5: string;
  readonly scheme: Scheme;
  /** What the ROM table says of it, null for an image that is not in it. */
  readonly known: KnownRom | null;
}

/** Sizes that some supported scheme has. Scheme DPC dumps come with and without trailing bytes. */
const SIZES = [2048, 4096, 8192, 10240, 10495, 10496, 12288, 16384, 32768];

/** Dumps of scheme F8 whose banks are in the opposite order, so that they start in bank 0. The reference names these two. */
const SWAPPED_F8 = ['bc24440b59092559a1ec26055fd1270e', '75ee371ccfc4f43e7d9b8f24e1266b55'];

/** Images of the tape system come in loads of this many bytes. */
const SUPERCHARGER_LOAD = 8448;

/**
 * Checks an image and finds its bank scheme, by size and by code that only one scheme's programs contain. Throws
 * `atari_rom_empty`, `atari_rom_odd_size`, `atari_rom_too_large` or `atari_rom_unsupported`.
 */
export function readCartridge(rom: Uint8Array): Cartridge {
  const expected = `an image of ${SIZES.join(', ')} bytes`;
  const refuse = (code: string, message: string, got: unknown) =>
    new PixelproofError(code, message, { expected, got });
  if (rom.length === 0) throw refuse('atari_rom_empty', 'The ROM file is empty.', '0 bytes');
  if (rom.length > layout.ROM_LIMIT) {
    throw refuse(
      'atari_rom_too_large',
      'The ROM file is larger than any supported cartridge.',
      `${rom.length} bytes`,
    );
  }
  if (rom.length % SUPERCHARGER_LOAD === 0) {
    throw refuse(
      'atari_rom_unsupported',
      'This is a tape image, which is not emulated.',
      `${rom.length} bytes`,
    );
  }
  if (!SIZES.includes(rom.length)) {
    throw refuse('atari_rom_odd_size', 'No cartridge has a ROM of this size.', `${rom.length} bytes`);
  }
  const digest = md5.init().update(rom).digest('hex');
  const scheme = schemeOf(digest, rom);
  if (scheme === '3E') {
    throw new PixelproofError('atari_rom_unsupported', 'This ROM needs a bank scheme that is not emulated.', {
      expected: Object.keys(SCHEME_NUMBERS).join(', '),
      got: scheme,
    });
  }
  return { rom, md5: digest, scheme, known: knownRom(digest) };
}

/** The bank scheme of an image of a supported size: by its MD5 where that settles it, else by what is in it. */
export function schemeOf(md5Hex: string, rom: Uint8Array): Scheme | '3E' {
  return SWAPPED_F8.includes(md5Hex) ? 'F8 swapped' : detectScheme(rom);
}

function detectScheme(rom: Uint8Array): Scheme | '3E' {
  switch (rom.length) {
    case 2048:
      return isCommaVid(rom) ? 'CV' : '2K';
    case 4096:
      if (isCommaVid(rom)) return 'CV';
      return halvesEqual(rom) ? '2K' : '4K';
    case 8192:
      if (isSuperchip(rom)) return 'F8SC';
      if (halvesEqual(rom)) return '4K';
      if (hasAny(rom, E0_CODE)) return 'E0';
      return tigervision(rom) ?? (hasAny(rom, UA_CODE) ? 'UA' : hasAny(rom, FE_CODE) ? 'FE' : 'F8');
    case 12288:
      return 'FASC';
    case 16384:
      if (isSuperchip(rom)) return 'F6SC';
      return isE7(rom) ? 'E7' : (tigervision(rom) ?? 'F6');
    case 32768:
      return isSuperchip(rom) ? 'F4SC' : (tigervision(rom) ?? 'F4');
    default:
      return 'DPC';
  }
}

// Code by which programs of a scheme are told: stores to or loads from its hot spots.
const CV_CODE = ['9d fff3', '9900 f4'];
const E0_CODE = ['8d e01f', '8d e05f', '8d e9ff', 'ad e9ff', 'ad edff', 'ad f3bf'];
const UA_CODE = ['8d 4002'];
const FE_CODE = ['20 00d0 c6c5', '20 c3f8 a582', 'd0fb 2073fe', '20 00f0 84d6'];

function isCommaVid(rom: Uint8Array): boolean {
  return hasAny(rom, CV_CODE);
}

/** 3E stores to 3E and loads 0; 3F stores to 3F at least twice. */
function tigervision(rom: Uint8Array): '3E' | '3F' | null {
  if (hasAny(rom, ['853e a900'])) return '3E';
  return occurrences(rom, bytesOf('853f')) >= 2 ? '3F' : null;
}

/** Superchip dumps have 256 equal bytes where RAM hides the ROM, at the start of every 4K bank. */
function isSuperchip(rom: Uint8Array): boolean {
  for (let bank = 0; bank < rom.length; bank += 4096) {
    for (let i = 1; i < 256; i += 1) if (rom[bank + i] !== rom[bank]) return false;
  }
  return true;
}

/** M-Network dumps have 512 equal bytes at 3800 and something else next to them. */
function isE7(rom: Uint8Array): boolean {
  const value = rom[0x3800];
  for (let i = 0x3800; i < 0x3a00; i += 1) if (rom[i] !== value) return false;
  for (let i = 1; i <= 32; i += 1) {
    if (rom[0x3800 - i] !== value || rom[0x39ff + i] !== value) return true;
  }
  return false;
}

function halvesEqual(rom: Uint8Array): boolean {
  const half = rom.length / 2;
  for (let i = 0; i < half; i += 1) if (rom[i] !== rom[half + i]) return false;
  return true;
}

function bytesOf(hex: string): readonly number[] {
  const digits = hex.replaceAll(' ', '');
  return Array.from({ length: digits.length / 2 }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  );
}

function hasAny(rom: Uint8Array, codes: readonly string[]): boolean {
  return codes.some((code) => occurrences(rom, bytesOf(code)) > 0);
}

/**
 * How often a signature occurs. Like the reference's, the search stops one signature length before the end, and after
 * each hit it passes over one byte more than the signature.
 */
function occurrences(rom: Uint8Array, signature: readonly number[]): number {
  let count = 0;
  for (let i = 0; i < rom.length - signature.length; i += 1) {
    if (signature.every((byte, k) => rom[i + k] === byte)) {
      count += 1;
      i += signature.length;
    }
  }
  return count;
}
