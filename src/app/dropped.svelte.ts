import type { WorkerError } from '../../workers/api';
import { outside } from '../outside-words';
import type { DropItem } from './drop-items';
import { failureOf } from './failure';
import { bundlesIn, type GivenBundle, looksLikeBundle, NO_BUNDLE } from './given-bundles';
import { type CheckedBundle, importGiven } from './import-file';
import { InTurn } from './in-turn';
import { link, route } from './route.svelte';

interface Refused {
  readonly name: string;
  readonly failure: WorkerError;
}

/** Files that were dropped on a page outside of the page's own fields. */
class Dropped {
  /** Name of the file that is being checked. */
  busy: string | null = $state(null);
  /** Those of the last drop that were bundles, whole or not: the Evidence page shows them. */
  checked: readonly CheckedBundle[] = $state.raw([]);
  /** Why the others were none. */
  refused: readonly Refused[] = $state.raw([]);
  /** Files of folders that were not even looked at. */
  skipped: readonly string[] = $state.raw([]);
  /** The page that both are told on. */
  #page = '';
  readonly #turns = new InTurn<GivenBundle>((given) => this.#import(given));

  /** Checks and imports each, one after the other; what is dropped meanwhile comes after. */
  async take(items: readonly DropItem[]): Promise<void> {
    if (!this.#turns.busy) {
      this.dismiss();
      this.checked = [];
    }
    this.#page = route.page;
    if (items.length === 0) this.#refuse('What was dropped', null);
    const { bundles, skipped, empty } = bundlesIn(items);
    this.skipped = [...this.skipped, ...skipped];
    for (const folder of empty) this.#refuse(outside(folder), failureOf(NO_BUNDLE));
    if (!(await this.#turns.add(bundles))) return;
    this.busy = null;
    // The page that somebody works on is left only for what is a bundle.
    if (this.checked.length > 0) location.hash = link('evidence');
    this.#page = this.checked.length > 0 ? 'evidence' : route.page;
  }

  /** Another page, or an import after it: what was refused before is not told any more. */
  moved(page: string): void {
    if (this.busy === null && page !== this.#page) this.dismiss();
  }

  dismiss(): void {
    this.refused = [];
    this.skipped = [];
  }

  async #import(given: GivenBundle): Promise<void> {
    const { name, source } = given;
    if (source instanceof File && !looksLikeBundle(source)) {
      this.#refuse(outside(name), null);
      return;
    }
    this.busy = outside(name);
    try {
      const checked = await importGiven(given);
      if (checked.result.findings.some(({ code }) => code === 'bundle_foreign'))
        this.#refuse(checked.name, null);
      else this.checked = [...this.checked, checked];
    } catch (thrown) {
      this.#refuse(outside(name), failureOf(thrown));
    }
  }

  #refuse(name: string, failure: WorkerError | null): void {
    const foreign = { code: 'drop_foreign', message: 'What was dropped is no bundle of this site.' };
    this.refused = [...this.refused, { name, failure: failure ?? failureOf(foreign) }];
  }
}

export const dropped = new Dropped();
