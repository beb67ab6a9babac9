import type { RunComparison } from '../src/evidence/compare';
import type { JsonObject } from '../src/evidence/identity/json';
import type { Finding } from '../src/evidence/verify/finding';
import type { SignalRecord } from '../src/experiments/image-signals/record';
import type { RunRequest } from '../src/lab/request';
import type { Dtype } from '../src/providers/audit/vlm-protocol';
import type { DownloadProgress } from '../src/providers/in-page/vlm/download';
import type { ExchangeRecord } from '../src/providers/provider';
import type { CaseRecord, Progress, RunHeader } from '../src/runner/experiment';
import type { ModelFolder } from './transformers-api';

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
  readonly record_digest: string | null;
  readonly findings: readonly Finding[];
}

/** What a run of the vision controls came to: a row of the published result table. */
export interface VisionResult {
  readonly result: 'pass' | 'fail' | 'incomplete' | 'skip' | 'error' | 'cancelled';
  /** One sentence, null for a pass. */
  readonly cause: string | null;
  /** Scoring calls that were made, failed ones included, and those that were answered. */
  readonly calls: number;
  readonly answered: number;
  /** Controls of which an attempt failed, also where a later one was answered; `code` is of the last failure. */
  readonly failed: readonly { readonly arm: string; readonly ordinal: number; readonly code: string }[];
  /** The receipt's text, over the whole rows that are there; of a run that stopped, with what its attempt came to. */
  readonly receipt: string;
}

/** An event of the store that a person has to know of (a newer tab, a full disk, …). */
export interface StoreEvent {
  readonly code: string;
  readonly message: string;
}

/** A model file of a person's own, as it was read. */
export interface OwnModelFacts {
  /** What a plan calls it: the card's name, and a digest over card and file. */
  readonly identity: string;
  readonly name: string;
  readonly licence: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly opset: number | null;
}

/** A downloaded model, or what there is of it. */
export interface StoredModel {
  readonly name: string;
  readonly bytes: number;
  /** Paths as on the hub. */
  readonly files: readonly string[];
}

/** A file of a folder that is a bundle, by its path inside it. */
export interface FolderFile {
  readonly path: string;
  readonly blob: Blob;
}

export interface RunnerApi {
  onStoreEvent(listener: (event: StoreEvent) => void): Promise<void>;
  /** Runs of this worker stay in memory, because a person wants so. Called before anything else. */
  keepNothing(): Promise<void>;
  /** Lends this worker's store through a port to another worker of this tab. */
  lendStore(port: MessagePort): Promise<void>;
  /** How many runs a reset would end, in the browser's storage and in the memory of this tab. Throws where the store cannot be read. */
  everyRun(): Promise<{ readonly stored: number; readonly memory: number }>;
  /** Ends what goes on here and closes the store, so that it can be deleted. The next call opens it anew. */
  letGo(): Promise<void>;
  /** Stores the plan and runs it to its end; resolves when complete, cancelled or incomplete, null when deleted. */
  start(
    request: RunRequest,
    onHeader: (header: RunHeader) => void,
    onProgress: (progress: Progress) => void,
  ): Promise<RunHeader | null>;
  /** Lends files to the runs of this tab, by digest (`sha256:…`): the plan of an image run names nothing else. */
  lendPictures(files: readonly { readonly sha256: string; readonly blob: Blob }[]): Promise<void>;
  /** Lends a provider's key to the runs of this tab, null for none: it is sent to that provider, and stored nowhere. */
  lendKey(provider: string, key: string | null): Promise<void>;
  /**
   * Lends a model file of a person's own to the runs of this tab, with its card as JSON text. Throws `model_card`,
   * `model_too_large`, `model_unreadable`.
   */
  lendModel(file: Blob, card: string): Promise<OwnModelFacts>;
  /** Lends the folder of a model to the runs of this tab, by the name that a plan gives it. */
  lendModelFolder(name: string, folder: ModelFolder): Promise<void>;
  /**
   * Downloads a model of the list, once a person has agreed to what it is and where it comes from. False when it was
   * cancelled. Throws as `download`.
   */
  downloadModel(
    model: { readonly name: string; readonly dtype: Dtype },
    onProgress: (progress: DownloadProgress) => void,
  ): Promise<boolean>;
  cancelDownload(): Promise<void>;
  storedModels(): Promise<readonly StoredModel[]>;
  removeModel(name: string): Promise<void>;
  visionResult(run: string): Promise<VisionResult>;
  resume(run: string, onProgress: (progress: Progress) => void): Promise<RunHeader | null>;
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
  /** Every attempt of one case, also of a case that is not finished; empty where nothing was asked. */
  exchangesOf(run: string, arm: string, ordinal: number): Promise<readonly ExchangeRecord[]>;
  /** The experiment's report, also of an unfinished run (over what is there so far). */
  report(run: string): Promise<JsonObject>;
  /** What a person says about a run (the gates ask whether somebody inspected it). Kept beside the evidence. */
  annotate(run: string, note: JsonObject): Promise<RunHeader>;
  artifact(sha256: string): Promise<Uint8Array | null>;

  /** In what two stored runs differ; both are read whole. */
  compare(a: string, b: string): Promise<RunComparison>;
  exportRun(run: string, format: 'zip' | 'json', inlineImages: boolean): Promise<Blob>;
  /** The cases so far as a Parquet table. */
  exportTable(run: string): Promise<Blob>;
  verify(file: Blob): Promise<VerifyResult>;
  /** The record digest of a complete run, as its export has it. Read whole from the store each time. */
  recordDigest(run: string): Promise<string>;
  /** A ZIP, a JSON document or the files of a folder. Verifies first; stores only what verifies. */
  importRun(
    source: Blob | readonly FolderFile[],
  ): Promise<{ result: VerifyResult; header: RunHeader | null; already: boolean }>;
  /**
   * Imports the bundle that a link names beside the site (`site` is the page's address). `result` is null where the file
   * did not arrive and the run that this link opened before is stored. Throws `link_address`, `link_origin`,
   * `link_missing`, `link_redirected`, `link_unreachable`, `bundle_too_large`, and as `importRun`.
   */
  importLinked(
    path: string,
    site: string,
  ): Promise<{ result: VerifyResult | null; header: RunHeader | null; already: boolean }>;
  /** A run that goes on in this worker is cancelled first. Throws `run_locked` for one that goes on elsewhere. */
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

/** A file to be measured. `id` is the page's own. */
export interface SignalsItem {
  readonly id: number;
  readonly name: string;
  readonly blob: Blob;
}

export interface SignalsFound {
  readonly id: number;
  readonly record: SignalRecord;
  /** RGBA, THUMB x THUMB at most, for the list. Null where nothing could be decoded. */
  readonly thumb: ThumbView | null;
}

export interface ThumbView {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

export interface EngineView {
  readonly id: 'wasm-simd' | 'webgpu';
  readonly version: string;
}

export interface OpenedPicture {
  readonly width: number;
  readonly height: number;
  /** The pixels that are measured: width x height x 3 bytes. */
  readonly rgb: Uint8Array<ArrayBuffer>;
  /** RGBA for the screen, perhaps coarser than the picture: `step` pixels a side each. */
  readonly shown: LayerView;
}

export interface LayerView {
  readonly width: number;
  readonly height: number;
  readonly step: number;
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

export interface GenerateRequest {
  /** An id of the catalogue that draws. */
  readonly provider: string;
  readonly baseUrl: string;
  readonly model: string;
  /** Sent with this call and kept nowhere. */
  readonly key: string;
  readonly timeoutSeconds: number;
}

/** What became of one request for a picture. The exchanges stand in the cell, the key in none of them. */
export interface Generated {
  readonly outcome: 'image' | 'moderated' | 'failed';
  readonly reason: string;
  readonly exchanges: readonly ExchangeRecord[];
  readonly file: { readonly name: string; readonly blob: Blob; readonly sha256: string } | null;
}

/** The worker that decodes and measures: one picture in memory at a time. */
export interface SignalsApi {
  /** The engines of this machine, and whether its decoders are exact. */
  engines(): Promise<{
    readonly engines: readonly EngineView[];
    readonly exact: Readonly<Record<string, boolean>>;
  }>;
  /** The pictures of a zip, each as a blob of its own. Throws `zip_*`. */
  unpack(zip: Blob): Promise<readonly { readonly name: string; readonly blob: Blob }[]>;
  /** Resolves when all are measured or it was cancelled; false when cancelled. */
  measure(
    items: readonly SignalsItem[],
    options: { readonly definition: JsonObject | null; readonly engine: EngineView['id'] },
    onFound: (found: readonly SignalsFound[]) => void,
  ): Promise<boolean>;
  cancel(): Promise<void>;
  /** The small picture of the list; null for a file that is none. */
  thumb(blob: Blob): Promise<ThumbView | null>;
  /** Decodes a picture and keeps it for `layer` and `explore`. */
  open(blob: Blob, name: string): Promise<OpenedPicture>;
  /** The open picture dimmed where a mask does not hold. `mask` is a name of `maskNames`, or `blobs`. */
  layer(definition: JsonObject | null, mask: string): Promise<LayerView>;
  /** The open picture's signals under another definition: for exploring, never a result. */
  explore(definition: JsonObject): Promise<SignalRecord>;
  scene(options: {
    readonly layout: string;
    readonly seed: number;
    readonly width: number;
    readonly height: number;
  }): Promise<{ readonly name: string; readonly blob: Blob }>;
  generate(request: GenerateRequest): Promise<Generated>;
  cancelGenerate(): Promise<void>;
}
