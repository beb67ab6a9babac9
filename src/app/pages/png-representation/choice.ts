import type { RunRequest } from '../../../../workers/api';
import { BASE_URL_FORM, baseUrlFault } from '../../../providers/base-url';
import { type Changes, route } from '../../route.svelte';
import { ROWS, SMOKE_ROWS } from './states';
import { COOLDOWN_PARTS, LANE_PARTS, STAGE_2E, VARIANTS } from './variants';

const PROVIDERS = ['replay', 'scripted', 'ollama'] as const;
export type ProviderId = (typeof PROVIDERS)[number];

/** What the person has chosen so far. It lives in the address, so a link opens the same plan. */
export interface Choice {
  readonly fixture: 'smoke' | 'canonical';
  readonly variants: readonly string[];
  readonly combinedCooldown: string;
  readonly combinedLane: string;
  readonly provider: ProviderId;
  readonly baseUrl: string;
  readonly model: string;
  readonly seed: string;
  readonly timeout: string;
  readonly threshold: string;
}

export const DEFAULTS: Choice = {
  fixture: 'smoke',
  variants: STAGE_2E,
  combinedCooldown: 'cooldown-dual-v1',
  combinedLane: 'lane-enhanced-v1',
  provider: 'replay',
  baseUrl: 'http://localhost:11434',
  model: 'qwen3.5:latest',
  seed: '0',
  timeout: '180',
  threshold: '0',
};

function oneOf<T extends string>(value: string | null, known: readonly T[], otherwise: T): T {
  return known.find((word) => word === value) ?? otherwise;
}

/** Words that this version does not know fall back to the default; nothing in a link can break the page. */
export function readChoice(): Choice {
  const named = route.get('variants')?.split(',') ?? null;
  const variants = named === null ? null : VARIANTS.map(({ id }) => id).filter((id) => named.includes(id));
  return {
    fixture: oneOf(route.get('fixture'), ['smoke', 'canonical'], DEFAULTS.fixture),
    variants: variants ?? DEFAULTS.variants,
    combinedCooldown: oneOf(route.get('cooldown'), COOLDOWN_PARTS, DEFAULTS.combinedCooldown),
    combinedLane: oneOf(route.get('lane'), LANE_PARTS, DEFAULTS.combinedLane),
    provider: oneOf(route.get('provider'), PROVIDERS, DEFAULTS.provider),
    baseUrl: route.get('url') ?? DEFAULTS.baseUrl,
    model: route.get('model') ?? DEFAULTS.model,
    seed: route.get('seed') ?? DEFAULTS.seed,
    timeout: route.get('timeout') ?? DEFAULTS.timeout,
    threshold: route.get('threshold') ?? DEFAULTS.threshold,
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
};

export function choose(changes: Partial<Choice>): void {
  const keys: Record<string, string | null> = {};
  for (const name of Object.keys(KEYS) as (keyof Choice)[]) {
    const value = changes[name];
    if (value === undefined) continue;
    const text = typeof value === 'string' ? value : value.join(',');
    const usual = DEFAULTS[name];
    keys[KEYS[name]] = text === (typeof usual === 'string' ? usual : usual.join(',')) ? null : text || 'none';
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
  if (choice.provider === 'ollama') {
    if (choice.model.trim() === '') return 'Name the model to ask.';
    const wrong = baseUrlFault(choice.baseUrl.trim());
    if (wrong !== null) return `The address cannot be asked: ${wrong}. Expected ${BASE_URL_FORM}.`;
    if (!(Number(choice.timeout) > 0)) return 'The time limit is a number of seconds above 0.';
  }
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
    provider: {
      id: choice.provider,
      settings:
        choice.provider === 'replay'
          ? {}
          : choice.provider === 'scripted'
            ? { seed: Number(choice.seed) }
            : {
                base_url: choice.baseUrl.trim(),
                model: choice.model.trim(),
                seed: Number(choice.seed),
                timeout: Number(choice.timeout),
              },
    },
  };
}
