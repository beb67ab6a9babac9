import type { ProviderDescription, RuntimeEvidence } from '../../providers/provider';
import type { JsonObject, Sha256Id } from '../identity/json';
import type { Artifact, CaseKey, CaseRecord, JournalledExchange, Plan, RunHeader } from '../run';

/** Something about the store that a person has to know of: a newer tab, a full disk, memory only. */
export interface StoreEvent {
  /** `store_blocked`, `store_outdated`, `store_reset`, `store_terminated`, `store_memory_only`, `store_quota`. */
  readonly code: string;
  readonly message: string;
}

/** What is stored before anything runs. */
export interface NewRun {
  /** A name nobody else uses: letters, digits and `-`, at most 64. */
  readonly run: string;
  readonly plan: Plan;
  readonly provider: ProviderDescription;
  readonly environment: JsonObject;
  readonly origin: RunHeader['origin'];
  /** Set for an import, which keeps the time of the original; else the store's clock is read. */
  readonly created_at?: string;
}

/** A finished case on its way into the journal. `position` counts from 0 over the whole plan. */
export interface FinishedCase {
  readonly position: number;
  readonly record: CaseRecord;
  readonly artifacts: readonly Artifact[];
}

/** One ended attempt on its way into the journal. */
export interface EndedAttempt extends JournalledExchange {
  /** Position in plan order of the case that the question belongs to. */
  readonly position: number;
  /** It takes the place of the last attempt of its question, which was written when the call began. */
  readonly closes?: boolean;
}

export type HeaderChange = Partial<Pick<RunHeader, 'status' | 'stopped' | 'note'>>;

export interface RunQuery {
  readonly experiment?: string;
  readonly kind?: RunHeader['kind'];
  readonly status?: RunHeader['status'];
  /** Case-insensitive; looked for in run, experiment, plan id, root digest, provider, model and note. */
  readonly text?: string;
  readonly offset: number;
  readonly limit: number;
}

export interface CaseQuery {
  readonly arm?: string;
  readonly outcome?: string;
  readonly offset: number;
  readonly limit: number;
}

export interface Page<T> {
  /** All that match, not only those on this page. */
  readonly total: number;
  readonly items: readonly T[];
}

/** How many cases of an arm ended in an outcome. */
export interface Tally {
  readonly arm: string;
  readonly outcome: string;
  readonly count: number;
}

export interface Usage {
  /** Bytes in use and allowed, null where the platform does not say. */
  readonly bytes: number | null;
  readonly quota: number | null;
  readonly runs: number;
  readonly memory_only: boolean;
}

/**
 * A run as it is at one moment: what goes on changing under a reader, and how far that is from being all. Cases and the
 * attempts of finished cases only grow at their end, so counts say which of them belong to the moment.
 */
export interface Moment {
  readonly header: RunHeader;
  readonly plan: Plan;
  readonly environment: JsonObject;
  readonly runtime: RuntimeEvidence | null;
  /** Of the `header.done` cases. */
  readonly tallies: readonly Tally[];
  /** How many attempts belong to those cases; `eachExchange` gives them first. */
  readonly settled: number;
  /** The attempts after them: of the case in progress, whose last attempt may yet be closed. */
  readonly open: readonly Omit<EndedAttempt, 'closes'>[];
  /** What the run keeps, by digest, ascending. */
  readonly artifacts: readonly string[];
}

/**
 * Where runs are kept: a journal for the run in progress, a library for the rest. Every write is one transaction,
 * on the disk when its promise resolves. Nothing here reads everything at once.
 *
 * Every method can throw `store_closed` and `store_failed`; those that write also `store_quota`. A method that is
 * given a run throws `store_run_missing` where there is none, unless it says otherwise.
 */
export interface RunStore {
  /** Throws `store_run_exists`. */
  create(run: NewRun): Promise<RunHeader>;
  /** Null where there is none. */
  header(run: string): Promise<RunHeader | null>;
  list(query: RunQuery): Promise<Page<RunHeader>>;
  plan(run: string): Promise<{ readonly plan: Plan; readonly environment: JsonObject }>;
  runtime(run: string): Promise<RuntimeEvidence | null>;
  /** In one read: no write of a run that goes on falls into it. */
  moment(run: string): Promise<Moment>;
  setRuntime(run: string, runtime: RuntimeEvidence): Promise<void>;
  /** Changes what a header says of a run in progress. A sealed run's status cannot change: `store_run_sealed`. */
  update(run: string, change: HeaderChange): Promise<RunHeader>;
  /** Throws `store_run_sealed`. */
  journal(run: string, attempts: readonly EndedAttempt[]): Promise<void>;
  /**
   * Commits cases with their artifacts: all of them or none. Positions continue where the run stands. Throws
   * `store_case_order`, `store_artifact_digest`, `store_run_sealed`.
   */
  commit(run: string, cases: readonly FinishedCase[]): Promise<RunHeader>;
  /** Keeps bytes beside a run that no finished case has: what a stopped case left. Throws `store_artifact_digest`. */
  keep(run: string, artifacts: readonly Artifact[]): Promise<void>;
  /** Ends the run for good, with the platform's strictest durability. Throws `store_seal_early`, `store_run_sealed`. */
  seal(run: string, root: Sha256Id): Promise<RunHeader>;
  cases(run: string, query: CaseQuery): Promise<Page<CaseRecord>>;
  case(run: string, key: CaseKey): Promise<CaseRecord | null>;
  tallies(run: string): Promise<readonly Tally[]>;
  /** In plan order, streaming; with `arm` that arm only. */
  eachCase(run: string, arm?: string): AsyncIterable<CaseRecord>;
  /** In plan order, then by question, then in the order in which the attempts ended; streaming. */
  eachExchange(run: string): AsyncIterable<JournalledExchange>;
  exchangesAt(run: string, position: number): Promise<readonly JournalledExchange[]>;
  /** Null where no run keeps it. */
  artifact(sha256: string): Promise<Artifact | null>;
  eachArtifact(
    run: string,
  ): AsyncIterable<{ readonly sha256: Sha256Id; readonly media_type: string; readonly size: number }>;
  /** Removes the run and every artifact that no other run keeps. No error where there is none. */
  remove(run: string): Promise<void>;
  usage(): Promise<Usage>;
  /** Writes again what a full disk refused and memory kept. */
  flush(run: string): Promise<void>;
  close(): void;
}

/** Cases that one transaction of a bulk write holds: platform measurements show no gain above it. */
export const BATCH = 500;
