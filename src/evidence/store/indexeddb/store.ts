import type { RuntimeEvidence } from '../../../providers/provider';
import type { JsonObject, Sha256Id } from '../../identity/json';
import type { Artifact, CaseKey, CaseRecord, JournalledExchange, Plan, RunHeader } from '../../run';
import {
  exists,
  matches,
  missing,
  newHeader,
  requireAllCases,
  requireArtifactDigests,
  requireDigests,
  requireNext,
  requireOpen,
} from '../rules';
import {
  BATCH,
  type CaseQuery,
  type EndedAttempt,
  type FinishedCase,
  type HeaderChange,
  type Moment,
  type NewRun,
  type Page,
  type RunQuery,
  type RunStore,
  type Tally,
  type Usage,
} from '../store';
import { caseRange, countOf, pageOfCases, writeArtifacts, writeCases } from './cases';
import { storeFailure } from './failure';
import { momentOf } from './moment';
import { removeRun } from './remove';
import { type Database, STORES, type StoredCase, type StoredExchange, type Writing } from './schema';

/** Records read at once while streaming: bounded memory, and 1.7 times faster than a cursor step a record. */
const READ = 500;

/** The run store over IndexedDB. Opened by `open.ts`, which handles the life of the connection. */
export class IndexedDbStore implements RunStore {
  readonly #database: Database;
  readonly #now: () => string;
  readonly #kinds = new Map<string, RunHeader['kind']>();

  constructor(database: Database, now: () => string = () => new Date().toISOString()) {
    this.#database = database;
    this.#now = now;
  }

  /**
   * One write transaction. `body` awaits nothing but the transaction's own requests: anything else ends it. Disk
   * durability is strict where a lost answer cannot be had again for free.
   */
  async #write<T>(durability: 'strict' | 'relaxed', body: (tx: Writing) => Promise<T>): Promise<T> {
    let tx: Writing;
    try {
      tx = this.#database.transaction(STORES, 'readwrite', { durability });
    } catch (cause) {
      throw storeFailure(cause);
    }
    // A full disk shows here and not at the put, which only says that its transaction was aborted.
    const done = tx.done.then(
      () => null,
      (cause: unknown) => ({ cause }),
    );
    let result: T;
    try {
      result = await body(tx);
    } catch (cause) {
      try {
        tx.abort();
      } catch {
        // It has aborted already, and `done` says why.
      }
      const ended = await done;
      const aborted = cause instanceof Error && cause.name === 'AbortError';
      throw storeFailure(aborted && ended !== null ? ended.cause : cause);
    }
    const ended = await done;
    if (ended !== null) throw storeFailure(ended.cause);
    return result;
  }

  async #read<T>(body: (database: Database) => Promise<T>): Promise<T> {
    try {
      return await body(this.#database);
    } catch (cause) {
      throw storeFailure(cause);
    }
  }

  /** Measured answers cost a call; replayed and scripted ones can be had again. */
  async #durabilityOf(run: string): Promise<'strict' | 'relaxed'> {
    // A run's kind never changes, so it is read once and not before every write.
    const kind = this.#kinds.get(run) ?? (await this.header(run))?.kind;
    if (kind !== undefined) this.#kinds.set(run, kind);
    return kind === 'measured' ? 'strict' : 'relaxed';
  }

  async create(run: NewRun): Promise<RunHeader> {
    const header = newHeader(run, this.#now());
    return this.#write('strict', async (tx) => {
      if ((await tx.objectStore('runs').getKey(run.run)) !== undefined) throw exists(run.run);
      await tx
        .objectStore('plans')
        .add({ run: run.run, plan: run.plan, environment: run.environment, runtime: null });
      await tx.objectStore('runs').add(header);
      return header;
    });
  }

  header(run: string): Promise<RunHeader | null> {
    return this.#read(async (database) => (await database.get('runs', run)) ?? null);
  }

  list(query: RunQuery): Promise<Page<RunHeader>> {
    return this.#read(async (database) => {
      const items: RunHeader[] = [];
      let total = 0;
      let cursor = await database.transaction('runs').store.index('created').openCursor(null, 'prev');
      for (; cursor !== null; cursor = await cursor.continue()) {
        if (!matches(cursor.value, query)) continue;
        if (total >= query.offset && items.length < query.limit) items.push(cursor.value);
        total += 1;
      }
      return { total, items };
    });
  }

  async #planOf(run: string) {
    const stored = await this.#read((database) => database.get('plans', run));
    if (stored === undefined) throw missing(run);
    return stored;
  }

  async plan(run: string): Promise<{ plan: Plan; environment: JsonObject }> {
    const { plan, environment } = await this.#planOf(run);
    return { plan, environment };
  }

  async runtime(run: string): Promise<RuntimeEvidence | null> {
    return (await this.#planOf(run)).runtime;
  }

  async moment(run: string): Promise<Moment> {
    const moment = await this.#read((database) => momentOf(database, run));
    if (moment === null) throw missing(run);
    return moment;
  }

  async setRuntime(run: string, runtime: RuntimeEvidence): Promise<void> {
    await this.#write('strict', async (tx) => {
      requireOpen(await headerIn(tx, run));
      const plans = tx.objectStore('plans');
      const stored = await plans.get(run);
      if (stored === undefined) throw missing(run);
      await plans.put({ ...stored, runtime });
    });
  }

  #put(tx: Writing, header: RunHeader, change: Partial<RunHeader>): Promise<RunHeader> {
    const next: RunHeader = { ...header, ...change, updated_at: this.#now() };
    return tx
      .objectStore('runs')
      .put(next)
      .then(() => next);
  }

  update(run: string, change: HeaderChange): Promise<RunHeader> {
    return this.#write('relaxed', async (tx) => {
      const header = await headerIn(tx, run);
      if (change.status !== undefined) requireOpen(header);
      return this.#put(tx, header, change);
    });
  }

  async journal(run: string, attempts: readonly EndedAttempt[]): Promise<void> {
    await this.#write(await this.#durabilityOf(run), async (tx) => {
      requireOpen(await headerIn(tx, run));
      const exchanges = tx.objectStore('exchanges');
      for (const { position, index, key, exchange, closes } of attempts) {
        const last = await exchanges.openKeyCursor(
          IDBKeyRange.bound([run, position, index, 0], [run, position, index, Number.MAX_SAFE_INTEGER]),
          'prev',
        );
        const before = last === null ? -1 : last.primaryKey[3];
        const serial = closes === true && before >= 0 ? before : before + 1;
        await exchanges.put({ run, position, index, serial, ...key, exchange });
      }
    });
  }

  async commit(run: string, cases: readonly FinishedCase[]): Promise<RunHeader> {
    await requireDigests(cases);
    return this.#write(await this.#durabilityOf(run), async (tx) => {
      const header = await headerIn(tx, run);
      requireNext(header, cases);
      await writeCases(tx, run, cases);
      return this.#put(tx, header, { done: header.done + cases.length });
    });
  }

  async keep(run: string, artifacts: readonly Artifact[]): Promise<void> {
    await requireArtifactDigests(artifacts);
    await this.#write(await this.#durabilityOf(run), async (tx) => {
      requireOpen(await headerIn(tx, run));
      await writeArtifacts(tx, run, artifacts);
    });
  }

  seal(run: string, root: Sha256Id): Promise<RunHeader> {
    return this.#write('strict', async (tx) => {
      const header = await headerIn(tx, run);
      requireAllCases(header);
      return this.#put(tx, header, { status: 'complete', root_digest: root, stopped: null });
    });
  }

  async cases(run: string, query: CaseQuery): Promise<Page<CaseRecord>> {
    const tallies = await this.tallies(run);
    const total = countOf(tallies, query);
    const items = await this.#read((database) => pageOfCases(database, run, query, total));
    return { total, items: items.map(caseOf) };
  }

  case(run: string, key: CaseKey): Promise<CaseRecord | null> {
    return this.#read(async (database) => {
      const stored = await database.getFromIndex('cases', 'arm', [run, key.arm, key.ordinal]);
      return stored === undefined ? null : caseOf(stored);
    });
  }

  /** Without reading the plan or the header. */
  async #requireRun(run: string): Promise<void> {
    if ((await this.#read((database) => database.getKey('runs', run))) === undefined) throw missing(run);
  }

  async tallies(run: string): Promise<readonly Tally[]> {
    await this.#requireRun(run);
    // As many records as arms times outcomes: few, whatever the number of cases.
    const stored = await this.#read((database) =>
      database.getAll('tallies', IDBKeyRange.bound([run], [run, []])),
    );
    return stored.map(({ arm, outcome, count }) => ({ arm, outcome, count }));
  }

  async *eachCase(run: string, arm?: string): AsyncIterable<CaseRecord> {
    await this.#requireRun(run);
    for (let after = -1; ; ) {
      const batch: StoredCase[] = await this.#read((database) => caseRange(database, run, arm, after, READ));
      for (const stored of batch) yield caseOf(stored);
      const last = batch.at(-1);
      if (last === undefined || batch.length < READ) return;
      after = arm === undefined ? last.position : last.ordinal;
    }
  }

  async *eachExchange(run: string): AsyncIterable<JournalledExchange> {
    await this.#requireRun(run);
    let from: IDBValidKey = [run];
    for (;;) {
      const range = IDBKeyRange.bound(from, [run, []], true);
      const batch: StoredExchange[] = await this.#read((database) =>
        database.getAll('exchanges', range, READ),
      );
      for (const stored of batch) yield exchangeOf(stored);
      const last = batch.at(-1);
      if (last === undefined || batch.length < READ) return;
      from = [run, last.position, last.index, last.serial];
    }
  }

  async exchangesAt(run: string, position: number): Promise<readonly JournalledExchange[]> {
    await this.#requireRun(run);
    const range = IDBKeyRange.bound([run, position], [run, position, []]);
    return (await this.#read((database) => database.getAll('exchanges', range))).map(exchangeOf);
  }

  artifact(sha256: string): Promise<Artifact | null> {
    return this.#read(async (database) => (await database.get('artifacts', sha256)) ?? null);
  }

  async *eachArtifact(run: string): AsyncIterable<{ sha256: Sha256Id; media_type: string; size: number }> {
    await this.#requireRun(run);
    let from: IDBValidKey = [run];
    for (;;) {
      const range = IDBKeyRange.bound(from, [run, []], true);
      const links = await this.#read((database) => database.getAll('links', range, READ));
      for (const { sha256 } of links) {
        const artifact = await this.artifact(sha256);
        if (artifact === null) continue;
        yield { sha256: artifact.sha256, media_type: artifact.media_type, size: artifact.bytes.length };
      }
      const last = links.at(-1);
      if (last === undefined || links.length < READ) return;
      from = [run, last.sha256];
    }
  }

  remove(run: string): Promise<void> {
    return this.#write('strict', (tx) => removeRun(tx, run, BATCH));
  }

  async usage(): Promise<Usage> {
    const runs = await this.#read((database) => database.count('runs'));
    const estimate = await globalThis.navigator?.storage?.estimate?.().catch(() => undefined);
    return { bytes: estimate?.usage ?? null, quota: estimate?.quota ?? null, runs, memory_only: false };
  }

  async flush(): Promise<void> {}

  close(): void {
    this.#database.close();
  }
}

async function headerIn(tx: Writing, run: string): Promise<RunHeader> {
  const header = await tx.objectStore('runs').get(run);
  if (header === undefined) throw missing(run);
  return header;
}

function caseOf({ arm, ordinal, outcome, evidence, detail }: StoredCase): CaseRecord {
  return { arm, ordinal, outcome, evidence, detail };
}

function exchangeOf({ arm, ordinal, index, exchange }: StoredExchange): JournalledExchange {
  return { key: { arm, ordinal }, index, exchange };
}
