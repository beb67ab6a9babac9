import type { WorkerError } from '../../workers/api';
import { outside } from '../outside-words';
import { failureOf } from './failure';
import { type CheckedBundle, importFile } from './import-file';
import { InTurn } from './in-turn';
import { link, route } from './route.svelte';

/** Whether a file's name or type is that of a bundle. What is in it decides later. */
function looksLikeBundle({ name, type }: { readonly name: string; readonly type: string }): boolean {
  return /\.(zip|json)$/i.test(name) || type === 'application/zip' || type === 'application/json';
}

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
  /** The page that `refused` is told on. */
  #page = '';
  readonly #turns = new InTurn<File>((file) => this.#import(file));

  /** Checks and imports each, one after the other; what is dropped meanwhile comes after. */
  async take(files: readonly File[]): Promise<void> {
    if (!this.#turns.busy) {
      this.refused = [];
      this.checked = [];
    }
    this.#page = route.page;
    if (files.length === 0) this.#refuse('What was dropped', null);
    if (!(await this.#turns.add(files))) return;
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
  }

  async #import(file: File): Promise<void> {
    if (!looksLikeBundle(file)) {
      this.#refuse(outside(file.name), null);
      return;
    }
    this.busy = outside(file.name);
    try {
      const checked = await importFile(file);
      if (checked.result.findings.some(({ code }) => code === 'bundle_foreign'))
        this.#refuse(checked.name, null);
      else this.checked = [...this.checked, checked];
    } catch (thrown) {
      this.#refuse(outside(file.name), failureOf(thrown));
    }
  }

  #refuse(name: string, failure: WorkerError | null): void {
    const foreign = { code: 'drop_foreign', message: 'What was dropped is no bundle of this site.' };
    this.refused = [...this.refused, { name, failure: failure ?? failureOf(foreign) }];
  }
}

export const dropped = new Dropped();
