import type { PongStart } from '../../../../workers/pong-api';
import { shownUrl } from '../../../providers/base-url';
import { entriesFor } from '../../../providers/catalogue';
import type { Changes } from '../../address';
import { providerSettings } from '../../provider-settings.svelte';
import { route } from '../../route.svelte';

export const PUBLISHED = ['python-2px', 'python-4px', 'jev-original', 'jev-vertical'] as const;
export const MODEL_ARMS: readonly string[] = ['jev-original', 'jev-vertical'];

/** What the person has chosen. It lives in the address; a key never does. */
export interface Choice {
  readonly arms: readonly string[];
  readonly seeds: string;
  readonly frames: string;
  readonly cartridge: 'paddle' | 'pong';
  /** An id of the catalogue, or `local` for the coded rules alone. */
  readonly who: string;
  readonly url: string;
  readonly model: string;
  readonly expected: string;
  readonly calls: string;
}

const DEFAULTS: Choice = {
  arms: PUBLISHED,
  seeds: '36,37,46,47',
  frames: '2000',
  cartridge: 'paddle',
  who: 'local',
  url: '',
  model: 'jev-1.13.0',
  expected: '',
  calls: '4400',
};

export function readChoice(): Choice {
  const text = (key: string, usual: string) => route.get(key) ?? usual;
  const who = entriesFor('state-to-choices').find(({ id }) => id === route.get('who'))?.id ?? DEFAULTS.who;
  const own = providerSettings.of(who);
  const arms = route.get('arms')?.split(',').filter(Boolean) ?? DEFAULTS.arms;
  return {
    arms,
    seeds: text('seeds', DEFAULTS.seeds),
    frames: text('frames', DEFAULTS.frames),
    cartridge: route.get('rom') === 'pong' ? 'pong' : 'paddle',
    who,
    // A router's own address is another route than the one that decides.
    url: text('url', (who === 'openrouter' ? undefined : own.baseUrl) ?? DEFAULTS.url),
    model: text('model', own.model ?? DEFAULTS.model),
    expected: text('expected', DEFAULTS.expected),
    calls: text('calls', DEFAULTS.calls),
  };
}

export function choose(changes: Partial<Choice>): void {
  const keys: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(changes)) {
    const written = typeof value === 'string' ? value : value.join(',');
    // The address of the page is no place for a password.
    const text = name === 'url' ? shownUrl(written) : written;
    const usual = DEFAULTS[name as keyof Choice];
    const same = text === (typeof usual === 'string' ? usual : usual.join(','));
    keys[name === 'cartridge' ? 'rom' : name] = same ? null : text || ' ';
  }
  route.set(keys satisfies Changes);
}

/** Arms that play: without somebody to ask, the coded rules among those chosen. */
function playing(choice: Choice): readonly string[] {
  return choice.who === 'local' ? choice.arms.filter((arm) => !MODEL_ARMS.includes(arm)) : choice.arms;
}

const numbers = (text: string): number[] =>
  text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);

export function startOf(choice: Choice): PongStart {
  const { who, frames, cartridge, expected, calls, model, url } = choice;
  const asks = who !== 'local';
  return {
    parameters: {
      arms: [...playing(choice)],
      seeds: numbers(choice.seeds),
      frames: Number(frames),
      cartridge,
      ...(asks && expected.trim() !== '' ? { expected_model: expected.trim() } : {}),
      ...(asks ? { max_api_calls: Number(calls) } : {}),
    },
    provider: { id: who, settings: asks ? { model: model.trim(), base_url: url.trim() } : {} },
  };
}

/** How many episodes the choice has. */
export function episodes(choice: Choice): number {
  return playing(choice).length * numbers(choice.seeds).length;
}
