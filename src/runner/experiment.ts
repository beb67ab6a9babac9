import type { BundleFile } from '../evidence/bundle/file';
import type { Bundle } from '../evidence/bundle/reader';
import type { Json, JsonObject, Sha256Id } from '../evidence/identity/json';
import type { Finding } from '../evidence/verify/finding';
import type {
  ExchangeRecord,
  ImageQuestion,
  ProviderDescription,
  ResultKind,
  RuntimeEvidence,
} from '../providers/provider';

/** Frozen before anything runs. `plan_id` is the SHA-256 of the RFC 8785 form of `frozen`. */
export interface Plan<Frozen extends JsonObject = JsonObject> {
  readonly experiment: string;
  readonly plan_id: Sha256Id;
  /** All constants and all identities: cases, arms, prompts, provider configuration. No clock, no machine. */
  readonly frozen: Frozen;
  /** Choices that enter no identity of ours (a stamp, an output folder, a time limit). */
  readonly circumstances: JsonObject;
  readonly kind: ResultKind;
  readonly case_count: number;
}

/** A case by its place: arms in plan order, ordinals from 0 inside each arm. */
export interface CaseKey {
  readonly arm: string;
  readonly ordinal: number;
}

/** A finished case as the journal keeps it. */
export interface CaseRecord {
  readonly arm: string;
  readonly ordinal: number;
  /** One word the library can filter by; each experiment defines its own. */
  readonly outcome: string;
  /** What enters the root digest: no latency, no stamp, nothing of the machine. */
  readonly evidence: JsonObject;
  /** Everything else that the report needs. */
  readonly detail: JsonObject;
}

/** Bytes stored beside a case, under the digest of exactly those bytes. */
export interface Artifact {
  readonly sha256: Sha256Id;
  readonly media_type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Judged {
  readonly record: CaseRecord;
  readonly artifacts: readonly Artifact[];
}

/**
 * Asks the provider of this run. The runner journals each attempt before the answer is handed on, and after a
 * crash hands back the journalled answer instead of asking again; `index` numbers the questions of one case.
 * Throws `InfrastructureFailure` when no answer can be had: the case stays open and the run resumable.
 */
export type Ask = (index: number, question: ImageQuestion) => Promise<ExchangeRecord>;

/** A run as the report and the export see it. Cases stream in plan order: arms in order, ordinals ascending. */
export interface RunSource<P extends Plan = Plan> {
  readonly plan: P;
  readonly runtime: RuntimeEvidence | null;
  readonly environment: JsonObject;
  cases(arm?: string): AsyncIterable<CaseRecord>;
  exchanges(): AsyncIterable<{
    readonly key: CaseKey;
    readonly index: number;
    readonly exchange: ExchangeRecord;
  }>;
  artifact(sha256: string): Promise<Uint8Array<ArrayBuffer> | null>;
}

/**
 * One experiment, as five steps. The runner, the command line, the page and the verifier use experiments only
 * through this interface. `Material` never holds what the provider must not see and `ask` does not get the truth.
 */
export interface Experiment<P extends Plan = Plan, Material = unknown, Answer = unknown, Report = unknown> {
  readonly id: string;
  readonly title: string;
  /** Validates parameters (a PixelproofError `plan_*` names the first fault) and freezes everything. */
  plan(parameters: JsonObject, provider: ProviderDescription): Promise<P>;
  cases(plan: P): Iterable<CaseKey>;
  materialise(plan: P, key: CaseKey): Promise<Material>;
  ask(plan: P, key: CaseKey, material: Material, ask: Ask): Promise<Answer>;
  judge(plan: P, key: CaseKey, material: Material, answer: Answer): Promise<Judged>;
  /** Summaries, comparison and gates. Bounded memory for any number of cases. */
  report(source: RunSource<P>): Promise<Report>;
  /** The output tree, file by file, in a fixed order; the bundle writer adds its manifest. */
  files(source: RunSource<P>): AsyncIterable<BundleFile>;
  /** Recomputes everything this experiment can from the bundle alone. Yields one finding for each difference. */
  verify(bundle: Bundle): AsyncIterable<Finding>;
}

/** Raised by `Ask` when plumbing failed. Never a case, never a wrong answer. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** What is happening now, for a person: `unlabelled-v1, case 3 of 8: asking`. */
  readonly now: string;
  /** Estimated milliseconds left, null until a few cases are done. */
  readonly left_ms: number | null;
  readonly latest: CaseRecord | null;
}

export type RunStatus = 'planned' | 'running' | 'cancelled' | 'incomplete' | 'complete';

/** What the library lists without opening a run. */
export interface RunHeader {
  readonly run: string;
  readonly experiment: string;
  readonly plan_id: Sha256Id;
  readonly kind: ResultKind;
  readonly status: RunStatus;
  readonly done: number;
  readonly total: number;
  readonly provider: ProviderDescription;
  /** ISO 8601 UTC. Shown, never hashed. */
  readonly created_at: string;
  readonly updated_at: string;
  /** Set when the run is complete. */
  readonly root_digest: Sha256Id | null;
  /** Why an incomplete run stopped: the infrastructure failure's code and message. */
  readonly stopped: { readonly code: string; readonly message: string } | null;
  readonly note: Json;
}
