import { readFileSync } from 'node:fs';
import { PixelproofError } from '../src/errors';
import { insertCartridge, type PongCartridge } from '../src/experiments/pong-controls';
import { readFileOf } from './atari-rom';

export interface CartridgeOptions {
  readonly rom?: string;
  readonly cartridge?: string;
}

/** The built command line lies two folders below the repository's root. */
const PADDLE = new URL('../../fixtures/cartridge/paddle.bin', import.meta.url);

export function readPaddle(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(PADDLE));
}

/** The image that `--rom` or `--cartridge` names. Throws `usage_conflict` for both or neither. */
function imageOf({ rom, cartridge }: CartridgeOptions): Uint8Array {
  if ((rom === undefined) === (cartridge === undefined)) {
    throw new PixelproofError('usage_conflict', 'Choose one of --rom FILE and --cartridge paddle.');
  }
  if (rom !== undefined) return readFileOf(rom);
  if (cartridge === 'paddle') return readPaddle();
  throw new PixelproofError('option_out_of_range', '--cartridge is not possible.', {
    expected: 'paddle',
    got: cartridge,
  });
}

/** Throws also `pong_rom`, `file_unreadable` and the codes of `readCartridge`. */
export function cartridgeOf(options: CartridgeOptions): Promise<PongCartridge> {
  return insertCartridge(imageOf(options));
}
