import { PixelproofError } from '../errors';
import { DEFAULT_MODEL } from '../experiments/png-representation';
import { addressOf, entriesFor, entryOf } from '../providers/catalogue';
import { OllamaProvider } from '../providers/ollama';
import type { Provider } from '../providers/provider';
import { arcadeReader, ownClassifier } from './classifiers';
import { textReader, visionLanguageModel } from './in-page';

/** What a person chose about a reader; null where the catalogue's usual word will do. */
export interface ReaderSettings {
  readonly baseUrl: string | null;
  readonly model: string | null;
  readonly seed: number;
  readonly timeoutSeconds: number;
}

/** What a window, a worker or Node lends to readers. */
export interface ReaderHost {
  /** A key for this provider, null for none. It is sent, and stored nowhere. */
  apiKey(provider: string): string | null;
}

type Maker = (settings: ReaderSettings & { readonly address: string }, host: ReaderHost) => Provider;

/** How each reader is made. One line a provider. */
const READERS: ReadonlyMap<string, Maker> = new Map<string, Maker>([
  ['arcade-reader', ({ model }) => arcadeReader(model)],
  ['classifier', ({ model }) => ownClassifier(model)],
  ['ocr', textReader],
  ['transformers', ({ model, seed }) => visionLanguageModel(model, seed)],
  // The reference's own word where a person names no model: it enters published identities.
  [
    'ollama',
    ({ address, model, ...rest }) =>
      new OllamaProvider({ ...rest, baseUrl: address, model: model ?? DEFAULT_MODEL }),
  ],
]);

/**
 * A provider that reads a picture and answers in words (image + text -> text). Nothing is asked or loaded before its
 * `start`. Throws `provider_unknown`, and `provider_settings` for settings that the provider cannot be made with.
 */
export function imageReader(id: string, settings: ReaderSettings, host: ReaderHost): Provider {
  const make = READERS.get(id);
  if (make !== undefined) {
    const address = settings.baseUrl ?? addressOf(entryOf(id), 'image-text-to-text');
    return make({ ...settings, address }, host);
  }
  throw new PixelproofError('provider_unknown', `This experiment has no provider ${JSON.stringify(id)}.`, {
    expected: entriesFor('image-text-to-text')
      .map((entry) => entry.id)
      .join(', '),
    got: id,
  });
}
