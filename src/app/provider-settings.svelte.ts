import { DEFAULT_LIMITS } from '../providers/call-policy';
import { addressOf, entryOf } from '../providers/catalogue';
import type { Capability } from '../providers/provider';
import { smallStore } from './small-store';

/** What a person set for one provider, as typed; what is not there is the catalogue's. Never a key. */
export interface ProviderSettings {
  readonly baseUrl?: string;
  readonly model?: string;
  /** Seconds for each call. */
  readonly timeout?: string;
  readonly maxInFlight?: string;
  /** Milliseconds. */
  readonly minInterval?: string;
}

/**
 * Settings of the providers page. They are in this browser's database and not in the address: they belong to a machine
 * (where its servers listen), while a link carries a plan to somebody else's.
 */
class AllSettings {
  all: ReadonlyMap<string, ProviderSettings> = $state.raw(new Map());
  /** Set where this browser keeps nothing: settings last as long as the tab. */
  denied = $state(false);
  readonly #store = smallStore<ProviderSettings>('pixelproof-providers');

  constructor() {
    void this.#store.load().then((stored) => {
      this.all = new Map([...stored, ...this.all]);
    });
  }

  of(id: string): ProviderSettings {
    return this.all.get(id) ?? {};
  }

  /** An empty text takes a setting back. */
  async set(id: string, changes: ProviderSettings): Promise<void> {
    const next = Object.fromEntries(
      Object.entries({ ...this.of(id), ...changes }).filter(([, value]) => value.trim() !== ''),
    ) as ProviderSettings;
    const all = new Map(this.all);
    const bare = Object.keys(next).length === 0;
    if (bare) all.delete(id);
    else all.set(id, next);
    this.all = all;
    try {
      await (bare ? this.#store.remove(id) : this.#store.put(id, next));
    } catch {
      this.denied = true;
    }
  }
}

export const providerSettings = new AllSettings();

/** Where and what a provider is asked, unless the address of the page says another thing. */
export function usualOf(
  id: string,
  capability: Capability,
): { readonly baseUrl: string; readonly model: string } {
  const entry = entryOf(id);
  const { baseUrl, model } = providerSettings.of(id);
  const own = entry.addresses?.[capability] === undefined ? baseUrl : undefined;
  return { baseUrl: own ?? addressOf(entry, capability), model: model ?? entry.model ?? '' };
}

/** The limits that a person set, as a run's settings; nothing where they are the usual ones. */
export function limitSettings(id: string): { readonly [name: string]: number } {
  const { maxInFlight, minInterval } = providerSettings.of(id);
  const [most, apart] = [Number(maxInFlight ?? ''), Number(minInterval ?? '')];
  return {
    ...(maxInFlight !== undefined && most !== DEFAULT_LIMITS.maxInFlight ? { max_in_flight: most } : {}),
    ...(minInterval !== undefined && apart !== DEFAULT_LIMITS.minIntervalMs
      ? { min_interval_ms: apart }
      : {}),
  };
}
