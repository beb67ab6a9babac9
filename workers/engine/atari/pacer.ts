/** Frames a second of an NTSC console: 262 lines of 228 clocks at 3.579545 MHz. */
export const FRAME_RATE = 3579545 / (262 * 228);

/** How long one task may emulate before messages get their turn, in milliseconds. */
const SLICE_MS = 12;
/** A pacer that fell further behind than this many frames does not try to catch up. */
const LATE = 6;

export interface Paced {
  /** One frame in the direction of play; false when it cannot go on. */
  advance(forward: boolean): boolean;
  /** After each slice, so that somebody may look. Waiting for it holds play up. */
  shown(): Promise<void>;
}

/** Runs frames by the clock. The clock decides when a frame is run, never what is in it. */
export class Pacer {
  readonly #paced: Paced;
  #speed: number | null = 1;
  #running = false;
  #due = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #counted = 0;
  #since = 0;
  #rate: number | null = null;

  constructor(paced: Paced) {
    this.#paced = paced;
  }

  get running(): boolean {
    return this.#running;
  }
  get rate(): number | null {
    return this.#running ? this.#rate : null;
  }

  start(speed: number | null): void {
    this.#speed = speed;
    this.#due = performance.now();
    if (this.#running) return;
    this.#running = true;
    this.#counted = 0;
    this.#since = performance.now();
    this.#rate = null;
    this.#later(0);
  }

  stop(): void {
    this.#running = false;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #later(ms: number): void {
    this.#timer = setTimeout(() => void this.#slice(), ms);
  }

  async #slice(): Promise<void> {
    this.#timer = null;
    const period = this.#speed === null ? 0 : 1000 / (FRAME_RATE * Math.abs(this.#speed));
    const began = performance.now();
    if (period > 0 && began - this.#due > LATE * period) this.#due = began;
    while (this.#running && performance.now() - began < SLICE_MS) {
      if (period > 0 && performance.now() < this.#due) break;
      if (!this.#paced.advance((this.#speed ?? 1) > 0)) this.stop();
      this.#due += period;
      this.#counted += 1;
    }
    this.#measure();
    await this.#paced.shown();
    if (this.#running && this.#timer === null) {
      this.#later(period === 0 ? 0 : Math.max(0, this.#due - performance.now()));
    }
  }

  #measure(): void {
    const seconds = (performance.now() - this.#since) / 1000;
    if (seconds < 1) return;
    this.#rate = this.#counted / seconds;
    this.#counted = 0;
    this.#since = performance.now();
  }
}
