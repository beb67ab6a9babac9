import { addressOf, type Changes, isNewer, merge, type Place, placeOf } from './address';

class Route {
  #place: Place = $state.raw(placeOf(location.hash));

  constructor() {
    addEventListener('hashchange', () => this.#read());
    addEventListener('popstate', () => this.#read());
  }

  get page(): string {
    return this.#place.page;
  }
  get section(): string {
    return this.#place.section;
  }
  /** One key of the view, or null. */
  get(key: string): string | null {
    return this.#place.query.get(key);
  }
  /** True when the link says it was made by a newer version of this page. */
  get newer(): boolean {
    return isNewer(this.#place.query);
  }

  /** A link to this page's section with the present view. */
  to(section: string, changes: Changes = {}): string {
    return addressOf(this.page, section, merge(this.#place.query, changes));
  }

  /** A link to another page with a view of its own, which warns as this one does when a newer version made it. */
  at(page: string, section: string, view: Changes): string {
    const version = this.newer ? { v: this.get('v') ?? '' } : {};
    return addressOf(page, section, merge(new URLSearchParams(version), view));
  }

  /** Changes the view where it stands: no history entry, no scrolling. */
  set(changes: Changes): void {
    // The address names one run: by its name, or by the bundle that it came in.
    const named = 'run' in changes && !('bundle' in changes) ? { ...changes, bundle: null } : changes;
    const query = merge(this.#place.query, named);
    history.replaceState(history.state, '', addressOf(this.page, this.section, query));
    this.#read();
  }

  #read(): void {
    this.#place = placeOf(location.hash);
  }
}

export const route = new Route();

/** A link to another page, with a view of its own. */
export function link(page: string, section = '', view: Changes = {}): string {
  return addressOf(page, section, merge(new URLSearchParams(), view));
}
