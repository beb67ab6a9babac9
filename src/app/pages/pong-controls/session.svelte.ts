import { proxy } from 'comlink';
import type { WorkerError } from '../../../../workers/api';
import type {
  PongCartridgeView,
  PongFile,
  PongOpened,
  PongPicture,
  PongPoint,
  PongProgress,
  PongSource,
} from '../../../../workers/pong-api';
import { leftIn } from '../../../experiments/pong-controls/left';
import type { RunHeader } from '../../../runner/experiment';
import { announcer } from '../../announce.svelte';
import { failureOf } from '../../failure';
import { plural } from '../../format';
import { keys } from '../../keys.svelte';
import { namedRun } from '../../linked.svelte';
import { runOfAddress } from '../../named-run';
import { route } from '../../route.svelte';
import { tellStored } from '../../stored-news';
import { storedRuns } from '../../stored-runs';
import { pong } from '../../workers';
import { type Choice, startOf } from './choice';

const EXPERIMENT = 'pong-controls';

/** A run that was cancelled, cut off or stopped by a fault of ours may go on; one that the protocol ended may not. */
export function mayGoOn({ status, note }: RunHeader): boolean {
  return status !== 'complete' && leftIn(note) === null;
}

/** One arm while it is played: what it has come to, by seed. */
interface LiveArm {
  readonly arm: string;
  readonly curves: ReadonlyMap<number, readonly (readonly [number, number])[]>;
  readonly latest: PongPoint | null;
}

/** The run in progress, and the run that is open for looking. One for the site: leaving the page stops nothing. */
class PongSession {
  running = $state(false);
  cancelling = $state(false);
  header: RunHeader | null = $state.raw(null);
  progress: PongProgress | null = $state.raw(null);
  failure: WorkerError | null = $state.raw(null);
  arms: ReadonlyMap<string, LiveArm> = $state.raw(new Map());
  pictures: ReadonlyMap<string, PongPicture> = $state.raw(new Map());
  /** What the running plan plays, for the frames that have no picture yet. */
  planned: readonly string[] = $state.raw([]);
  rom: PongCartridgeView | null = $state.raw(null);
  romFile: Uint8Array<ArrayBuffer> | null = null;
  romFailure: WorkerError | null = $state.raw(null);
  recording: { readonly exchanges: number; readonly model: string; readonly backend: string } | null =
    $state.raw(null);
  interrupted: RunHeader | null = $state.raw(null);
  opened: PongOpened | null = $state.raw(null);
  opening = $state(false);
  openFailure: WorkerError | null = $state.raw(null);
  stamp = $state(0);
  #arrived = false;

  async arrive(): Promise<void> {
    if (this.running) return;
    const named = namedRun();
    // Coming back finds what was left, unless the address names another run.
    if (this.#arrived && (named === null || named === this.opened?.header?.run)) return;
    this.#arrived = true;
    this.openFailure = null;
    try {
      const { runs } = await storedRuns({ experiment: EXPERIMENT, offset: 0, limit: 20 });
      this.interrupted = runs.find(mayGoOn) ?? null;
      const chosen = await runOfAddress(EXPERIMENT);
      if (chosen === 'elsewhere') return;
      const shown = chosen ?? runs.find(({ status }) => status === 'complete') ?? null;
      if (shown !== null) await this.open({ run: shown.run });
    } catch (thrown) {
      this.openFailure = failureOf(thrown);
    }
  }

  async start(choice: Choice): Promise<void> {
    const start = startOf(choice);
    this.planned = start.parameters.arms as readonly string[];
    const key = await keys.of(start.provider.id);
    await this.#follow(() =>
      pong().start(
        start,
        { key },
        proxy((header: RunHeader) => {
          this.header = header;
          tellStored();
        }),
        proxy((progress: PongProgress) => this.#note(progress)),
      ),
    );
  }

  async resume(header: RunHeader): Promise<void> {
    this.interrupted = null;
    this.planned = [];
    const key = await keys.of(header.provider.id);
    let goes = false;
    await this.#follow(() =>
      pong().resume(
        header.run,
        { key },
        proxy((progress: PongProgress) => {
          if (!goes) tellStored();
          goes = true;
          this.#note(progress);
        }),
      ),
    );
  }

  async cancel(): Promise<void> {
    if (!this.running) return;
    this.cancelling = true;
    await pong().cancel();
  }

  async #follow(work: () => Promise<RunHeader>): Promise<void> {
    if (this.running) return;
    this.running = true;
    this.cancelling = false;
    this.failure = null;
    this.header = null;
    this.progress = null;
    this.arms = new Map();
    this.pictures = new Map();
    this.interrupted = null;
    try {
      const header = await work();
      this.header = header;
      if (header.status === 'complete') void navigator.storage?.persist?.().catch(() => false);
      announcer.say(`Run ${header.status}: ${header.done} of ${plural(header.total, 'episode')}.`);
      if (mayGoOn(header)) this.interrupted = header;
      this.stamp += 1;
      route.set({ run: header.run, d: null });
      await this.open({ run: header.run });
    } catch (thrown) {
      this.failure = failureOf(thrown);
      announcer.say(`The run stopped: ${this.failure.message}`);
    } finally {
      this.running = false;
      this.cancelling = false;
      announcer.progress = '';
      tellStored();
    }
  }

  #note(progress: PongProgress): void {
    this.progress = progress;
    announcer.progress = `${progress.done}/${progress.total}`;
    announcer.sayNowAndThen(`${progress.done} of ${progress.total} episodes: ${progress.now}`);
    if (progress.points.length === 0) return;
    const arms = new Map(this.arms);
    for (const point of progress.points) {
      const before = arms.get(point.arm);
      const curves = new Map(before?.curves ?? []);
      const line = curves.get(point.seed) ?? [];
      const net = point.scored - point.lost;
      const last = line.at(-1);
      // Between two points the line only grows longer.
      const kept =
        last !== undefined && last[1] === net && line.at(-2)?.[1] === net ? line.slice(0, -1) : line;
      curves.set(point.seed, [...kept, [point.decision, net]]);
      arms.set(point.arm, { arm: point.arm, curves, latest: point });
    }
    this.arms = arms;
  }

  /** Live pictures, while somebody looks. */
  watch(): () => void {
    void pong()
      .watch(
        proxy((picture: PongPicture) => {
          this.pictures = new Map(this.pictures).set(picture.arm, picture);
        }),
      )
      .catch(() => undefined);
    return () => void pong().unwatch();
  }

  async insert(file: File): Promise<boolean> {
    this.romFailure = null;
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      this.rom = await pong().insert(bytes);
      this.romFile = bytes;
      if (this.opened !== null && !this.opened.playable && this.opened.stored)
        await this.open({ run: this.opened.name });
      return true;
    } catch (thrown) {
      this.romFailure = failureOf(thrown);
      return false;
    }
  }

  async open(source: PongSource): Promise<void> {
    this.opening = true;
    this.openFailure = null;
    try {
      this.opened = await pong().open(source);
    } catch (thrown) {
      this.openFailure = failureOf(thrown);
    } finally {
      this.opening = false;
    }
  }

  /** A published folder or archive, for looking and checking; nothing of it is stored. */
  async openFiles(files: readonly File[]): Promise<void> {
    try {
      const found = await filesOf(files);
      route.set({ run: null, seed: null, arm: null, d: null });
      await this.open({
        files: found,
        name: files.length === 1 ? (files[0]?.name ?? '') : `${files.length} files`,
      });
    } catch (thrown) {
      this.openFailure = failureOf(thrown);
    }
  }

  async lendRecording(files: readonly File[]): Promise<void> {
    this.recording = null;
    this.failure = null;
    try {
      this.recording = await pong().lendRecording(await filesOf(files));
    } catch (thrown) {
      this.failure = failureOf(thrown);
    }
  }
}

/** Files with their paths; a zip is unpacked. */
async function filesOf(files: readonly File[]): Promise<readonly PongFile[]> {
  const [first] = files;
  if (files.length === 1 && first !== undefined && /\.zip$/i.test(first.name)) return pong().unpack(first);
  return files.map((file) => ({ path: file.webkitRelativePath || file.name, blob: file }));
}

export const session = new PongSession();
