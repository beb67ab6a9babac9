import { PixelproofError } from '../../../src/errors';
import { insertCartridge, type PongCartridge } from '../../../src/experiments/pong-controls/machine';
import type { PongPicture } from '../../pong-api';
import { EpisodeFile } from './episode-file';
import type { OpenedTree } from './opened';
import { EpisodePlayer } from './player';

/** The run that is open for looking, with what was read of it: files, its cartridge, the last player. */
export class Looking {
  readonly tree: OpenedTree;
  readonly #rom: (sha256: string) => Promise<Uint8Array | null>;
  readonly #files = new Map<string, Promise<EpisodeFile>>();
  #cartridge: Promise<PongCartridge> | null = null;
  #player: { readonly key: string; readonly player: EpisodePlayer } | null = null;

  /** `rom` gives the bytes of a cartridge of this tab, null where it has none of that digest. */
  constructor(tree: OpenedTree, rom: (sha256: string) => Promise<Uint8Array | null>) {
    this.tree = tree;
    this.#rom = rom;
  }

  file(seed: number, arm: string): Promise<EpisodeFile> {
    const key = `${arm} ${seed}`;
    const known = this.#files.get(key);
    if (known !== undefined) return known;
    const fresh = EpisodeFile.open(this.tree.episode(seed, arm), seed, arm);
    this.#files.set(key, fresh);
    fresh.catch(() => this.#files.delete(key));
    return fresh;
  }

  /** Null where the ROM of this run is not here. */
  async cartridge(): Promise<PongCartridge | null> {
    if (this.#cartridge === null) {
      const bytes = await this.#rom(this.tree.romSha256);
      if (bytes === null) return null;
      this.#cartridge = insertCartridge(bytes);
    }
    return this.#cartridge;
  }

  /** Throws `pong_rom_missing`. */
  async requireCartridge(): Promise<PongCartridge> {
    const found = await this.cartridge();
    if (found !== null) return found;
    throw new PixelproofError(
      'pong_rom_missing',
      'The cartridge of this run is not here; choose its ROM file first.',
      { expected: `SHA-256 ${this.tree.romSha256}`, got: 'none' },
    );
  }

  /** One is kept: a person looks at one episode at a time. Throws `pong_rom_missing`. */
  async player(seed: number, arm: string): Promise<EpisodePlayer> {
    const key = `${arm} ${seed}`;
    if (this.#player?.key === key) return this.#player.player;
    const { machine } = await this.requireCartridge();
    const player = new EpisodePlayer(machine, await this.file(seed, arm));
    this.#player = { key, player };
    return player;
  }

  /** Both pictures of a frame of the last branch, null where none was taken. */
  branchPictures(frame: number): { recorded: PongPicture; other: PongPicture } | null {
    return this.#player?.player.branchPictures(frame) ?? null;
  }

  /** To be called when something else has moved the machine. */
  forgetPlayer(): void {
    this.#player = null;
  }
}
