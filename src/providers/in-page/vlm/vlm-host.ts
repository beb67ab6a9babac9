import type { Sha256Id } from '../../../evidence/identity/json';
import type { Dtype, VlmChoice, VlmScored } from '../../audit/vlm-protocol';
import type { Picture } from '../picture';
import type { LoadedFile } from './files';

/** A question: the words of the user's turn, and the picture before them. */
export interface VlmAsked {
  readonly picture: Picture | null;
  readonly text: string;
}

export interface VlmText {
  readonly text: string;
  readonly prompt_tokens: number;
  readonly answer_tokens: number;
}

/** What runs. */
export interface VlmFacts {
  readonly library: string;
  readonly dtype: Dtype;
  readonly backend: 'wasm' | 'webgpu';
  readonly files: readonly LoadedFile[];
  readonly digest: Sha256Id;
}

/** A model that is loaded. One question at a time. */
export interface VlmSession {
  readonly facts: VlmFacts;
  /**
   * The most likely answer, word by word, of at most `most` tokens. Throws `model_run_failed`,
   * `model_out_of_memory`, `model_worker_died`; rejects with the signal's reason.
   */
  text(asked: VlmAsked, most: number, signal: AbortSignal): Promise<VlmText>;
  /** One forward pass, read at the last position. Throws as `text`, and `model_control_tokens`, `model_not_finite`. */
  score(asked: VlmAsked, controls: readonly string[], signal: AbortSignal): Promise<VlmScored>;
  close(): Promise<void>;
}

/** Where vision-language models run: a worker of the page, or this process. */
export interface VlmHost {
  /**
   * Opens the model of this name, from files that are here already. Throws `model_not_here` where nobody chose a
   * folder or downloaded it, and as `openVlm`.
   */
  open(model: VlmChoice, signal: AbortSignal): Promise<VlmSession>;
}
