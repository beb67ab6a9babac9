import { type Console, type FrameDigest, LANES } from './console';

/**
 * Digests of many frames, made where the frames are: four at a time, without a picture leaving WebAssembly. Faster than
 * `frameDigest` for every frame, and at once; for a single frame that is the better one. One of these a console.
 */
export class FrameDigests {
  readonly #console: Console;
  readonly #onDigest: (digest: FrameDigest) => void;
  #kept = 0;

  /** `onDigest` is called for each frame in order, at the latest with the third frame after it or by `flush`. */
  constructor(console: Console, onDigest: (digest: FrameDigest) => void) {
    this.#console = console;
    this.#onDigest = onDigest;
  }

  /** Takes the frame that the console shows; the console may then go on. */
  add(): void {
    this.#console.keepFrame(this.#kept);
    this.#kept += 1;
    if (this.#kept === LANES) this.flush();
  }

  /** Gives the digests of the frames still kept. */
  flush(): void {
    if (this.#kept === 0) return;
    const digests = this.#console.keptDigests(this.#kept);
    this.#kept = 0;
    for (const digest of digests) this.#onDigest(digest);
  }
}
