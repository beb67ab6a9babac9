import type { ExchangeRecord, ProviderDescription, ResultKind, RuntimeEvidence } from '../providers/provider';
import type { Json, JsonObject, Sha256Id } from './identity/json';

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

/** A case by its place: arms in plan order, ordinals ascending from 0 inside each arm. */
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

/** One attempt, by the question it belongs to. Attempts of one question come in the order in which they ended. */
export interface JournalledExchange {
  readonly key: CaseKey;
  readonly index: number;
  readonly exchange: ExchangeRecord;
}

/** A run as the report and the export see it. Cases stream in plan order: arms in order, ordinals ascending. */
export interface RunSource<P extends Plan = Plan> {
  readonly plan: P;
  readonly runtime: RuntimeEvidence | null;
  readonly environment: JsonObject;
  cases(arm?: string): AsyncIterable<CaseRecord>;
  exchanges(): AsyncIterable<JournalledExchange>;
  artifact(sha256: string): Promise<Uint8Array<ArrayBuffer> | null>;
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
  /** `imported`: made elsewhere and opened here from a bundle; its kind says what it was where it was made. */
  readonly origin: 'here' | 'imported';
  readonly note: Json;
}

/** A stored run with what an export needs beside its records. */
export interface StoredRun extends RunSource {
  readonly header: RunHeader;
  /** What the run keeps beside its cases, in ascending digest order, without the bytes. */
  artifacts(): AsyncIterable<Omit<Artifact, 'bytes'> & { readonly size: number }>;
}
