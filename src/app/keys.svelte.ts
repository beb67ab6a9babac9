import { CATALOGUE, keyIdOf } from '../providers/catalogue';
import { usableKey } from '../providers/secret';
import { smallStore } from './small-store';

const kept = smallStore<string>('pixelproof-keys');

/** Where a key lies: in this tab's memory, or also in this browser because a person asked for it. */
type Held = 'tab' | 'browser';

/**
 * Keys of servers. They are in this tab's memory, and in a database of their own where a person asks for that; they go to
 * a worker with the run that sends them, and nowhere else: no address, no plan, no record. A key is never shown again.
 */
class Keys {
  /** Where the key of each provider lies, by the id that it is kept under. The keys themselves are not here. */
  held: ReadonlyMap<string, Held> = $state.raw(new Map());
  readonly #keys = new Map<string, string>();
  #loaded: Promise<void> | null = null;

  /** Takes up what this browser keeps; once. */
  arrive(): Promise<void> {
    this.#loaded ??= kept.load().then((stored) => {
      for (const [id, key] of stored) {
        if (this.#keys.has(id)) continue;
        this.#keys.set(id, key);
        this.#note(id, 'browser');
      }
    });
    return this.#loaded;
  }

  /** Holds a key in this tab while it is typed; a text that is no key yet is left. */
  hold(provider: string, text: string): void {
    try {
      const key = usableKey(text);
      if (key === null) return;
      const id = keyIdFor(provider);
      this.#keys.set(id, key);
      if (!this.held.has(id)) this.#note(id, 'tab');
    } catch {
      // Told when the field is left.
    }
  }

  /** Throws `provider_settings` for a text that is no key, and what the database throws where nothing is kept. */
  async set(provider: string, text: string, where: Held): Promise<void> {
    const id = keyIdFor(provider);
    const key = usableKey(text);
    if (key === null) return;
    this.#keys.set(id, key);
    if (where === 'tab') this.#note(id, 'tab');
    if (where === 'browser') await this.move(provider, 'browser');
    else await kept.remove(id);
  }

  /** Keeps the key that is held in this browser too, or in this tab only. */
  async move(provider: string, where: Held): Promise<void> {
    const id = keyIdFor(provider);
    const key = this.#keys.get(id);
    if (key === undefined) return;
    if (where === 'browser') await kept.put(id, key);
    else await kept.remove(id);
    this.#note(id, where);
  }

  async forget(provider: string): Promise<void> {
    const id = keyIdFor(provider);
    this.#keys.delete(id);
    this.#note(id, null);
    await kept.remove(id);
  }

  /** The key for a call of this provider, null for none. */
  async of(provider: string): Promise<string | null> {
    await this.arrive();
    return this.#keys.get(keyIdFor(provider)) ?? null;
  }

  /** The key that is here now, for what is asked at once; it changes with what is held. */
  now(provider: string): string | null {
    const id = keyIdFor(provider);
    return this.held.has(id) ? (this.#keys.get(id) ?? null) : null;
  }

  /** Hands a provider's key to a worker that will ask it. */
  async lend(
    provider: string,
    worker: { lendKey(provider: string, key: string | null): Promise<void> },
  ): Promise<void> {
    await worker.lendKey(keyIdFor(provider), await this.of(provider));
  }

  #note(id: string, where: Held | null): void {
    const next = new Map(this.held);
    if (where === null) next.delete(id);
    else next.set(id, where);
    this.held = next;
  }
}

/** Where nobody of the catalogue answers, no key is kept either. */
function keyIdFor(provider: string): string {
  const entry = CATALOGUE.find(({ id }) => id === provider);
  return entry === undefined ? provider : keyIdOf(entry);
}

export const keys = new Keys();
