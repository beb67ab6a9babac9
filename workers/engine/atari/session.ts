import { transfer } from 'comlink';
import type { Console } from '../../../src/atari';
import { checkAction } from '../../../src/atari/actions';
import { palette } from '../../../src/atari/palette';
import { PixelproofError } from '../../../src/errors';
import { encodePng } from '../../../src/pixels/png-encode';
import type { AtariStart, FrameView, Recording, RecordingKind } from '../../atari-api';
import { Episode } from './episode';
import { buffersOf, viewOf } from './frame-view';
import { gifRecorder } from './gif-recorder';
import { Pacer } from './pacer';
import { apngRecorder, type Recorder, type Shot, webmRecorder } from './recorder';

interface Watcher {
  readonly onFrame: (frame: FrameView) => unknown;
  readonly digests: boolean;
}

/** The cartridge being played: its episode, the clock that runs it, who looks, and what records. */
export class Session {
  #episode: Episode | null = null;
  #watcher: Watcher | null = null;
  #sending: Promise<void> | null = null;
  #stale = false;
  #recorder: Recorder | null = null;
  #action = 0;
  #held: 'reset' | 'select' | null = null;
  readonly #pacer = new Pacer({
    advance: (forward) => (forward ? this.#forward() : this.#backward(1) > 0),
    shown: async () => {
      this.show();
      if (this.#recorder?.busy === true) await this.#recorder.settled();
    },
  });

  get console(): Console {
    return this.episode.console;
  }

  get episode(): Episode {
    if (this.#episode !== null) return this.#episode;
    throw new PixelproofError('atari_no_cartridge', 'There is no cartridge in the console.');
  }

  /** Everything that can be refused is refused before the present episode ends. */
  async begin(rom: Uint8Array, start: AtariStart): Promise<void> {
    const episode = await Episode.begin(rom, start);
    this.#pacer.stop();
    const recorder = this.#recorder;
    this.#recorder = null;
    await recorder?.finish().catch(() => undefined);
    this.#episode = episode;
    this.#action = 0;
    this.#held = null;
    this.show();
  }

  watch(watcher: Watcher | null): void {
    this.#watcher = watcher;
    this.show();
  }

  press(action: number): void {
    checkAction(action);
    this.#action = action;
  }

  hold(held: 'reset' | 'select' | null): void {
    this.#held = held;
  }

  run(speed: number | null): void {
    this.#check(speed);
    if (this.episode.console.terminated && (speed ?? 1) > 0) return;
    this.#pacer.start(speed);
  }

  pause(): void {
    this.#pacer.stop();
    this.show();
  }

  step(frames: number): void {
    this.#pacer.stop();
    for (let i = 0; i < frames; i += 1) if (!this.#forward()) break;
    this.show();
  }

  back(frames: number): void {
    this.#pacer.stop();
    this.#backward(frames);
    this.show();
  }

  restore(state: Uint8Array): void {
    this.episode.restore(state);
    this.#pacer.stop();
    this.show();
  }

  screenshot(): Uint8Array<ArrayBuffer> {
    return encodePng(this.#shot());
  }

  async record(kind: RecordingKind): Promise<void> {
    const { height, format } = this.console;
    if (kind === 'webm') this.#recorder = await webmRecorder(height);
    else this.#recorder = kind === 'gif' ? gifRecorder(palette(format)) : apngRecorder();
    this.show();
  }

  async endRecording(): Promise<Recording> {
    const recorder = this.#recorder;
    if (recorder === null) throw new PixelproofError('recording_empty', 'Nothing is being recorded.');
    this.#recorder = null;
    this.show();
    return recorder.finish();
  }

  /** Sends the present frame to whoever looks; while one is under way, the newest follows it. */
  show(): void {
    if (this.#sending !== null) {
      this.#stale = true;
      return;
    }
    const watcher = this.#watcher;
    const episode = this.#episode;
    if (watcher === null || episode === null) return;
    this.#stale = false;
    this.#sending = this.#send(watcher, episode)
      .catch(() => {
        // The page that looked is gone; play goes on unseen.
        if (this.#watcher === watcher) this.#watcher = null;
      })
      .finally(() => {
        this.#sending = null;
        if (this.#stale) this.show();
      });
  }

  async #send({ onFrame, digests }: Watcher, episode: Episode): Promise<void> {
    const around = {
      running: this.#pacer.running,
      rate: this.#pacer.rate,
      history: episode.history,
      recorded: this.#recorder?.frames ?? null,
    };
    const view = await viewOf(episode.console, around, digests);
    await onFrame(transfer(view, buffersOf(view)));
  }

  #forward(): boolean {
    const { episode } = this;
    const ran = episode.forward(this.#held ?? this.#action);
    if (ran) this.#recorder?.add(this.#shot());
    return ran && !episode.console.terminated;
  }

  #backward(frames: number): number {
    const undone = this.episode.back(frames);
    if (undone > 0) this.#recorder?.add(this.#shot());
    return undone;
  }

  #shot(): Shot {
    const { console } = this;
    return { width: 160, height: console.height, data: console.rgb(), indexed: console.picture };
  }

  #check(speed: number | null): void {
    if (speed === null || (Number.isFinite(speed) && speed !== 0 && Math.abs(speed) <= 16)) return;
    throw new PixelproofError('atari_speed_out_of_range', 'There is no such speed.', {
      expected: 'up to 16 times, not 0',
      got: speed,
    });
  }
}
