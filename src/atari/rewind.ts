import type { Console } from './console';

/** What one frame was asked for: an action, or a console switch held. */
export type Press = number | 'reset' | 'select';

interface Keyframe {
  readonly state: Uint8Array<ArrayBuffer>;
  /** What was asked for since, one a frame. */
  readonly actions: Press[];
}

/**
 * Steps a console and can go back frame by frame: a saved state every `interval` frames and the actions in between, so
 * that going back replays at most `interval` frames and gives exactly the bytes that were there.
 */
export class Rewind {
  readonly #console: Console;
  readonly #interval: number;
  readonly #capacity: number;
  #keyframes: Keyframe[];

  /** `seconds` of sixty frames are kept, at about 75 KB a keyframe. */
  constructor(console: Console, seconds: number, interval = 30) {
    this.#console = console;
    this.#interval = interval;
    this.#capacity = Math.max(2, Math.ceil((seconds * 60) / interval) + 1);
    this.#keyframes = [{ state: console.snapshot(), actions: [] }];
  }

  /** Frames that `back` can undo. */
  get length(): number {
    return this.#keyframes.reduce((sum, keyframe) => sum + keyframe.actions.length, 0);
  }

  step(action: number): ReturnType<Console['step']> {
    const result = this.#console.step(action);
    if (result.frames === 0) return result;
    this.#note(action);
    return result;
  }

  /** One frame with a console switch held; no random draw, no reward. */
  hold(press: 'reset' | 'select'): void {
    this.#console.hold(press, 1);
    this.#note(press);
  }

  #note(press: Press): void {
    this.#last().actions.push(press);
    if (this.#last().actions.length === this.#interval) {
      this.#keyframes.push({ state: this.#console.snapshot(), actions: [] });
      if (this.#keyframes.length > this.#capacity) this.#keyframes.shift();
    }
  }

  /** Undoes up to `frames` frames and returns how many. */
  back(frames = 1): number {
    let undone = 0;
    while (undone < frames) {
      if (this.#last().actions.length === 0) {
        if (this.#keyframes.length === 1) break;
        this.#keyframes.pop();
      }
      this.#last().actions.pop();
      undone += 1;
    }
    if (undone > 0) {
      this.#console.restore(this.#last().state);
      for (const press of this.#last().actions) {
        if (typeof press === 'number') this.#console.step(press);
        else this.#console.hold(press, 1);
      }
    }
    return undone;
  }

  /** Forgets the past; call it after a reset or a restore. */
  clear(): void {
    this.#keyframes = [{ state: this.#console.snapshot(), actions: [] }];
  }

  #last(): Keyframe {
    const last = this.#keyframes.at(-1);
    if (last === undefined) throw new Error('A rewind always has a keyframe.');
    return last;
  }
}
