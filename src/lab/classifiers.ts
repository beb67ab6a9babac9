import { PixelproofError } from '../errors';
import { decodePng } from '../pixels/decode/png';
import {
  ARCADE_READER,
  CLASSIFIER,
  readModelName,
  shippedModel,
} from '../providers/audit/classifier-protocol';
import { ARCADE_READER_FILE, ARCADE_READER_MODEL } from '../providers/in-page/arcade-reader-card';
import { ClassifierProvider } from '../providers/in-page/classifier';
import { lentModels, ownModel } from './models';

/** The reader that ships with the site. Throws `provider_settings` for a model that was never shipped under this name. */
export function arcadeReader(model: string | null): ClassifierProvider {
  const name = model ?? ARCADE_READER_MODEL;
  const shipped = shippedModel(name);
  if (shipped === null) {
    throw new PixelproofError('provider_settings', 'arcade-reader has no such model.', {
      expected: ARCADE_READER_MODEL,
      got: name,
    });
  }
  const { card, sha256 } = shipped;
  return new ClassifierProvider({
    id: ARCADE_READER,
    model: name,
    host: lentModels,
    decode: decodePng,
    load: async (signal) => ({ bytes: await lentModels.file(ARCADE_READER_FILE, signal), card }),
    sha256,
  });
}

/** A classifier of a person's own; `model` is its identity. Throws `provider_settings` where none is named. */
export function ownClassifier(model: string | null): ClassifierProvider {
  if (model === null || !/ sha256:[0-9a-f]{64}( on webgpu)?$/.test(model)) {
    throw new PixelproofError('provider_settings', 'Choose a model file and its card first.', {
      expected: 'a name, and the digest over card and file',
      got: model ?? 'none',
    });
  }
  return new ClassifierProvider({
    id: CLASSIFIER,
    model,
    host: lentModels,
    decode: decodePng,
    load: async () => {
      const { card, bytes } = ownModel(readModelName(model).base);
      return { bytes: await bytes(), card };
    },
    sha256: null,
  });
}
