import type { RuntimeEvidence } from '../../providers/provider';
import type { JsonObject, Sha256Id } from '../identity/json';
import type { Artifact, CaseKey, CaseRecord, JournalledExchange, Plan, RunHeader } from '../run';
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
} from './rules';
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
  Tally,
  Usage,
} from './store';

interface Kept {
  header: RunHeader;
  readonly plan: Plan;
  readonly environment: JsonObject;
  runtime: RuntimeEvidence | null;
  readonly cases: CaseRecord[];
  /** By position, attempts in the order in which they ended. */
  readonly attempts: Map<number, EndedAttempt[]>;
  readonly artifacts: Set<string>;
}

/**
 * A store that lasts as long as the page: for tests, for embeds, and where the browser denies storage. Records are
 * cloned on their way in, as a database would, so nobody changes evidence by keeping a reference.
 */
export class MemoryStore implements RunStore {
  readonly #runs = new Map<string, Kept>();
  readonly #artifacts = new Map<string, Artifact>();
  readonly #now: () => string;

  constructor(now: () => string = () => new Date().toISOString()) {
    this.#now = now;
  }

  #kept(run: string): Kept {
    const kept = this.#runs.get(run);
    if (kept === undefined) throw missing(run);
    return kept;
  }

  #change(kept: Kept, change: Partial<RunHeader>): RunHeader {
    kept.header = { ...kept.header, ...change, updated_at: this.#now() };
    return kept.header;
  }

  async create(run: NewRun): Promise<RunHeader> {
    if (this.#runs.has(run.run)) throw exists(run.run);
    const header = newHeader(run, this.#now());
    this.#runs.set(run.run, {
      header,
      plan: structuredClone(run.plan),
      environment: structuredClone(run.environment),
      runtime: null,
      cases: [],
      attempts: new Map(),
      artifacts: new Set(),
    });
    return header;
  }

  async header(run: string): Promise<RunHeader | null> {
    return this.#runs.get(run)?.header ?? null;
  }

  async list(query: RunQuery): Promise<Page<RunHeader>> {
    const all = [...this.#runs.values()]
      .map((kept) => kept.header)
      .filter((header) => matches(header, query))
      .sort((a, b) => compareText(b.created_at, a.created_at) || compareText(b.run, a.run));
    return { total: all.length, items: all.slice(query.offset, query.offset + query.limit) };
  }

  async plan(run: string): Promise<{ plan: Plan; environment: JsonObject }> {
    const { plan, environment } = this.#kept(run);
    return { plan, environment };
  }

  async runtime(run: string): Promise<RuntimeEvidence | null> {
    return this.#kept(run).runtime;
  }

  /** Nothing is awaited before everything is read. */
  async moment(run: string): Promise<Moment> {
    const { header, plan, environment, runtime, cases, attempts, artifacts } = this.#kept(run);
    const positions = [...attempts.keys()].sort((a, b) => a - b);
    let settled = 0;
    for (const at of positions) if (at < header.done) settled += attempts.get(at)?.length ?? 0;
    const open = positions.filter((at) => at >= header.done).flatMap((at) => inOrder(attempts.get(at) ?? []));
    return {
      header,
      plan,
      environment,
      runtime,
      tallies: tallied(cases),
      settled,
      open: open.map(({ position, key, index, exchange }) => ({ position, key, index, exchange })),
      artifacts: [...artifacts].sort(),
    };
  }

  async setRuntime(run: string, runtime: RuntimeEvidence): Promise<void> {
    const kept = this.#kept(run);
    requireOpen(kept.header);
    kept.runtime = structuredClone(runtime);
  }

  async update(run: string, change: HeaderChange): Promise<RunHeader> {
    const kept = this.#kept(run);
    if (change.status !== undefined) requireOpen(kept.header);
    return this.#change(kept, change);
  }

  async journal(run: string, attempts: readonly EndedAttempt[]): Promise<void> {
    const kept = this.#kept(run);
    requireOpen(kept.header);
    for (const attempt of structuredClone(attempts)) {
      const list = kept.attempts.get(attempt.position) ?? [];
      const begun = attempt.closes === true ? list.findLastIndex((one) => one.index === attempt.index) : -1;
      if (begun === -1) list.push(attempt);
      else list[begun] = attempt;
      kept.attempts.set(attempt.position, list);
    }
  }

  async commit(run: string, cases: readonly FinishedCase[]): Promise<RunHeader> {
    await requireDigests(cases);
    const kept = this.#kept(run);
    requireNext(kept.header, cases);
    for (const { record, artifacts } of structuredClone(cases)) {
      kept.cases.push(record);
      for (const artifact of artifacts) {
        kept.artifacts.add(artifact.sha256);
        if (!this.#artifacts.has(artifact.sha256)) this.#artifacts.set(artifact.sha256, artifact);
      }
    }
    return this.#change(kept, { done: kept.cases.length });
  }

  async keep(run: string, artifacts: readonly Artifact[]): Promise<void> {
    await requireArtifactDigests(artifacts);
    const kept = this.#kept(run);
    requireOpen(kept.header);
    for (const artifact of structuredClone(artifacts)) {
      kept.artifacts.add(artifact.sha256);
      if (!this.#artifacts.has(artifact.sha256)) this.#artifacts.set(artifact.sha256, artifact);
    }
  }

  async seal(run: string, root: Sha256Id): Promise<RunHeader> {
    const kept = this.#kept(run);
    requireAllCases(kept.header);
    return this.#change(kept, { status: 'complete', root_digest: root, stopped: null });
  }

  async cases(run: string, query: CaseQuery): Promise<Page<CaseRecord>> {
    const items: CaseRecord[] = [];
    let total = 0;
    for (const record of this.#kept(run).cases) {
      if (query.arm !== undefined && record.arm !== query.arm) continue;
      if (query.outcome !== undefined && record.outcome !== query.outcome) continue;
      if (total >= query.offset && items.length < query.limit) items.push(record);
      total += 1;
    }
    return { total, items };
  }

  async case(run: string, key: CaseKey): Promise<CaseRecord | null> {
    return (
      this.#kept(run).cases.find(({ arm, ordinal }) => arm === key.arm && ordinal === key.ordinal) ?? null
    );
  }

  async tallies(run: string): Promise<readonly Tally[]> {
    return tallied(this.#kept(run).cases);
  }

  async *eachCase(run: string, arm?: string): AsyncIterable<CaseRecord> {
    for (const record of this.#kept(run).cases) if (arm === undefined || record.arm === arm) yield record;
  }

  async *eachExchange(run: string): AsyncIterable<JournalledExchange> {
    const { attempts } = this.#kept(run);
    for (const position of [...attempts.keys()].sort((a, b) => a - b)) {
      yield* await this.exchangesAt(run, position);
    }
  }

  async exchangesAt(run: string, position: number): Promise<readonly JournalledExchange[]> {
    const attempts = this.#kept(run).attempts.get(position) ?? [];
    return inOrder(attempts).map(({ key, index, exchange }) => ({ key, index, exchange }));
  }

  async artifact(sha256: string): Promise<Artifact | null> {
    return this.#artifacts.get(sha256) ?? null;
  }

  async *eachArtifact(run: string): AsyncIterable<{ sha256: Sha256Id; media_type: string; size: number }> {
    for (const id of [...this.#kept(run).artifacts].sort()) {
      const artifact = this.#artifacts.get(id);
      if (artifact === undefined) continue;
      yield { sha256: artifact.sha256, media_type: artifact.media_type, size: artifact.bytes.length };
    }
  }

  async remove(run: string): Promise<void> {
    const kept = this.#runs.get(run);
    if (kept === undefined) return;
    this.#runs.delete(run);
    for (const id of kept.artifacts) {
      const wanted = [...this.#runs.values()].some((other) => other.artifacts.has(id));
      if (!wanted) this.#artifacts.delete(id);
    }
  }

  async usage(): Promise<Usage> {
    let bytes = 0;
    for (const artifact of this.#artifacts.values()) bytes += artifact.bytes.length;
    return { bytes, quota: null, runs: this.#runs.size, memory_only: true };
  }

  async flush(): Promise<void> {}

  close(): void {}
}

/** The attempts of one case by question, each question's in the order in which they ended. */
function inOrder(attempts: readonly EndedAttempt[]): readonly EndedAttempt[] {
  return attempts.toSorted((a, b) => a.index - b.index);
}

function tallied(cases: readonly CaseRecord[]): readonly Tally[] {
  const tallies: { arm: string; outcome: string; count: number }[] = [];
  for (const { arm, outcome } of cases) {
    const tally = tallies.find((one) => one.arm === arm && one.outcome === outcome);
    if (tally === undefined) tallies.push({ arm, outcome, count: 1 });
    else tally.count += 1;
  }
  return tallies.sort((a, b) => compareText(a.arm, b.arm) || compareText(a.outcome, b.outcome));
}

/** Code unit order, as IndexedDB sorts its string keys. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
