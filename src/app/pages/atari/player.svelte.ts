import { proxy } from 'comlink';
import type { WorkerError } from '../../../../workers/api';
import type { AtariStart, CartridgeView, FrameView, RecordingKind } from '../../../../workers/atari-api';
import { PixelproofError } from '../../../errors';
import { outside } from '../../../outside-words';
import { announcer } from '../../announce.svelte';
import { failureOf } from '../../failure';
import { save } from '../../parts/save';
import { atari } from '../../workers';
import { actionOf, either, type Held, RELEASED } from './joystick';

/** Panels of numbers are redrawn this often while the game runs; the picture follows every frame that is sent. */
const PANEL_MS = 100;
/** No cartridge comes near this; larger files are not even read. */
const READ_LIMIT = 1 << 24;
/** How long a press of a console switch lasts: in time while the game runs, in frames while it stands. */
const SWITCH_MS = 120;
const SWITCH_FRAMES = 4;

const RECORDINGS: Readonly<Record<RecordingKind, { readonly type: string; readonly ending: string }>> = {
  webm: { type: 'video/webm', ending: 'webm' },
  gif: { type: 'image/gif', ending: 'gif' },
  apng: { type: 'image/png', ending: 'apng.png' },
};

type Device = 'keyboard' | 'touch' | 'gamepad';
interface Trouble {
  readonly title: string;
  readonly next: string;
  readonly failure: WorkerError;
}

/** The console as the page shows it. It outlives the page: coming back finds the game where it was left. */
class Player {
  cartridge: CartridgeView | null = $state.raw(null);
  title = $state('');
  start: AtariStart = $state.raw({ game: null, seed: 0, sticky: 0 });
  /** The frame that the panels show. */
  frame: FrameView | null = $state.raw(null);
  /** RAM as the panels showed it before. */
  before: Uint8Array | null = $state.raw(null);
  trouble: Trouble | null = $state.raw(null);
  loading = $state(false);
  running = $state(false);
  speed: number | null = $state(1);
  digests = $state(false);
  recording: RecordingKind | null = $state(null);
  /** Draws a frame; the screen sets it while it is on the page. */
  draw: ((frame: FrameView) => void) | null = null;
  /** What takes the keys, and the button that starts play; focus goes from one to the other. */
  screen: HTMLElement | null = null;
  playButton: HTMLElement | null = null;
  #newest: FrameView | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  readonly #held = new Map<Device, Held>();
  #action = 0;

  /** The way this cartridge is steered: a knob that turns, or a stick. */
  get turns(): boolean {
    return this.cartridge?.paddles === true || this.start.game === 'pong';
  }

  async loadFile(file: File): Promise<void> {
    await this.#try(
      'This file is not in the console',
      'Choose another file. What was loaded before is still there.',
      async () => {
        if (file.size > READ_LIMIT) {
          throw new PixelproofError(
            'atari_rom_too_large',
            'The ROM file is larger than any supported cartridge.',
            {
              got: `${file.size} bytes`,
            },
          );
        }
        await this.load(
          new Uint8Array(await file.arrayBuffer()),
          outside(file.name.replace(/\.[^.]*$/, '')),
          null,
        );
      },
    );
  }

  async load(rom: Uint8Array, name: string, start: AtariStart | null): Promise<void> {
    this.loading = true;
    try {
      const cartridge = await atari().load(rom, start);
      this.cartridge = cartridge;
      this.title = cartridge.name === null ? name : titleOf(cartridge.name);
      this.start = start ?? { game: cartridge.suggested_game, seed: 0, sticky: 0 };
      this.running = false;
      this.recording = null;
      this.trouble = null;
      announcer.say(`${this.title} is in the console, paused.`);
    } finally {
      this.loading = false;
    }
  }

  restart(start: AtariStart): Promise<void> {
    return this.#try('The episode did not start', 'Correct the value and start again.', async () => {
      this.cartridge = await atari().restart(start);
      this.start = start;
      this.recording = null;
      announcer.say('A new episode, paused.');
    });
  }

  /** Frames come from now on. */
  async look(digests = this.digests): Promise<void> {
    this.digests = digests;
    await atari().watch(
      proxy((frame: FrameView) => this.#arrived(frame)),
      digests,
    );
  }

  /** Nobody looks: the game stops and no frame is sent. */
  async leave(): Promise<void> {
    this.release();
    if (this.cartridge !== null) await this.pause();
    await atari().unwatch();
  }

  async play(speed: number | null = this.speed): Promise<void> {
    if (this.cartridge === null) return;
    this.running = true;
    await atari().run(speed);
  }
  async pause(): Promise<void> {
    this.running = false;
    if (this.cartridge !== null) await atari().pause();
  }
  toggle(): Promise<void> {
    return this.running ? this.pause() : this.play();
  }
  async setSpeed(speed: number | null): Promise<void> {
    this.speed = speed;
    if (this.running) await atari().run(speed);
  }
  async step(frames: number): Promise<void> {
    this.running = false;
    if (frames > 0) await atari().step(frames);
    else await atari().back(-frames);
  }
  async throwSwitch(held: 'reset' | 'select'): Promise<void> {
    await atari().hold(held);
    if (this.running) await new Promise((resolve) => setTimeout(resolve, SWITCH_MS));
    else await atari().step(SWITCH_FRAMES);
    await atari().hold(null);
  }

  /** What one device holds now; all devices count together. */
  hold(device: Device, held: Held): void {
    this.#held.set(device, held);
    const all = [...this.#held.values()].reduce(either, RELEASED);
    const action = actionOf(all, this.turns);
    if (action === this.#action) return;
    this.#action = action;
    if (this.cartridge !== null) void atari().press(action);
  }
  release(): void {
    this.#held.clear();
    this.hold('keyboard', RELEASED);
  }

  saveState(): Promise<void> {
    return this.#try('The state was not saved', 'Try again.', async () => {
      save(new Blob([await atari().save()]), this.#fileName('state'));
    });
  }
  restoreState(file: File): Promise<void> {
    return this.#try(
      'This state was not loaded',
      'Choose a state saved from this cartridge. The game stands where it was.',
      async () => {
        await atari().restore(new Uint8Array(await file.slice(0, READ_LIMIT).arrayBuffer()));
        this.running = false;
        announcer.say('The saved state is loaded, paused.');
      },
    );
  }
  screenshot(): Promise<void> {
    return this.#try('There is no screenshot', 'Try again.', async () => {
      save(new Blob([await atari().screenshot()], { type: 'image/png' }), this.#fileName('png'));
    });
  }
  record(kind: RecordingKind): Promise<void> {
    return this.#try('Nothing is recorded', 'Record as GIF or APNG instead; every browser can.', async () => {
      await atari().record(kind);
      this.recording = kind;
    });
  }
  endRecording(): Promise<void> {
    return this.#try('There is no recording', 'Record again while the game runs.', async () => {
      this.recording = null;
      const { kind, bytes } = await atari().endRecording();
      const { type, ending } = RECORDINGS[kind];
      save(new Blob([bytes], { type }), this.#fileName(ending));
    });
  }
  saveLog(onProgress: (done: number, total: number) => void): Promise<void> {
    return this.#try('There is no log', 'Start again and log a shorter episode.', async () => {
      const text = await atari().digestLog(proxy(onProgress));
      save(text, this.#fileName('episode.json'), 'application/json');
    });
  }

  #fileName(ending: string): string {
    const title = this.title.replace(/[^\w-]+/g, '-') || 'atari';
    return `${title}-${this.#newest?.frame ?? 0}.${ending}`;
  }

  async #try(title: string, next: string, work: () => Promise<void>): Promise<void> {
    this.trouble = null;
    try {
      await work();
    } catch (thrown) {
      this.trouble = { title, next, failure: failureOf(thrown) };
    }
  }

  #arrived(frame: FrameView): void {
    this.#newest = frame;
    this.draw?.(frame);
    if (!frame.running) this.#panel();
    else this.#timer ??= setTimeout(() => this.#panel(), PANEL_MS);
  }

  /** The newest frame, for a screen that has just come onto the page. */
  get newest(): FrameView | null {
    return this.#newest;
  }

  #panel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const frame = this.#newest;
    if (frame === null) return;
    this.before = this.frame?.ram ?? null;
    this.frame = frame;
    if (frame.terminated && this.running && !frame.running) announcer.say('The game is over.');
    this.running = frame.running;
  }
}

/** `space_invaders` as `Space invaders`. */
function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
}

export const player = new Player();
