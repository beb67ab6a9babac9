import { Console, FrameDigests, gameNamed, type Press, Rewind } from '../../../src/atari';
import { PixelproofError } from '../../../src/errors';
import type { AtariStart } from '../../atari-api';

/** Seconds that play can be taken back, and frames that the log of an episode holds at most (an hour). */
const REWIND_SECONDS = 120;
const LOG_FRAMES = 216_000;
const DIGITS = 16;
/** Between two reports of progress while an episode is run again. */
const REPORT_EVERY = 60;

/** A console being played, with its past: what can be taken back, and what was pressed since the start. */
export class Episode {
  readonly console: Console;
  readonly start: AtariStart;
  readonly #rewind: Rewind;
  /** Frames that the log holds at most. */
  readonly #logged: number;
  #base: Uint8Array<ArrayBuffer>;
  #baseKind: 'reset' | 'saved state' = 'reset';
  #log: Press[] | null = [];

  private constructor(console: Console, start: AtariStart, logged: number) {
    this.console = console;
    this.start = start;
    this.#logged = logged;
    this.#base = console.snapshot();
    this.#rewind = new Rewind(console, REWIND_SECONDS);
  }

  /** Starts as the reference's environment does after a reset with a seed. The log holds `logged` frames. */
  static async begin(rom: Uint8Array, start: AtariStart, logged = LOG_FRAMES): Promise<Episode> {
    const game = start.game === null ? null : gameNamed(start.game);
    const console = await Console.powered(rom, { game, sticky: start.sticky });
    console.reset(start.seed);
    return new Episode(console, { ...start, game: game?.name ?? null }, logged);
  }

  get history(): number {
    return this.#rewind.length;
  }

  /** One frame; false when the game is over and nothing was run. */
  forward(press: Press): boolean {
    if (typeof press === 'number') {
      if (this.#rewind.step(press).frames === 0) return false;
    } else this.#rewind.hold(press);
    if (this.#log !== null && this.#log.length < this.#logged) this.#log.push(press);
    else this.#log = null;
    return true;
  }

  /** Takes frames back and returns how many. */
  back(frames: number): number {
    const undone = this.#rewind.back(frames);
    if (this.#log !== null) this.#log.length = Math.max(0, this.#log.length - undone);
    return undone;
  }

  restore(state: Uint8Array): void {
    this.console.restore(state);
    this.#base = state.slice();
    this.#baseKind = 'saved state';
    this.#log = [];
    this.#rewind.clear();
  }

  /** Runs the episode again on a console of its own and gives the digests of each frame. */
  async digestLog(onProgress: (done: number, total: number) => void): Promise<string> {
    const log = this.#log?.slice();
    if (log === undefined) {
      throw new PixelproofError('atari_log_full', 'The episode is too long for a log of every frame.', {
        expected: `at most ${this.#logged} frames since the last start or restored state`,
      });
    }
    const twin = await this.console.clone();
    twin.restore(this.#base);
    const frames = { asked: [...log], applied: [] as number[], rewards: [] as number[] };
    const ram: string[] = [];
    const rgb: string[] = [];
    const digests = new FrameDigests(twin, (digest) => {
      ram.push(digest.ram.slice(0, DIGITS));
      rgb.push(digest.rgb.slice(0, DIGITS));
    });
    for (const [index, press] of log.entries()) {
      const result = typeof press === 'number' ? twin.step(press) : null;
      if (typeof press !== 'number') twin.hold(press, 1);
      frames.applied.push(result?.appliedAction ?? 0);
      frames.rewards.push(result?.reward ?? 0);
      digests.add();
      if (index % REPORT_EVERY === 0) {
        onProgress(index, log.length);
        // The worker goes on answering meanwhile.
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
    }
    digests.flush();
    onProgress(log.length, log.length);
    const { md5, rom } = this.console.cartridge;
    return `${JSON.stringify({
      kind: 'pixelproof-atari-episode-v1',
      rom_md5: md5,
      rom_bytes: rom.length,
      ...this.start,
      from: this.#baseKind,
      frames: log.length,
      ...frames,
      ram_sha256_16: ram,
      rgb_sha256_16: rgb,
    })}\n`;
  }
}
