import { PixelproofError } from '../../errors';
import { type RuntimeEvidence, UNFINISHED } from '../../providers/provider';
import type { JsonObject, Sha256Id } from '../identity/json';
import type { Artifact, CaseKey, CaseRecord, JournalledExchange, Plan, RunHeader } from '../run';
import { requireDigests, requireNext } from './rules';
import type {
  CaseQuery,
  EndedAttempt,
  FinishedCase,
  HeaderChange,
  Moment,
  NewRun,
  Page,
  RunQuery,
  RunStore,
  StoreEvent,
  Tally,
  Usage,
} from './store';

/** What a full disk refused, of one run. */
interface Refused {
  attempts: EndedAttempt[];
  cases: FinishedCase[];
  change: HeaderChange;
}

/**
 * A store that loses nothing to a full disk: what the inner store refuses with `store_quota` stays in memory, is
 * seen by every read (so it is in an export), and is written when there is room again (`flush`). The error still
 * reaches the caller, which stops the run; so little is ever kept here: one attempt, one case.
 */
export class SpillStore implements RunStore {
  readonly #inner: RunStore;
  readonly #onEvent: (event: StoreEvent) => void;
  readonly #refused = new Map<string, Refused>();
  /** The latest of each run: it moves records from memory to the disk in several steps. */
  readonly #flushes = new Map<string, Promise<void>>();

  constructor(inner: RunStore, onEvent: (event: StoreEvent) => void) {
    this.#inner = inner;
    this.#onEvent = onEvent;
  }

  async #keeping<T>(run: string, write: () => Promise<T>, keep: (refused: Refused) => void): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof PixelproofError) || error.code !== 'store_quota') throw error;
      const refused = this.#refused.get(run) ?? { attempts: [], cases: [], change: {} };
      keep(refused);
      this.#refused.set(run, refused);
      this.#onEvent({ code: error.code, message: error.message });
      throw error;
    }
  }

  #with(header: RunHeader): RunHeader {
    const refused = this.#refused.get(header.run);
    if (refused === undefined) return header;
    return { ...header, ...refused.change, done: header.done + refused.cases.length };
  }

  create(run: NewRun): Promise<RunHeader> {
    return this.#inner.create(run);
  }

  async header(run: string): Promise<RunHeader | null> {
    const header = await this.#inner.header(run);
    return header === null ? null : this.#with(header);
  }

  async list(query: RunQuery): Promise<Page<RunHeader>> {
    const page = await this.#inner.list(query);
    return { total: page.total, items: page.items.map((header) => this.#with(header)) };
  }

  plan(run: string): Promise<{ plan: Plan; environment: JsonObject }> {
    return this.#inner.plan(run);
  }

  runtime(run: string): Promise<RuntimeEvidence | null> {
    return this.#inner.runtime(run);
  }

  async moment(run: string): Promise<Moment> {
    for (;;) {
      const flush = this.#flushes.get(run);
      await flush?.catch(() => {});
      const moment = await this.#inner.moment(run);
      // A flush that began meanwhile may have been seen half.
      if (this.#flushes.get(run) === flush) return this.#momentWith(moment);
    }
  }

  #momentWith(moment: Moment): Moment {
    const refused = this.#refused.get(moment.header.run);
    if (refused === undefined) return moment;
    const header = this.#with(moment.header);
    const [first] = refused.attempts;
    const stored = first?.closes === true ? moment.open.slice(0, -1) : moment.open;
    const attempts = [
      ...stored,
      ...refused.attempts.map(({ position, key, index, exchange }) => ({ position, key, index, exchange })),
    ];
    const open = attempts.filter(({ position }) => position >= header.done);
    const artifacts = new Set(moment.artifacts);
    for (const one of refused.cases) for (const { sha256 } of one.artifacts) artifacts.add(sha256);
    return {
      ...moment,
      header,
      tallies: this.#talliesWith(header.run, moment.tallies),
      settled: moment.settled + attempts.length - open.length,
      open,
      artifacts: [...artifacts].sort(),
    };
  }

  setRuntime(run: string, runtime: RuntimeEvidence): Promise<void> {
    return this.#inner.setRuntime(run, runtime);
  }

  async update(run: string, change: HeaderChange): Promise<RunHeader> {
    const header = await this.#keeping(
      run,
      () => this.#inner.update(run, change),
      (refused) => {
        refused.change = { ...refused.change, ...structuredClone(change) };
      },
    );
    const refused = this.#refused.get(run);
    if (refused !== undefined) refused.change = {};
    return this.#with(header);
  }

  async journal(run: string, attempts: readonly EndedAttempt[]): Promise<void> {
    await this.#keeping(
      run,
      async () => {
        await this.flush(run);
        await this.#inner.journal(run, attempts);
      },
      (refused) => {
        // A call whose beginning nobody could write down is not made, so there is nothing to keep of it.
        const ended = attempts.filter(({ exchange }) => exchange.cause?.code !== UNFINISHED.code);
        refused.attempts.push(...structuredClone(ended));
      },
    );
  }

  async commit(run: string, cases: readonly FinishedCase[]): Promise<RunHeader> {
    // The inner store checks what it is given; with a full disk it may not get that far.
    if (this.#refused.has(run)) {
      await requireDigests(cases);
      const header = await this.header(run);
      if (header !== null) requireNext(header, cases);
    }
    return this.#keeping(
      run,
      async () => {
        await this.flush(run);
        return this.#with(await this.#inner.commit(run, cases));
      },
      (refused) => refused.cases.push(...structuredClone(cases)),
    );
  }

  async keep(run: string, artifacts: readonly Artifact[]): Promise<void> {
    await this.flush(run);
    await this.#inner.keep(run, artifacts);
  }

  async seal(run: string, root: Sha256Id): Promise<RunHeader> {
    await this.flush(run);
    return this.#inner.seal(run, root);
  }

  async cases(run: string, query: CaseQuery): Promise<Page<CaseRecord>> {
    const page = await this.#inner.cases(run, query);
    const kept = (this.#refused.get(run)?.cases ?? [])
      .map(({ record }) => record)
      .filter((record) => query.arm === undefined || record.arm === query.arm)
      .filter((record) => query.outcome === undefined || record.outcome === query.outcome);
    const first = Math.max(0, query.offset - page.total);
    const items = [...page.items, ...kept.slice(first, first + query.limit - page.items.length)];
    return { total: page.total + kept.length, items };
  }

  async case(run: string, key: CaseKey): Promise<CaseRecord | null> {
    const kept = this.#refused
      .get(run)
      ?.cases.find(({ record }) => record.arm === key.arm && record.ordinal === key.ordinal);
    return kept?.record ?? this.#inner.case(run, key);
  }

  async tallies(run: string): Promise<readonly Tally[]> {
    return this.#talliesWith(run, await this.#inner.tallies(run));
  }

  #talliesWith(run: string, stored: readonly Tally[]): readonly Tally[] {
    const tallies = stored.map((tally) => ({ ...tally }));
    for (const { record } of this.#refused.get(run)?.cases ?? []) {
      const tally = tallies.find(({ arm, outcome }) => arm === record.arm && outcome === record.outcome);
      if (tally === undefined) tallies.push({ arm: record.arm, outcome: record.outcome, count: 1 });
      else tally.count += 1;
    }
    return tallies;
  }

  async *eachCase(run: string, arm?: string): AsyncIterable<CaseRecord> {
    yield* arm === undefined ? this.#inner.eachCase(run) : this.#inner.eachCase(run, arm);
    for (const { record } of this.#refused.get(run)?.cases ?? []) {
      if (arm === undefined || record.arm === arm) yield record;
    }
  }

  async *eachExchange(run: string): AsyncIterable<JournalledExchange> {
    // What is refused belongs to the case in progress, so it comes last in plan order too.
    const [first, ...others] = this.#refused.get(run)?.attempts ?? [];
    let last: JournalledExchange | null = null;
    for await (const exchange of this.#inner.eachExchange(run)) {
      if (last !== null) yield last;
      last = exchange;
    }
    if (last !== null && !(first?.closes === true && sameQuestion(first, last))) yield last;
    for (const { key, index, exchange } of first === undefined ? [] : [first, ...others]) {
      yield { key, index, exchange };
    }
  }

  async exchangesAt(run: string, position: number): Promise<readonly JournalledExchange[]> {
    const stored = await this.#inner.exchangesAt(run, position);
    const kept = (this.#refused.get(run)?.attempts ?? []).filter((attempt) => attempt.position === position);
    const [first] = kept;
    // The attempt that was written when the call began is the last of its question.
    const begun =
      first?.closes === true ? stored.findLastIndex((attempt) => attempt.index === first.index) : -1;
    return [
      ...stored.filter((_, at) => at !== begun),
      ...kept.map(({ key, index, exchange }) => ({ key, index, exchange })),
    ];
  }

  async artifact(sha256: string): Promise<Artifact | null> {
    for (const { cases } of this.#refused.values()) {
      for (const { artifacts } of cases) {
        const kept = artifacts.find((artifact) => artifact.sha256 === sha256);
        if (kept !== undefined) return kept;
      }
    }
    return this.#inner.artifact(sha256);
  }

  async *eachArtifact(run: string): AsyncIterable<{ sha256: Sha256Id; media_type: string; size: number }> {
    const kept = new Map<string, { sha256: Sha256Id; media_type: string; size: number }>();
    for (const { artifacts } of this.#refused.get(run)?.cases ?? []) {
      for (const { sha256, media_type, bytes } of artifacts) {
        kept.set(sha256, { sha256, media_type, size: bytes.length });
      }
    }
    if (kept.size === 0) {
      yield* this.#inner.eachArtifact(run);
      return;
    }
    const waiting = [...kept.values()].sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
    for await (const stored of this.#inner.eachArtifact(run)) {
      while (waiting[0] !== undefined && waiting[0].sha256 < stored.sha256) {
        yield waiting[0];
        waiting.shift();
      }
      if (waiting[0]?.sha256 === stored.sha256) waiting.shift();
      yield stored;
    }
    yield* waiting;
  }

  async remove(run: string): Promise<void> {
    await this.#inner.remove(run);
    this.#refused.delete(run);
  }

  usage(): Promise<Usage> {
    return this.#inner.usage();
  }

  /** Throws `store_quota` while there is still no room; what is refused stays kept. */
  async flush(run: string): Promise<void> {
    const refused = this.#refused.get(run);
    if (refused === undefined) return;
    const moved = this.#moved(run, refused);
    this.#flushes.set(run, moved);
    await moved;
  }

  async #moved(run: string, refused: Refused): Promise<void> {
    if (refused.attempts.length > 0) await this.#inner.journal(run, refused.attempts);
    refused.attempts = [];
    if (refused.cases.length > 0) await this.#inner.commit(run, refused.cases);
    refused.cases = [];
    if (Object.keys(refused.change).length > 0) await this.#inner.update(run, refused.change);
    this.#refused.delete(run);
  }

  close(): void {
    this.#inner.close();
  }
}

function sameQuestion(a: JournalledExchange, b: JournalledExchange): boolean {
  return a.key.arm === b.key.arm && a.key.ordinal === b.key.ordinal && a.index === b.index;
}
