import type { BundleFile } from '../evidence/bundle/file';
import type { Bundle } from '../evidence/bundle/reader';
import type { JsonObject } from '../evidence/identity/json';
import type { Artifact, CaseKey, CaseRecord, Plan, RunSource, StoredRun } from '../evidence/run';
import type { Finding } from '../evidence/verify/finding';
import type { LeftBehind } from '../evidence/verify/verifier';
import type { ExchangeRecord, ImageQuestion, ProviderDescription, Question } from '../providers/provider';

// The nouns of a run live with the evidence; an experiment finds everything it needs here.
export type {
  Artifact,
  CaseKey,
  CaseRecord,
  JournalledExchange,
  Plan,
  RunHeader,
  RunSource,
  RunStatus,
  StoredRun,
} from '../evidence/run';

export interface Judged {
  readonly record: CaseRecord;
  readonly artifacts: readonly Artifact[];
}

/**
 * Asks the provider of this run. The runner journals each attempt before the answer is handed on, and after a
 * crash hands back the journalled answer instead of asking again; `index` numbers the questions of one case.
 * Throws `InfrastructureFailure` when no answer can be had: the case stays open and the run resumable.
 */
export type Ask<Q extends Question = ImageQuestion> = (index: number, question: Q) => Promise<ExchangeRecord>;

/**
 * One experiment, as five steps. The runner, the command line, the page and the verifier use experiments only
 * through this interface. `Material` never holds what the provider must not see and `ask` does not get the truth.
 */
export interface Experiment<
  P extends Plan = Plan,
  Material = unknown,
  Answer = unknown,
  Report = unknown,
  Q extends Question = ImageQuestion,
> {
  readonly id: string;
  readonly title: string;
  /** Validates parameters (a PixelproofError `plan_*` names the first fault) and freezes everything. */
  plan(parameters: JsonObject, provider: ProviderDescription): Promise<P>;
  cases(plan: P): Iterable<CaseKey>;
  materialise(plan: P, key: CaseKey): Promise<Material>;
  ask(plan: P, key: CaseKey, material: Material, ask: Ask<Q>): Promise<Answer>;
  judge(plan: P, key: CaseKey, material: Material, answer: Answer): Promise<Judged>;
  /** Summaries, comparison and gates. Bounded memory for any number of cases. */
  report(source: RunSource<P>): Promise<Report>;
  /** The output tree, file by file, in a fixed order; the bundle writer adds its manifest. */
  files(source: RunSource<P>): AsyncIterable<BundleFile>;
  /** What there is of a run that has not come to its end, where the experiment writes files as it goes. */
  unfinished?(source: StoredRun): AsyncIterable<BundleFile>;
  /** Set with `unfinished`: the bundle of such a run holds what it had written so far. */
  readonly keepsUnfinishedTree?: boolean;
  /** What `unfinished` needs beside the cases, found again in a verified bundle; null for nothing. */
  left?(bundle: Bundle): Promise<LeftBehind | null>;
  /** Recomputes everything this experiment can from the bundle alone. Yields one finding for each difference. */
  verify(bundle: Bundle): AsyncIterable<Finding>;
}

/** Where a run stands. Reported after each step; whoever shows it throttles. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** What is happening now, for a person: `unlabelled-v1, case 3 of 8: asking`. */
  readonly now: string;
  /** Estimated milliseconds left, null until a few cases are done. */
  readonly left_ms: number | null;
  readonly latest: CaseRecord | null;
}
