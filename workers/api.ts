import type { JsonObject } from '../src/evidence/identity/json';
import type { Finding } from '../src/evidence/verify/finding';
import type { RunRequest } from '../src/lab/request';
import type { ExchangeRecord } from '../src/providers/provider';
import type { CaseRecord, Progress, RunHeader } from '../src/runner/experiment';

export type { RunRequest } from '../src/lab/request';

/**
 * What the pages ask of the workers. Everything crosses by structured clone; callbacks go through Comlink proxies.
 * An error arrives as `WorkerError`, because an Error subclass loses its fields in a structured clone.
 */
export interface WorkerError {
  readonly name: 'PixelproofError' | 'Error';
  readonly code: string;
  readonly message: string;
  readonly expected: string | null;
  readonly got: string | null;
}

export interface CaseQuery {
  readonly arm?: string;
  readonly outcome?: string;
  readonly offset: number;
  readonly limit: number;
}

export interface CasePage {
  readonly total: number;
  readonly cases: readonly CaseRecord[];
}

export interface RunQuery {
  readonly experiment?: string;
  readonly text?: string;
  readonly offset: number;
  readonly limit: number;
}

export interface VerifyResult {
  readonly ok: boolean;
  readonly experiment: string | null;
  readonly files: number;
  readonly checks: number;
  readonly root_digest: string | null;
  readonly findings: readonly Finding[];
}

/** An event of the store that a person has to know of (a newer tab, a full disk, …). */
export interface StoreEvent {
  readonly code: string;
  readonly message: string;
}

export interface RunnerApi {
  onStoreEvent(listener: (event: StoreEvent) => void): Promise<void>;
  /** Stores the plan and runs it to its end; resolves when complete, cancelled or incomplete. */
  start(
    request: RunRequest,
    onHeader: (header: RunHeader) => void,
    onProgress: (progress: Progress) => void,
  ): Promise<RunHeader>;
  resume(run: string, onProgress: (progress: Progress) => void): Promise<RunHeader>;
  cancel(run: string): Promise<void>;

  runs(query: RunQuery): Promise<{ total: number; runs: readonly RunHeader[] }>;
  header(run: string): Promise<RunHeader | null>;
  plan(run: string): Promise<JsonObject>;
  cases(run: string, query: CaseQuery): Promise<CasePage>;
  /** One case with everything that was said about it. */
  caseOf(
    run: string,
    arm: string,
    ordinal: number,
  ): Promise<{ record: CaseRecord; exchanges: readonly ExchangeRecord[] }>;
  /** The experiment's report, also of an unfinished run (over what is there so far). */
  report(run: string): Promise<JsonObject>;
  /** What a person says about a run (the gates ask whether somebody inspected it). Kept beside the evidence. */
  annotate(run: string, note: JsonObject): Promise<RunHeader>;
  artifact(sha256: string): Promise<Uint8Array | null>;

  exportRun(run: string, format: 'zip' | 'json', inlineImages: boolean): Promise<Blob>;
  verify(file: Blob): Promise<VerifyResult>;
  /** Verifies first; stores only what verifies. */
  importRun(file: Blob): Promise<{ result: VerifyResult; header: RunHeader | null; already: boolean }>;
  remove(run: string): Promise<void>;
  usage(): Promise<{
    bytes: number | null;
    quota: number | null;
    persisted: boolean | null;
    memoryOnly: boolean;
  }>;
}

/** One step of a recipe, as the viewer shows it. */
export interface StepView {
  readonly index: number;
  readonly operation: string;
  readonly operation_version: string;
  readonly parameters: JsonObject;
  readonly png: Uint8Array<ArrayBuffer>;
  readonly png_sha256: string;
  readonly pixels_sha256: string;
  readonly thumb_sha256: string;
  readonly parameter_digest: string;
  readonly operation_digest: string;
  /** Pixels that this operation changed, null for the base render. */
  readonly changed_pixels: number | null;
}

export interface RenderView {
  readonly variant: string;
  readonly row_id: string;
  readonly recipe_id: string;
  readonly operation_chain_digest: string;
  readonly matrix_blob_id: string;
  readonly steps: readonly StepView[];
}

export interface RenderRequest {
  readonly variant: string;
  readonly row_id: string;
  readonly combined_cooldown?: string;
  readonly combined_lane?: string;
}

export interface DiffView {
  readonly width: number;
  readonly height: number;
  readonly differing_pixels: number;
  readonly max_channel_difference: number;
  /** Inclusive box around what differs, null when nothing does. */
  readonly box: readonly [number, number, number, number] | null;
  /** RGBA, width x height: the differing pixels opaque, everything else transparent. For display only. */
  readonly mask: Uint8ClampedArray<ArrayBuffer>;
}

export interface PixelsApi {
  render(request: RenderRequest): Promise<RenderView>;
  /** Differences between two PNG files' pixels. Throws `image_size_mismatch`. */
  diff(a: Uint8Array, b: Uint8Array): Promise<DiffView>;
  /**
   * Renders every variant and state, hashes every step, and compares with the published digests that ship with
   * the site. `listing` is JSON text of all step digests, in the form of the reference file.
   */
  reproduceAll(onProgress: (done: number, total: number) => void): Promise<{
    readonly steps: number;
    readonly equal: number;
    readonly first_difference: string | null;
    readonly milliseconds: number;
    readonly listing: string;
  }>;
  cancelReproduce(): Promise<void>;
}
