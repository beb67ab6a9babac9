import { proxy } from 'comlink';
import type { EngineView, SignalsFound, SignalsItem, WorkerError } from '../../../../workers/api';
import type { Json, JsonObject } from '../../../evidence/identity/json';
import { type Cell, startCells } from '../../../experiments/image-signals/cells';
import { type Definition, parseDefinition } from '../../../experiments/image-signals/definition';
import { planMatrix } from '../../../experiments/image-signals/matrix-plan';
import { FROZEN } from '../../../experiments/image-signals/protocol';
import { mayReveal, type Review } from '../../../experiments/image-signals/review';
import type { SceneOptions } from '../../../experiments/image-signals/scene';
import type { RunHeader } from '../../../runner/experiment';
import { announcer } from '../../announce.svelte';
import { failureOf } from '../../failure';
import { plural } from '../../format';
import { later } from '../../later';
import { type LiveRun, liveRun } from '../../live.svelte';
import { runOfAddress } from '../../named-run';
import { route } from '../../route.svelte';
import { storedRuns } from '../../stored-runs';
import { runner, signals } from '../../workers';
import { digestOf, type Entry, failureOfEntry } from './entry';
import { readDraft, union, writeDraft } from './review-draft';
import { readRun } from './stored-run';
import type { TakenFile } from './take';

const EXPERIMENT = 'image-signals';
/** Files handed to the worker in one message: for each the browser asks its file system, while the main thread waits. */
const HANDED = 16;

/** As the page says it: a file that is no picture was tried, and measured it was not. */
function measuredWords(tried: readonly Entry[]): string {
  const failed = tried.filter((entry) => failureOfEntry(entry) !== null).length;
  const measured = `${plural(tried.length - failed, 'picture')} measured`;
  return failed === 0 ? `${measured}.` : `${measured}, ${plural(failed, 'file')} not readable.`;
}

/** What the page works on: pictures with their records, the matrix's cells, the reviews, and the run they are kept in. */
export class SignalsSession {
  readonly live: LiveRun = liveRun(EXPERIMENT);
  entries: readonly Entry[] = $state.raw([]);
  cells: readonly Cell[] = $state.raw(startCells(planMatrix()));
  reviews: readonly Review[] = $state.raw([]);
  definition: Definition = $state.raw(FROZEN);
  engine: EngineView['id'] = $state('wasm-simd');
  /** Numbers stay hidden until the three items are scored. */
  reviewFirst = $state(false);
  reviewer = $state('');
  /** Pictures whose numbers were on screen while they were not hidden: nobody can review these blindly here. */
  seen: ReadonlySet<string> = $state.raw(new Set());
  measuring = $state(false);
  done = $state(0);
  total = $state(0);
  leftMs: number | null = $state(null);
  failure: WorkerError | null = $state.raw(null);
  header: RunHeader | null = $state.raw(null);
  report: JsonObject | null = $state.raw(null);
  loading = $state(false);
  stamp = $state(0);
  /** Something is on the page that the shown run does not hold. */
  changed = $state(false);
  #next = 0;
  /** What is under way, so that there is one at a time. */
  #running: Promise<void> | null = null;
  #cancelled = false;
  /** Scores of this tab that no run on the page holds: they come back with their pictures. */
  #drafted: readonly Review[];

  constructor() {
    const draft = readDraft();
    this.reviewFirst = draft.reviewFirst;
    this.reviewer = draft.reviewer;
    this.seen = new Set(draft.seen);
    this.#drafted = draft.reviews;
  }

  /** What has to outlive a reload of the page. Called from an effect: whatever changes is written. */
  remember(): void {
    const { reviewFirst, reviewer, reviews, seen } = this;
    this.#drafted = union(this.#drafted, reviews);
    writeDraft({ reviewFirst, reviewer, reviews: this.#drafted, seen: [...seen] });
  }

  readonly current: Entry | null = $derived(
    this.entries.find(
      (entry) => route.get('picture') !== null && digestOf(entry)?.startsWith(route.get('picture') ?? ''),
    ) ?? null,
  );

  /** Whether an entry's numbers may be on screen now. */
  revealed(entry: Entry): boolean {
    const digest = digestOf(entry);
    return !this.reviewFirst || (digest !== null && mayReveal(this.reviews, this.reviewer, digest));
  }

  /** From now on the numbers are on screen: whatever is here cannot be reviewed blindly any more in this tab. */
  showNumbers(): void {
    this.reviewFirst = false;
    this.seen = new Set([...this.seen, ...this.entries.flatMap((entry) => digestOf(entry) ?? [])]);
  }

  async add(files: readonly TakenFile[], scenes: readonly SceneOptions[] = []): Promise<void> {
    const fresh = files.map(
      ({ name, blob, error }, i): Entry => ({
        id: this.#next + i,
        name,
        blob,
        record: error === undefined ? null : { file: name, sha256: null, error },
        thumb: null,
        scene: scenes[i] ?? null,
      }),
    );
    this.#next += fresh.length;
    this.entries = [...this.entries, ...fresh];
    this.changed = true;
    await this.#start(fresh[0]?.id ?? this.#next);
  }

  async draw(scenes: readonly SceneOptions[]): Promise<readonly Entry[]> {
    const files: TakenFile[] = [];
    for (const scene of scenes) files.push(await signals().scene({ ...scene }));
    const before = this.entries.length;
    await this.add(files, scenes);
    return this.entries.slice(before);
  }

  /** Another definition or engine: everything that is here is measured again. */
  async remeasure(definition: Definition): Promise<void> {
    this.definition = definition;
    this.changed = this.entries.length > 0;
    const waiting: Entry[] = [];
    for (const entry of this.entries) waiting.push({ ...entry, blob: await this.blobOf(entry) });
    // What is no picture is none by any definition.
    this.entries = waiting.map((entry) =>
      failureOfEntry(entry) === null ? { ...entry, record: null } : entry,
    );
    await this.goOn();
  }

  async cancel(): Promise<void> {
    this.#cancelled = true;
    await signals().cancel();
  }

  /** Goes on with what was not measured when it was cancelled. */
  async goOn(): Promise<void> {
    await this.#start(0);
  }

  async blobOf(entry: Entry): Promise<Blob> {
    if (entry.blob !== null) return entry.blob;
    const digest = digestOf(entry);
    const bytes = digest === null ? null : await runner().artifact(`sha256:${digest}`);
    return new Blob(bytes === null ? [] : [bytes as Uint8Array<ArrayBuffer>]);
  }

  clear(): void {
    this.entries = [];
    this.cells = startCells(planMatrix());
    this.reviews = [];
    this.#drafted = [];
    this.seen = new Set();
    this.header = null;
    this.report = null;
    this.changed = false;
    route.set({ run: null, picture: null });
  }

  /** The site was reset in another tab: nothing of the draft may be left here, nor be written again. */
  forget(): void {
    this.clear();
    this.reviewFirst = false;
    this.reviewer = '';
    if (this.measuring) void this.cancel().catch(() => undefined);
  }

  /** Measures what waits from this id on. What is added while that is under way is taken along. */
  #start(from: number): Promise<void> {
    this.#running ??= this.#measure(from).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** The next pictures to hand to the worker, and the id from which those after them are looked for. */
  #part(from: number): { readonly items: readonly SignalsItem[]; readonly next: number } {
    const items: SignalsItem[] = [];
    for (const { id, name, blob, record } of this.entries) {
      if (items.length === HANDED) break;
      if (id >= from && record === null && blob !== null) items.push({ id, name, blob });
    }
    return { items, next: (items.at(-1)?.id ?? from) + 1 };
  }

  async #measure(from: number): Promise<void> {
    let { items, next } = this.#part(from);
    if (items.length === 0) return;
    this.measuring = true;
    this.#cancelled = false;
    this.failure = null;
    this.done = 0;
    this.leftMs = null;
    // The list is drawn in a task of its own.
    await later();
    const began = performance.now();
    const definition = this.definition === FROZEN ? null : (this.definition.file as unknown as JsonObject);
    const options = { definition, engine: this.engine };
    const onFound = proxy((found: readonly SignalsFound[]) => this.#found(found, began));
    try {
      // While one part is measured the next is on its way, so that the worker never waits for this thread.
      let ahead: Promise<unknown> = later();
      while (items.length > 0 && !this.#cancelled) {
        this.total =
          this.done + this.entries.filter(({ id, record }) => id >= from && record === null).length;
        const part = signals().measure(items, options, onFound);
        // Its failure is met when its turn comes.
        part.catch(() => undefined);
        await ahead;
        ahead = part;
        ({ items, next } = this.#part(next));
      }
      await ahead;
      announcer.say(
        this.#cancelled
          ? `Cancelled after ${this.done} of ${this.total}.`
          : measuredWords(this.entries.filter(({ id }) => id >= from)),
      );
    } catch (thrown) {
      this.failure = failureOf(thrown);
    } finally {
      this.measuring = false;
      announcer.progress = '';
    }
  }

  #found(found: readonly SignalsFound[], began: number): void {
    this.#take(found);
    this.done += found.length;
    if (this.done >= 3) this.leftMs = ((performance.now() - began) / this.done) * (this.total - this.done);
    announcer.progress = `${this.done}/${this.total}`;
    announcer.sayNowAndThen(`${this.done} of ${this.total} done`);
  }

  #take(all: readonly SignalsFound[]): void {
    // What was measured when it was taken off the page is not on it.
    const here = new Set(this.entries.map(({ id }) => id));
    const found = all.filter(({ id }) => here.has(id));
    const by = new Map(found.map((one) => [one.id, one]));
    this.entries = this.entries.map((entry) => {
      const one = by.get(entry.id);
      return one === undefined ? entry : { ...entry, record: one.record, thumb: one.thumb };
    });
    const digests = found.flatMap(({ record }) => record.sha256 ?? []);
    if (!this.reviewFirst) this.seen = new Set([...this.seen, ...digests]);
    this.reviews = union(this.reviews, this.#draftsOf(digests));
  }

  #draftsOf(digests: readonly string[]): readonly Review[] {
    const here = new Set(digests);
    return this.#drafted.filter(({ image }) => here.has(image));
  }

  /** Freezes what is on the page as a run, with its pictures. */
  async keep(): Promise<void> {
    const entries = this.entries.filter((entry) => digestOf(entry) !== null);
    const files: { sha256: string; blob: Blob }[] = [];
    for (const entry of entries) {
      const sha256 = `sha256:${digestOf(entry) ?? ''}`;
      if (entry.blob !== null) files.push({ sha256, blob: entry.blob });
    }
    await runner().lendPictures(files);
    const drawn = entries.every(({ scene }) => scene !== null);
    const header = await this.live.start({
      experiment: EXPERIMENT,
      parameters: JSON.parse(
        JSON.stringify({
          pictures: entries.map((entry) => ({
            file: entry.name,
            sha256: `sha256:${digestOf(entry) ?? ''}`,
            scene: entry.scene,
            arm: this.armOf(entry),
          })),
          definition: this.definition.file,
          cells: this.cells,
          reviews: this.reviews,
          engine: this.engine,
        }),
      ) as { [key: string]: Json },
      provider: { id: drawn ? 'drawn' : 'files', settings: {} },
    });
    this.stamp += 1;
    if (header === null) return;
    this.header = header;
    this.changed = header.status !== 'complete';
    route.set({ run: header.run });
    this.report = await runner().report(header.run);
  }

  /** The arm of the cell that an entry fills; `drawn` or `dropped` outside the matrix. */
  armOf(entry: Entry): string {
    const digest = digestOf(entry);
    const cell = this.cells.find(({ steps }) => steps.some(({ evidence }) => evidence?.image === digest));
    return cell?.arm ?? (entry.scene === null ? 'dropped' : 'drawn');
  }

  /** `unasked`: what somebody has put on the page meanwhile stays. */
  async show(header: RunHeader, unasked = false): Promise<void> {
    this.loading = true;
    this.failure = null;
    try {
      const run = await readRun(header);
      if (unasked && this.entries.length > 0) return;
      this.entries = run.entries.map((entry, i) => ({ ...entry, id: this.#next + i }));
      this.#next += run.entries.length;
      this.definition = run.definition.id === FROZEN.id ? FROZEN : parseDefinition(run.definition.file);
      this.cells = run.cells;
      const digests = run.entries.flatMap((entry) => digestOf(entry) ?? []);
      this.reviews = union(run.reviews, this.#draftsOf(digests));
      this.report = run.report;
      this.header = header;
      this.changed = this.reviews.length > run.reviews.length;
      if (!this.reviewFirst) this.seen = new Set([...this.seen, ...digests]);
    } catch (thrown) {
      this.failure = failureOf(thrown);
    } finally {
      this.loading = false;
    }
  }

  /** First look: the run that the address names, else the latest complete one. */
  async arrive(): Promise<void> {
    if (this.entries.length > 0) return;
    try {
      const named = await runOfAddress(EXPERIMENT);
      if (named === 'elsewhere') return;
      const { runs } = await storedRuns({ experiment: EXPERIMENT, offset: 0, limit: 20 });
      const chosen = named ?? runs.find(({ status }) => status === 'complete') ?? null;
      if (chosen !== null) await this.show(chosen, named === null);
    } catch (thrown) {
      this.failure = failureOf(thrown);
    }
  }
}
