import type { VlmChoice, VlmScored } from '../src/providers/audit/vlm-protocol';
import type { VlmAsked, VlmFacts, VlmText } from '../src/providers/in-page/vlm/vlm-host';

/** The files of a folder that a person chose, by their paths below it. Blobs are handles: nothing is read yet. */
export type ModelFolder = readonly { readonly path: string; readonly blob: Blob }[];

/** The worker of one vision-language model: nested in the runner's, ended when its model is closed. */
export interface TransformersApi {
  /** Loads the one model of this worker, from a folder or from what was downloaded. Throws as `VlmHost.open`. */
  open(choice: VlmChoice, folder: ModelFolder | null): Promise<VlmFacts>;
  /** Throws as `VlmSession.text`. */
  text(asked: VlmAsked, most: number): Promise<VlmText>;
  /** Throws as `VlmSession.score`. */
  score(asked: VlmAsked, controls: readonly string[]): Promise<VlmScored>;
}
