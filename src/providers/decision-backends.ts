import { PixelproofError } from '../errors';
import { DecisionEndpoint } from './decision-endpoint';
import type { ProviderDescription } from './provider';
import { usableKey } from './secret';

export interface DecisionSettings {
  /** Null uses the published address; a person's own relay otherwise. */
  readonly baseUrl: string | null;
  readonly model: string;
  readonly key: string | null;
  readonly timeoutMs?: number;
}

/** The frozen protocol's own backend. */
const JEV = {
  id: 'jev',
  label: 'Jev decision API',
  url: 'https://api.typesafe.ai/v1/systemone',
  keyName: 'TYPESAFE_API_KEY',
  retries: 2,
} as const;
const OPENROUTER = {
  id: 'openrouter',
  label: 'OpenRouter Decisions',
  url: 'https://openrouter.ai/api/alpha/decisions',
  keyName: 'OPENROUTER_API_KEY',
  retries: 0,
} as const;
/** Any server with the chat interface. Its address must be given; a local one needs no key. */
const CHAT = {
  id: 'openai-chat',
  label: 'Chat model with structured output (not the published protocol)',
  url: '',
  keyName: 'OPENAI_API_KEY',
  retries: 0,
} as const;

const BACKENDS = [JEV, OPENROUTER, CHAT];
export const DECISION_BACKENDS: readonly string[] = BACKENDS.map(({ id }) => id);

/** The environment variable in which a terminal looks for a backend's key. */
export function keyNameOf(backend: string): string | null {
  return BACKENDS.find(({ id }) => id === backend)?.keyName ?? null;
}

/**
 * A backend by name. Throws `provider_unknown`, and `provider_settings` for an address that is none, a missing key where
 * the backend needs one, and a model that OpenRouter would not route to the decision model.
 */
export function decisionBackend(backend: string, settings: DecisionSettings): DecisionEndpoint {
  const known = BACKENDS.find(({ id }) => id === backend);
  if (known === undefined) {
    throw new PixelproofError('provider_unknown', 'There is no such decision backend.', {
      expected: DECISION_BACKENDS.join(', '),
      got: backend,
    });
  }
  const { id, label } = known;
  const url = addressOf(settings.baseUrl ?? known.url);
  const key = usableKey(settings.key);
  if (key === null && id !== 'openai-chat' && settings.baseUrl === null) {
    throw new PixelproofError('provider_settings', `${label} needs a key of yours.`, {
      expected: known.keyName,
      got: 'none',
    });
  }
  if (id === 'openrouter' && !/^~?typesafe\/./.test(settings.model)) {
    throw new PixelproofError(
      'provider_settings',
      `${label} is asked for a model of typesafe/ or ~typesafe/.`,
      {
        expected: 'typesafe/… or ~typesafe/…',
        got: settings.model,
      },
    );
  }
  const description: ProviderDescription = {
    id,
    kind: 'measured',
    label,
    model: settings.model,
    seed: 0,
    base_url: url,
  };
  const { timeoutMs } = settings;
  return new DecisionEndpoint({
    description,
    url,
    key,
    retries: known.retries,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}

function addressOf(text: string): string {
  let url: URL | null = null;
  try {
    url = new URL(text);
  } catch {
    // Told below.
  }
  // A name, password or query in an address would end up in evidence.
  const bare = !/\/\/[^/]*@/.test(text) && !/[?#]/.test(text);
  if (url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && bare) return text;
  throw new PixelproofError('provider_settings', 'The address of the backend is not usable.', {
    expected: 'http:// or https://, without a name, password or query',
    got: text === '' ? 'none' : text.replace(/\/\/[^/]*@/, '//…@').replace(/[?#].*$/, '?…'),
  });
}
