import { type Console, Console as RealConsole, type Sha256 } from '../../atari';
import { gameNamed } from '../../atari/games';
import { PixelproofError } from '../../errors';
import { sha256Hex } from '../../evidence/identity/sha256';
import { PONG_MD5, STICKY } from './protocol';

/** The part of a console that an episode drives. `Console` is one; tests script others. */
export interface PongMachine {
  readonly ram: Uint8Array;
  /** Power off and on, the environment's seed, and two environment resets. */
  reset(seed: number): void;
  /** One frame with an action of the eighteen. `truncated`: the environment gave up on the episode. */
  step(action: number): {
    readonly reward: number;
    readonly terminated: boolean;
    readonly truncated?: boolean;
  };
  rgb(): Uint8Array<ArrayBuffer>;
  snapshot(): Uint8Array<ArrayBuffer>;
  restore(snapshot: Uint8Array): void;
}

/** A cartridge that keeps to Pong's rules, ready to play the protocol. */
export interface PongCartridge {
  readonly rom: Uint8Array;
  readonly md5: string;
  /** SHA-256 of the image, hex. */
  readonly sha256: string;
  readonly name: 'pong' | 'paddle';
  readonly machine: PongMachine;
}

export type { Sha256 };

/**
 * Puts a cartridge into a console with the protocol's sticky probability. Throws `pong_rom` (with the MD5) for an image
 * that is neither the published Pong nor Paddle, and the codes of `readCartridge`.
 */
export async function insertCartridge(rom: Uint8Array): Promise<PongCartridge> {
  const machine: Console = await RealConsole.powered(rom, { game: gameNamed('pong'), sticky: STICKY });
  const { md5, known } = machine.cartridge;
  const name = md5 === PONG_MD5 ? 'pong' : known?.name === 'paddle' ? 'paddle' : null;
  if (name === null) {
    throw new PixelproofError('pong_rom', 'This is not the cartridge of the experiment.', {
      expected: `MD5 ${PONG_MD5} (Pong) or the Paddle cartridge`,
      got: `MD5 ${md5}${known === null ? '' : ` (${known.name})`}`,
    });
  }
  return { rom, md5, sha256: sha256Hex(rom), name, machine };
}
