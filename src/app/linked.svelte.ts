import type { WorkerError } from '../../workers/api';
import { SMOKE_RUNS } from '../lab/smoke-runs';
import type { RunHeader } from '../runner/experiment';
import { announcer } from './announce.svelte';
import { failureOf } from './failure';
import { type CheckedBundle, keptWords } from './import-file';
import { link, route } from './route.svelte';
import { noteRun } from './visited';
import { runner } from './workers';

/** The pages that show runs. Every experiment has a smoke run; the list of experiments itself would import its importers. */
const PAGES: ReadonlySet<string> = new Set([
  'evidence',
  ...SMOKE_RUNS.map(({ request }) => request.experiment),
]);

/** The bundle that the address names (`bundle=runs/x.zip`): fetched from this site, checked, imported, shown. */
class Linked {
  /** What the address named when the rest of this was settled. */
  #settled: string | null = $state(null);
  header: RunHeader | null = $state.raw(null);
  checked: CheckedBundle | null = $state.raw(null);
  /** The file did not arrive, and the run is here from before. */
  before = $state(false);
  failure: WorkerError | null = $state.raw(null);
  #asked: string | null = null;

  /** The path in the address, on a page that shows runs. */
  get path(): string | null {
    return PAGES.has(route.page) ? route.get('bundle') : null;
  }
  /** The page waits for its run. */
  get waiting(): boolean {
    return this.path !== null && this.path !== this.#settled;
  }

  /** Called whenever `path` may have changed. */
  async follow(): Promise<void> {
    const { path } = this;
    if (path === null || path === this.#asked) return;
    this.#asked = path;
    this.header = null;
    this.checked = null;
    this.failure = null;
    this.before = false;
    try {
      const { result, header, already } = await runner().importLinked(path, location.href);
      if (this.#asked !== path) return;
      this.header = header;
      this.before = result === null;
      if (result !== null) this.checked = { name: path, result, header, note: keptWords(result.ok, already) };
      if (header !== null) noteRun();
      announcer.say(header === null ? `${path} does not verify.` : `${path} is open.`);
    } catch (thrown) {
      if (this.#asked !== path) return;
      this.failure = failureOf(thrown);
    }
    this.#settled = path;
    this.#toItsPage();
  }

  /** A link may have named the page of another experiment. */
  #toItsPage(): void {
    const { header, path } = this;
    if (header === null || path === null || route.page === 'evidence' || route.page === header.experiment)
      return;
    location.replace(link(header.experiment, route.section, { bundle: path }));
  }
}

export const linked = new Linked();

/** The run that the address names, by its name or by a bundle; null for none. */
export function namedRun(): string | null {
  return (linked.path === null ? null : linked.header?.run) ?? route.get('run');
}
