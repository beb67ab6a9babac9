import type { WorkerError } from '../../workers/api';
import { failureOf } from './failure';
import { type CheckedBundle, importFile } from './import-file';
import { link } from './route.svelte';

/** Whether a file's name or type is that of a bundle. What is in it decides later. */
function looksLikeBundle({ name, type }: { readonly name: string; readonly type: string }): boolean {
  return /\.(zip|json)$/i.test(name) || type === 'application/zip' || type === 'application/json';
}

/** A file that was dropped on a page outside of the page's own fields. */
class Dropped {
  /** Name of the file that is being checked. */
  busy: string | null = $state(null);
  /** The last one that was a bundle, whole or not: the Evidence page shows it. */
  checked: CheckedBundle | null = $state.raw(null);
  /** Why the last one was none. */
  refused: { readonly name: string; readonly failure: WorkerError } | null = $state.raw(null);

  async take(files: readonly File[]): Promise<void> {
    if (this.busy !== null) return;
    this.refused = null;
    const file = files.find(looksLikeBundle);
    if (file === undefined) {
      this.#refuse(files[0]?.name ?? 'What was dropped', null);
      return;
    }
    this.busy = file.name;
    try {
      const checked = await importFile(file);
      // The page that somebody works on is left only for what is a bundle.
      if (checked.result.findings.some(({ code }) => code === 'bundle_foreign'))
        this.#refuse(file.name, null);
      else {
        this.checked = checked;
        location.hash = link('evidence');
      }
    } catch (thrown) {
      this.#refuse(file.name, failureOf(thrown));
    } finally {
      this.busy = null;
    }
  }

  dismiss(): void {
    this.refused = null;
  }

  #refuse(name: string, failure: WorkerError | null): void {
    const foreign = { code: 'drop_foreign', message: 'What was dropped is no bundle of this site.' };
    this.refused = { name, failure: failure ?? failureOf(foreign) };
  }
}

export const dropped = new Dropped();
