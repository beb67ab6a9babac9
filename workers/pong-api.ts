import type { JsonObject } from '../src/evidence/identity/json';
import type { Finding } from '../src/evidence/verify/finding';
import type { Boxes } from '../src/experiments/pong-controls/boxes';
import type { SweepEpisode, SweepSummary } from '../src/experiments/pong-controls/sweep';
import type { Progress, RunHeader } from '../src/runner/experiment';
import type { StoreEvent } from './api';

/** Who plays what, without a key. */
export interface PongStart {
  readonly parameters: JsonObject;
  readonly provider: { readonly id: string; readonly settings: JsonObject };
}

/** Held in memory while a run goes and written nowhere. */
export interface PongSecrets {
  readonly key: string | null;
}

/** How far an episode has come. */
export interface PongPoint {
  readonly seed: number;
  readonly arm: string;
  readonly decision: number;
  readonly scored: number;
  readonly lost: number;
  readonly calls: number;
}

export interface PongProgress extends Progress {
  readonly decision: number;
  readonly decisions: number;
  /** What happened since the last report: each point played, and where the present episode stands. */
  readonly points: readonly PongPoint[];
}

/** A picture of the machine for somebody who looks: 160 x 210, RGBA. */
export interface PongPicture {
  readonly seed: number;
  readonly arm: string;
  readonly decision: number;
  readonly rawFrame: number;
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
  readonly boxes: Boxes;
}

export interface PongCartridgeView {
  readonly name: 'pong' | 'paddle';
  readonly md5: string;
  readonly sha256: string;
}

/** A file of a published folder. */
export interface PongFile {
  readonly path: string;
  readonly blob: Blob;
}

export type PongSource =
  | { readonly run: string }
  | { readonly files: readonly PongFile[]; readonly name: string };

export interface EpisodeRow {
  readonly seed: number;
  readonly arm: string;
  readonly decisions: number;
  readonly scored: number;
  readonly lost: number;
  readonly reward: number;
  readonly complete: boolean;
  readonly endReason: string;
  /** Decisions that differ from the 4 px rule; null where the file does not say. */
  readonly different: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly attempts: number;
  readonly httpSeconds: number;
}

/** A run or an episode that is open for looking, wherever its files lie. */
export interface PongOpened {
  readonly name: string;
  readonly stored: boolean;
  readonly header: RunHeader | null;
  readonly planHash: string | null;
  readonly cartridge: 'pong' | 'paddle' | null;
  /** Whether pictures can be made: the cartridge is here. */
  readonly playable: boolean;
  readonly frames: number;
  readonly seeds: readonly number[];
  readonly arms: readonly { readonly id: string; readonly policy: string; readonly model: boolean }[];
  readonly episodes: readonly EpisodeRow[];
  /** `comparison.json` for showing; null for a lone episode. */
  readonly comparison: JsonObject | null;
  readonly exchanges: number;
}

/** Every decision of an episode in a few numbers each. */
export interface EpisodeTimeline {
  readonly seed: number;
  readonly arm: string;
  readonly decisions: number;
  readonly actions: Uint8Array<ArrayBuffer>;
  /** What the 4 px rule would do with the same observation. */
  readonly rule: Uint8Array<ArrayBuffer>;
  /** Points scored and lost up to and with each decision. */
  readonly scored: Uint8Array<ArrayBuffer>;
  readonly lost: Uint8Array<ArrayBuffer>;
  /** 1 where the provider's choice was not its own most probable option. */
  readonly overruled: Uint8Array<ArrayBuffer>;
}

/** One decision, opened: for showing. */
export interface DecisionView {
  readonly seed: number;
  readonly arm: string;
  readonly decision: number;
  readonly action: number;
  readonly rule: number;
  readonly rewards: readonly number[];
  readonly boxes: Boxes;
  /** Ball centre minus paddle centre, positive where the ball is lower. */
  readonly gap: number | null;
  readonly observation: string;
  readonly request: string | null;
  readonly response: string | null;
  readonly origin: string;
  /** By option, in order; null for a rule. */
  readonly probabilities:
    | readonly { readonly option: string; readonly reported: number; readonly used: number }[]
    | null;
  readonly confidence: number | null;
  readonly reportedChoice: string | null;
  readonly frames: readonly { readonly rawFrame: number; readonly rgb: string; readonly reward: number }[];
}

export interface BranchRequest {
  readonly seed: number;
  readonly arm: string;
  readonly decision: number;
  readonly action: number;
  /** Frames to see, 4 to 240. */
  readonly frames: number;
  /** Who decides after the one decision that is changed. */
  readonly then: 'recorded' | 'rule-4px' | 'same';
}

/** What both ways came to. Exploration: nothing of it is kept. */
export interface BranchView {
  readonly frames: number;
  readonly recorded: { readonly scored: number; readonly lost: number };
  readonly other: { readonly scored: number; readonly lost: number };
  /** The first frame whose picture differs, null where none does. */
  readonly parts: number | null;
}

export interface ReplayView {
  readonly verified: boolean;
  readonly status: string;
  readonly decisions: number;
  readonly rawFrames: number;
  readonly report: string;
  readonly difference: null | {
    readonly where: string;
    readonly expected: string;
    readonly got: string;
    readonly rawFrame: number | null;
    readonly recordedBoxes: Boxes | null;
    /** Made here, at the difference. */
    readonly picture: Uint8ClampedArray<ArrayBuffer> | null;
    readonly boxes: Boxes | null;
    /** The picture before, equal in both. */
    readonly before: Uint8ClampedArray<ArrayBuffer> | null;
  };
}

/** The comparison played, looked at and checked, off the main thread. */
export interface PongApi {
  onStoreEvent(listener: (event: StoreEvent) => void): Promise<void>;
  /**
   * The store in memory of this tab: for runs where the browser denies storage, and with `always` for all. Called first.
   * `lend` is called before that store is used, for whoever has it to serve the port.
   */
  useStore(port: MessagePort, always: boolean, lend: () => void): Promise<void>;
  /** As the runner's. */
  letGo(): Promise<void>;

  /** Puts a ROM file in. Throws `pong_rom` with the file's MD5, and the codes of `readCartridge`. */
  insert(rom: Uint8Array): Promise<PongCartridgeView>;
  /** The plan that a request would freeze, without running it. Throws `plan_*` and `provider_*`. */
  preview(
    start: PongStart,
  ): Promise<{ readonly hash: string; readonly calls: number; readonly decisions: number }>;
  /** Recorded exchanges that answer instead of a provider: files named `model-exchanges.jsonl`, alone or in a tree. */
  lendRecording(files: readonly PongFile[]): Promise<{
    readonly exchanges: number;
    readonly digest: string;
    readonly model: string;
    readonly backend: string;
  }>;
  start(
    start: PongStart,
    secrets: PongSecrets,
    onHeader: (header: RunHeader) => void,
    onProgress: (progress: PongProgress) => void,
  ): Promise<RunHeader>;
  resume(run: string, secrets: PongSecrets, onProgress: (progress: PongProgress) => void): Promise<RunHeader>;
  cancel(): Promise<void>;
  /** Pictures of the running episode go to the listener from now on, at most fifteen a second. */
  watch(onPicture: (picture: PongPicture) => void): Promise<void>;
  unwatch(): Promise<void>;

  /** Unpacks a zip from anywhere. Throws `zip_*`. */
  unpack(zip: Blob): Promise<readonly PongFile[]>;
  open(source: PongSource): Promise<PongOpened>;
  timeline(seed: number, arm: string): Promise<EpisodeTimeline>;
  decision(seed: number, arm: string, decision: number): Promise<DecisionView>;
  /** The picture before a decision. Null where the cartridge is not here or the recording goes another way. */
  picture(seed: number, arm: string, decision: number): Promise<PongPicture | null>;
  branch(request: BranchRequest): Promise<BranchView>;
  /** Both ways after so many frames, 1 to the branch's. */
  branchPictures(frame: number): Promise<{ readonly recorded: PongPicture; readonly other: PongPicture }>;
  replay(seed: number, arm: string, onDecision: (done: number) => void): Promise<ReplayView>;
  audit(onFinding: (finding: Finding) => void): Promise<boolean>;
  /** One episode, or all arms of a seed in a two by two picture. Throws `recording_*`. */
  film(
    seed: number,
    arms: readonly string[],
    onFrame: (done: number, total: number) => void,
  ): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly frames: number }>;
  cancelWork(): Promise<void>;

  /** The seeds of a sweep (`0..999`, `36,46`) and its arms by name. Throws `sweep_seeds`, `sweep_arms`, `plan_arms`, `pong_rule`. */
  sweepPlan(
    seeds: string,
    arms: readonly string[],
  ): Promise<{
    readonly seeds: readonly number[];
    readonly left_out: number;
    readonly arms: readonly string[];
  }>;
  /** One seed of a sweep, every arm. Nothing is kept. */
  sweep(seed: number, arms: readonly string[], frames: number): Promise<readonly SweepEpisode[]>;
  sweepSummary(
    seeds: readonly number[],
    arms: readonly string[],
    episodes: readonly SweepEpisode[],
    frames: number,
  ): Promise<SweepSummary>;
}
