import type { RunRequest } from '../../../../workers/api';
import type { JsonObject } from '../../../evidence/identity/json';
import { CLASSIFIER, CLASSIFIERS } from '../../../providers/audit/classifier-protocol';
import { BASE_URL_FORM, baseUrlFault, shownUrl } from '../../../providers/base-url';
import * as catalogue from '../../../providers/catalogue';
import type { Changes } from '../../address';
import { limitSettings, providerSettings, usualOf } from '../../provider-settings.svelte';
import { route } from '../../route.svelte';
import { ownModel } from './own-model.svelte';
import { ROWS, SMOKE_ROWS } from './states';
import { COOLDOWN_PARTS, LANE_PARTS, STAGE_2E, VARIANTS } from './variants';

const CAPABILITY = 'image-text-to-text';

/** What the person has chosen so far. It lives in the address, so a link opens the same plan. */
export interface Choice {
  readonly fixture: 'smoke' | 'canonical';
  readonly variants: readonly string[];
  readonly combinedCooldown: string;
  readonly combinedLane: string;
  /** An id of the catalogue. */
  readonly provider: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly seed: string;
  readonly timeout: string;
  readonly threshold: string;
  /** `yes` holds the reply to a schema: another plan than the published one. */
  readonly structured: string;
  readonly tokens: string;
  /** `server` sends none. */
  readonly temperature: string;
}

const DEFAULTS: Choice = {
  fixture: 'smoke',
  variants: STAGE_2E,
  combinedCooldown: 'cooldown-dual-v1',
  combinedLane: 'lane-enhanced-v1',
  provider: 'replay',
  baseUrl: '',
  model: '',
  seed: '0',
  timeout: '180',
  threshold: '0',
  structured: 'no',
  tokens: '128',
  temperature: '0',
};

/** What is asked of a provider unless the address of the page says another thing. */
export function usual(provider: string): Pick<Choice, 'baseUrl' | 'model' | 'timeout'> {
  return {
    ...usualOf(provider, CAPABILITY),
    timeout: providerSettings.of(provider).timeout ?? DEFAULTS.timeout,
  };
}

/** Whether this choice sends anything to a server. */
export function asksServer({ provider }: Choice): boolean {
  return catalogue.asksServer(catalogue.entryOf(provider));
}

function oneOf<T extends string>(value: string | null, known: readonly T[], otherwise: T): T {
  return known.find((word) => word === value) ?? otherwise;
}

/** Words that this version does not know fall back to the default; nothing in a link can break the page. */
export function readChoice(): Choice {
  const named = route.get('variants')?.split(',') ?? null;
  const variants = named === null ? null : VARIANTS.map(({ id }) => id).filter((id) => named.includes(id));
  const provider = oneOf(
    route.get('provider'),
    catalogue.entriesFor(CAPABILITY).map(({ id }) => id),
    DEFAULTS.provider,
  );
  const { baseUrl, model, timeout } = usual(provider);
  return {
    fixture: oneOf(route.get('fixture'), ['smoke', 'canonical'], DEFAULTS.fixture),
    variants: variants ?? DEFAULTS.variants,
    combinedCooldown: oneOf(route.get('cooldown'), COOLDOWN_PARTS, DEFAULTS.combinedCooldown),
    combinedLane: oneOf(route.get('lane'), LANE_PARTS, DEFAULTS.combinedLane),
    provider,
    baseUrl: route.get('url') ?? baseUrl,
    model: route.get('model') ?? model,
    seed: route.get('seed') ?? DEFAULTS.seed,
    timeout: route.get('timeout') ?? timeout,
    threshold: route.get('threshold') ?? DEFAULTS.threshold,
    structured: oneOf(route.get('structured'), ['yes', 'no'], DEFAULTS.structured),
    tokens: route.get('tokens') ?? DEFAULTS.tokens,
    temperature: oneOf(route.get('temperature'), ['0', 'server'], DEFAULTS.temperature),
  };
}

const KEYS: Readonly<Record<keyof Choice, string>> = {
  fixture: 'fixture',
  variants: 'variants',
  combinedCooldown: 'cooldown',
  combinedLane: 'lane',
  provider: 'provider',
  baseUrl: 'url',
  model: 'model',
  seed: 'seed',
  timeout: 'timeout',
  threshold: 'threshold',
  structured: 'structured',
  tokens: 'tokens',
  temperature: 'temperature',
};

/** A null takes the person's own word away, so that the provider's usual one holds. */
export function choose(changes: { readonly [name in keyof Choice]?: Choice[name] | null }): void {
  const keys: Record<string, string | null> = {};
  const own = { ...DEFAULTS, ...usual(changes.provider ?? readChoice().provider) };
  for (const name of Object.keys(KEYS) as (keyof Choice)[]) {
    const value = changes[name];
    if (value === undefined) continue;
    const written = value === null || typeof value === 'string' ? value : value.join(',');
    // The address of the page is no place for a password.
    const text = name === 'baseUrl' && written !== null ? shownUrl(written) : written;
    const same = text === (typeof own[name] === 'string' ? own[name] : own[name].join(','));
    keys[KEYS[name]] = text === null || same ? null : text || 'none';
  }
  route.set(keys satisfies Changes);
}

export function rowsOf(fixture: Choice['fixture']): readonly string[] {
  return fixture === 'smoke' ? SMOKE_ROWS : ROWS;
}

/** Why this choice cannot be run, in one sentence, or null. The experiment has the last word. */
export function refusalOf(choice: Choice): string | null {
  if (choice.variants.length === 0) return 'Choose at least one representation.';
  if (choice.variants.includes('combined-v1') && !choice.variants.some((id) => COOLDOWN_PARTS.includes(id))) {
    return 'combined-v1 needs at least one isolated cooldown representation in the same run.';
  }
  if (choice.provider === 'replay') {
    if (choice.fixture !== 'smoke')
      return 'The published run has the smoke fixture only: choose smoke, or another provider.';
    const unknown = choice.variants.filter((id) => !STAGE_2E.includes(id));
    if (unknown.length > 0) return `No published replies exist for ${unknown.join(', ')}.`;
  }
  const threshold = Number(choice.threshold);
  if (choice.threshold.trim() === '' || !(threshold >= 0 && threshold <= 1)) {
    return 'The confidence threshold is a number from 0 to 1.';
  }
  if (asksServer(choice)) {
    if (choice.model.trim() === '') return 'Name the model to ask.';
    const wrong = baseUrlFault(choice.baseUrl.trim());
    if (wrong !== null) return `The address cannot be asked: ${wrong}. Expected ${BASE_URL_FORM}.`;
    if (!(Number(choice.timeout) > 0)) return 'The time limit is a number of seconds above 0.';
    if (!/^[1-9]\d{0,4}$/.test(choice.tokens.trim()))
      return 'The tokens of a reply are a whole number above 0.';
  }
  if (choice.provider === CLASSIFIER && !ownModel.has(choice.model))
    return 'Choose a model file and its card first.';
  if (choice.provider !== 'replay' && !/^-?\d{1,15}$/.test(choice.seed.trim()))
    return 'The seed is a whole number.';
  return null;
}

export function requestOf(choice: Choice): RunRequest {
  const combined = choice.variants.includes('combined-v1');
  return {
    experiment: 'png-representation',
    parameters: {
      fixture: choice.fixture,
      variants: [...choice.variants],
      confidence_threshold: Number(choice.threshold),
      ...(combined ? { combined_cooldown: choice.combinedCooldown, combined_lane: choice.combinedLane } : {}),
    },
    provider: { id: choice.provider, settings: settingsOf(choice) },
  };
}

function settingsOf(choice: Choice): JsonObject {
  const { provider, model } = choice;
  if (provider === 'replay') return {};
  if (CLASSIFIERS.includes(provider)) return { model };
  const seed = Number(choice.seed);
  if (!asksServer(choice)) return model.trim() === '' ? { seed } : { model: model.trim(), seed };
  return {
    base_url: choice.baseUrl.trim(),
    model: model.trim(),
    seed,
    timeout: Number(choice.timeout),
    ...limitSettings(provider),
    // Only what differs, so that a plan is asked for in one way.
    ...(choice.structured === 'yes' ? { structured: true } : {}),
    ...(choice.temperature === 'server' ? { server_temperature: true } : {}),
    ...(choice.tokens === DEFAULTS.tokens ? {} : { max_tokens: Number(choice.tokens) }),
  };
}

/** Who answers, and the button that begins it, in words. */
export function wordsOf(choice: Choice, calls: string): { readonly asks: string; readonly start: string } {
  const { name, runs } = catalogue.entryOf(choice.provider);
  if (choice.provider === 'replay')
    return { asks: 'answered by the published replies, no network', start: 'Replay the published run' };
  if (runs === 'wiring')
    return { asks: 'answered by the script: a wiring check', start: 'Run the wiring check' };
  if (runs === 'in-page')
    return { asks: `read in this page by ${name}`, start: `Start: ${name} in this page` };
  return {
    asks: `asked of ${choice.model} at ${choice.baseUrl}`,
    start: `Start: ${calls} to ${choice.baseUrl}`,
  };
}
