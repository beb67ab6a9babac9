import { PixelproofError } from '../errors';
import { DEFAULT_MODEL } from '../experiments/png-representation';
import { readerShape } from '../providers/audit/reader-shapes';
import type { Limits } from '../providers/call-policy';
import { addressOf, entryOf, keyIdOf } from '../providers/catalogue';
import { FetchReader } from '../providers/fetch-reader';
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
  readonly limits: Limits;
}

/** What a window, a worker or Node lends to readers. */
export interface ReaderHost {
  /** A key for this provider, null for none. It is sent, and stored nowhere. */
  apiKey(provider: string): string | null;
}

type Maker = (
  settings: ReaderSettings & { readonly address: string; readonly apiKey: string | null },
  host: ReaderHost,
) => Provider;

const CAPABILITY = 'image-text-to-text';

/** Readers that are made in a way of their own. One line a provider. */
const READERS: ReadonlyMap<string, Maker> = new Map<string, Maker>([
  ['arcade-reader', ({ model }) => arcadeReader(model)],
  ['classifier', ({ model }) => ownClassifier(model)],
  ['ocr', textReader],
  ['transformers', ({ model, seed }) => visionLanguageModel(model, seed)],
  // The reference's own word where a person names no model: it enters published identities.
  [
    'ollama',
    ({ address, model, apiKey, ...rest }) =>
      new OllamaProvider({ ...rest, apiKey, baseUrl: address, model: model ?? DEFAULT_MODEL }),
  ],
]);

/**
 * A provider that reads a picture and answers in words (image + text -> text). Nothing is asked or loaded before its
 * `start`. Throws `provider_unknown`, `provider_capability`, and `provider_settings` for settings that the provider cannot
 * be made with.
 */
export function imageReader(id: string, settings: ReaderSettings, host: ReaderHost): Provider {
  const entry = entryOf(id, CAPABILITY);
  const address = settings.baseUrl ?? addressOf(entry, CAPABILITY);
  const apiKey = host.apiKey(keyIdOf(entry));
  const make = READERS.get(id);
  if (make !== undefined) return make({ ...settings, address, apiKey }, host);
  const shape = readerShape(id);
  if (shape !== null) {
    const model = settings.model ?? entry.model ?? '';
    return new FetchReader(shape, {
      ...settings,
      baseUrl: address,
      model,
      apiKey,
      keyRequired: entry.key === 'required',
    });
  }
  // The experiment makes these itself, because it knows their answers.
  throw new PixelproofError('provider_unknown', `${entry.name} is no reader that can be asked.`, {
    expected: 'a provider that looks at pictures',
    got: id,
  });
}
