import { PixelproofError } from '../errors';
import { decodeImage } from '../pixels/decode/decode';
import { OcrProvider } from '../providers/in-page/ocr/provider';
import { DEFAULT_VLM } from '../providers/in-page/vlm/known-models';
import { TransformersProvider } from '../providers/in-page/vlm/provider';
import type { VlmHost } from '../providers/in-page/vlm/vlm-host';
import { lentModels } from './models';

const nowhere: VlmHost = {
  open: async () => {
    throw new PixelproofError('model_no_host', 'No model can run here: nobody lent a place to run one.');
  },
};
let host: VlmHost = nowhere;

/** Called once by whoever can run vision-language models (the runner's worker, the command line). */
export function lendVlm(lent: VlmHost): void {
  host = lent;
}

/** The reader of text that ships with the site. */
export function textReader(): OcrProvider {
  return new OcrProvider({ host: lentModels, decode: decodeImage });
}

/** Throws `provider_settings` for a model that is not named as `vlmModel` names one. */
export function visionLanguageModel(model: string | null, seed: number): TransformersProvider {
  return new TransformersProvider({
    model: model ?? DEFAULT_VLM,
    seed,
    host: { open: (...asked) => host.open(...asked) },
    decode: decodeImage,
  });
}
