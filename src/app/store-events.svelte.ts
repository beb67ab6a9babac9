import type { StoreEvent } from '../../workers/api';
import { storage } from './storage.svelte';

/** What the store has said that a person has to know (a newer tab, a full disk, …), newest last, each once. */
class StoreEvents {
  list: readonly StoreEvent[] = $state.raw([]);

  readonly add = (event: StoreEvent): void => {
    if (event.code === 'store_memory_only') storage.memoryOnly = true;
    this.list = [...this.list.filter((known) => known.code !== event.code), event];
  };

  dismiss(code: string): void {
    this.list = this.list.filter((known) => known.code !== code);
  }
}

export const storeEvents = new StoreEvents();
