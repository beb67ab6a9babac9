import { readVlmModel, type VlmChoice } from '../../providers/audit/vlm-protocol';
import { DEFAULT_VLM } from '../../providers/in-page/vlm/known-models';

/** The choice that a model's name in an address stands for; the default for anything else. */
export function choiceOf(model: string): VlmChoice {
  return readVlmModel(model) ?? (readVlmModel(DEFAULT_VLM) as VlmChoice);
}
