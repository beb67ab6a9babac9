import type { WorkerError } from '../../workers/api';
import { SMOKE_RUNS } from '../lab/smoke-runs';
import { outside } from '../outside-words';
import type { RunHeader } from '../runner/experiment';
import { announcer } from './announce.svelte';
import { failureOf } from './failure';
import { type CheckedBundle, keptWords } from './import-file';
import { route } from './route.svelte';
import { tellStored } from './stored-news';
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
  /** Its run was deleted since. */
  removed = $state(false);
  #asked: string | null = null;
  /** What was asked for last is shown, whatever arrives first. */
  #attempt = 0;

  /** The path in the address, on a page that shows runs. */
  get path(): string | null {
    return PAGES.has(route.page) ? route.get('bundle') : null;
  }
  /** The page waits for its run. */
  get waiting(): boolean {
    return this.path !== null && (this.path !== this.#settled || this.#elsewhere !== null);
  }
  /** What the address names did not come, or does not verify. */
  get failed(): boolean {
    return this.path !== null && (this.failure !== null || this.checked?.result.ok === false);
  }
  /** The page of the run, where the address names that of another experiment. */
  get #elsewhere(): string | null {
    const own = this.header?.experiment ?? null;
    if (this.path === null || own === null || !PAGES.has(own)) return null;
    return route.page === 'evidence' || route.page === own ? null : own;
  }

  /** Called whenever the page or `path` may have changed. */
  async follow(): Promise<void> {
    const { path } = this;
    if (path === null) this.#left();
    else if (path !== this.#asked) await this.#open(path);
    else this.#toItsPage();
  }

  /** Fetches again what did not arrive, did not verify, or was deleted here. */
  async retry(): Promise<void> {
    this.#forget();
    await this.follow();
  }

  /** A run was deleted from this browser. */
  forgetRun(run: string): void {
    if (this.header?.run !== run) return;
    if (this.path === null) this.#forget();
    else {
      this.#clear();
      this.removed = true;
    }
  }

  /** Another tab deleted a run, perhaps from what this one shows. */
  async checkRun(run: string): Promise<void> {
    if (this.header?.run !== run) return;
    // A store that cannot be read says so where it is asked for more.
    const header = await runner()
      .header(run)
      .catch(() => this.header);
    if (header === null) this.forgetRun(run);
  }

  async #open(path: string): Promise<void> {
    this.#attempt += 1;
    const mine = this.#attempt;
    this.#asked = path;
    this.#clear();
    try {
      const { result, header, already } = await runner().importLinked(path, location.href);
      if (header !== null && !already) tellStored();
      if (mine !== this.#attempt) return;
      this.header = header;
      this.before = result === null;
      if (result !== null)
        this.checked = { name: outside(path), result, header, note: keptWords(result.ok, already) };
      announcer.say(header === null ? `${outside(path)} does not verify.` : `${outside(path)} is open.`);
    } catch (thrown) {
      if (mine !== this.#attempt) return;
      this.failure = failureOf(thrown);
    }
    this.#settled = path;
    this.#toItsPage();
  }

  /** The link is no longer in the address. Opened again, one that did not lead to its run is fetched anew. */
  #left(): void {
    if (this.#settled !== null && this.#settled === this.#asked && (this.header === null || this.before))
      this.#forget();
  }

  #forget(): void {
    this.#attempt += 1;
    this.#asked = null;
    this.#settled = null;
    this.#clear();
  }

  #clear(): void {
    this.header = null;
    this.checked = null;
    this.failure = null;
    this.before = false;
    this.removed = false;
  }

  #toItsPage(): void {
    const own = this.#elsewhere;
    if (own === null || this.path === null) return;
    location.replace(route.at(own, route.section, { bundle: this.path }));
  }
}

export const linked = new Linked();

/** The run that the address names, by its name or by a bundle; null for none. */
export function namedRun(): string | null {
  return (linked.path === null ? null : linked.header?.run) ?? route.get('run');
}
