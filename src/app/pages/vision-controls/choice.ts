import type { RunRequest } from '../../../../workers/api';
import { VISUAL_CONTROL_STATE } from '../../../experiments/vision-controls/protocol';
import { usualModel } from '../../../lab/vision-servers';
import { vlmModel } from '../../../providers/audit/vlm-protocol';
import { BASE_URL_FORM, baseUrlFault, shownUrl } from '../../../providers/base-url';
import * as catalogue from '../../../providers/catalogue';
import { choiceOf } from '../../parts/vlm-choice';
import { limitSettings, providerSettings, usualOf } from '../../provider-settings.svelte';
import { route } from '../../route.svelte';

const CAPABILITY = 'image-text-to-choices';
const FIXTURES = ['demo', 'five-row', 'six-row', 'own'] as const;
const TEMPLATES = ['native_gemma3_turn', 'native_gemma4_turn'] as const;
const GATES = ['smoke', 'consumer'] as const;
const ANNOTATION = ['picture', 'text', 'none'] as const;

/** What the person has chosen so far. It lives in the address, so a link opens the same plan; pictures and keys do not. */
export interface Choice {
  readonly fixture: (typeof FIXTURES)[number];
  /** An id of the catalogue. */
  readonly provider: string;
  readonly url: string;
  readonly model: string;
  readonly timeout: string;
  readonly template: (typeof TEMPLATES)[number];
  readonly gate: (typeof GATES)[number];
  readonly annotation: (typeof ANNOTATION)[number];
  readonly first: string;
  readonly second: string;
  readonly question: string;
  readonly means: string;
  readonly state: string;
  readonly terms: string;
}

function oneOf<T extends string>(key: string, known: readonly T[], otherwise = known[0] as T): T {
  return known.find((word) => word === route.get(key)) ?? otherwise;
}

/** Words that this version does not know fall back to the default; nothing in a link can break the page. */
export function readChoice(): Choice {
  const provider = oneOf(
    'provider',
    catalogue.entriesFor(CAPABILITY).map(({ id }) => id),
    'scripted',
  );
  const { timeout } = providerSettings.of(provider);
  return {
    fixture: oneOf('fixture', FIXTURES),
    provider,
    url: route.get('url') ?? usualOf(provider, CAPABILITY).baseUrl,
    model:
      provider === 'transformers'
        ? vlmModel(choiceOf(route.get('model') ?? ''))
        : (route.get('model') ??
          providerSettings.of(provider).model ??
          usualModel(catalogue.entryOf(provider))),
    timeout: route.get('timeout') ?? timeout ?? '900',
    template: oneOf('template', TEMPLATES),
    gate: oneOf('gate', GATES),
    annotation: oneOf('annotation', ANNOTATION),
    first: route.get('first') ?? '',
    second: route.get('second') ?? '',
    question: route.get('question') ?? '',
    means: route.get('means') ?? '',
    state: route.get('state') ?? VISUAL_CONTROL_STATE,
    terms: route.get('terms') ?? '',
  };
}

export function choose(changes: Partial<Choice>): void {
  // The address of the page is no place for a password.
  route.set({ ...changes, ...(changes.url === undefined ? {} : { url: shownUrl(changes.url) }) });
}

export function asksServer({ provider }: Choice): boolean {
  return catalogue.asksServer(catalogue.entryOf(provider));
}

/** Why the server's fields cannot be used, in one sentence, or null. */
export function serverFault(choice: Choice): string | null {
  if (!asksServer(choice)) return null;
  if (choice.model.trim() === '') return 'Name the model to ask.';
  const wrong = baseUrlFault(choice.url.trim());
  if (wrong !== null) return `The address cannot be asked: ${wrong}. Expected ${BASE_URL_FORM}.`;
  return Number(choice.timeout) > 0 ? null : 'The time limit is a number of seconds above 0.';
}

/** `manifest` is the text of a person's own fixture, null for a named one. */
export function requestOf(choice: Choice, manifest: string | null): RunRequest {
  const { provider, fixture, gate, template, annotation, url, model, timeout } = choice;
  const server = asksServer(choice)
    ? { base_url: url.trim(), model: model.trim(), timeout: Number(timeout), ...limitSettings(provider) }
    : provider === 'transformers'
      ? { model: model.trim() }
      : {};
  return {
    experiment: 'vision-controls',
    parameters: provider === 'replay' ? {} : { fixture: manifest ?? fixture, gate, template, annotation },
    provider: { id: provider, settings: server },
  };
}
