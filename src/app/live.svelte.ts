import { proxy } from 'comlink';
import type { RunRequest, WorkerError } from '../../workers/api';
import type { Progress, RunHeader } from '../runner/experiment';
import { announcer } from './announce.svelte';
import { failureOf } from './failure';
import { plural } from './format';
import { tellStored } from './stored-news';
import { runner } from './workers';

/** Ten times a second is as often as a person can read; the worker may report each case. */
const TICK_MS = 100;

class Moved {
  /** Counts what changes the list of runs: one began, one ended. */
  count = $state(0);
}
export const runsMoved = new Moved();

function moved(): void {
  runsMoved.count += 1;
  tellStored();
}

/**
 * One run as the pages follow it. It lives outside the pages: leaving a page does not stop its run, and coming
 * back finds the progress where it stands.
 */
export class LiveRun {
  header: RunHeader | null = $state.raw(null);
  progress: Progress | null = $state.raw(null);
  failure: WorkerError | null = $state.raw(null);
  running = $state(false);
  cancelling = $state(false);
  #pending: Progress | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  async start(request: RunRequest): Promise<RunHeader | null> {
    if (this.running) return null;
    this.header = null;
    return this.#follow(() =>
      runner().start(
        request,
        proxy((header: RunHeader) => {
          this.header = header;
          moved();
          // Cancelled while the plan was being frozen: the run exists only now.
          if (this.cancelling) void runner().cancel(header.run);
        }),
        proxy((progress: Progress) => this.#note(progress)),
      ),
    );
  }

  async resume(header: RunHeader): Promise<RunHeader | null> {
    this.header = header;
    let goes = false;
    return this.#follow(() =>
      runner().resume(
        header.run,
        proxy((progress: Progress) => {
          // It is stored as going on from its first word.
          if (!goes) moved();
          goes = true;
          this.#note(progress);
        }),
      ),
    );
  }

  async cancel(): Promise<void> {
    if (!this.running || this.cancelling) return;
    this.cancelling = true;
    if (this.header !== null) await runner().cancel(this.header.run);
  }

  async #follow(work: () => Promise<RunHeader | null>): Promise<RunHeader | null> {
    if (this.running) return null;
    this.running = true;
    this.cancelling = false;
    this.failure = null;
    this.progress = null;
    try {
      const header = await work();
      this.header = header;
      // Deleted while it ran: whoever deleted it says so.
      if (header === null) return null;
      // Now there is something worth keeping. Most browsers decide without asking; a refusal changes nothing.
      if (header.status === 'complete') void navigator.storage?.persist?.().catch(() => false);
      announcer.say(`Run ${header.status}: ${header.done} of ${plural(header.total, 'case')}.`);
      return header;
    } catch (thrown) {
      this.failure = failureOf(thrown);
      announcer.say(`The run stopped: ${this.failure.message}`);
      return null;
    } finally {
      this.#flush();
      this.running = false;
      this.cancelling = false;
      announcer.progress = '';
      moved();
    }
  }

  #note(progress: Progress): void {
    this.#pending = progress;
    this.#timer ??= setTimeout(() => this.#flush(), TICK_MS);
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const progress = this.#pending;
    this.#pending = null;
    if (progress === null) return;
    this.progress = progress;
    announcer.progress = `${progress.done}/${progress.total}`;
    announcer.sayNowAndThen(`${progress.done} of ${progress.total}: ${progress.now}`);
  }
}

const runs = new Map<string, LiveRun>();

/** The one live run of a place (an experiment's page, a card of Home). */
export function liveRun(place: string): LiveRun {
  const known = runs.get(place);
  if (known !== undefined) return known;
  const fresh = new LiveRun();
  runs.set(place, fresh);
  return fresh;
}
