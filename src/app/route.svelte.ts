/**
 * The whole view lives in the hash: `#/png-representation/judge?v=1&state=3`. First segment the page, second the
 * section, the rest the view. Unknown keys are kept as they are, so a newer link survives an older page.
 */
const VERSION = '1';

interface Place {
  readonly page: string;
  readonly section: string;
  readonly query: URLSearchParams;
}

export type Changes = Readonly<Record<string, string | null>>;

function parse(hash: string): Place {
  const text = hash.replace(/^#\/?/, '');
  const mark = text.indexOf('?');
  const path = mark < 0 ? text : text.slice(0, mark);
  const [page = '', section = ''] = path.split('/');
  return { page, section, query: new URLSearchParams(mark < 0 ? '' : text.slice(mark + 1)) };
}

function merge(query: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(key);
    else next.set(key, value);
  }
  next.delete('v');
  if (next.size > 0) next.set('v', VERSION);
  return next;
}

function text(page: string, section: string, query: URLSearchParams): string {
  const path = [page, section].filter((part) => part !== '').join('/');
  // Readable links: these characters need no escape in a fragment.
  const view = query.toString().replace(/%3A/g, ':').replace(/%2C/g, ',').replace(/%2F/g, '/');
  return `#/${path}${view === '' ? '' : `?${view}`}`;
}

class Route {
  #place: Place = $state.raw(parse(location.hash));

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
    const version = this.#place.query.get('v');
    return version !== null && Number(version) > Number(VERSION);
  }

  /** A link to this page's section with the present view. */
  to(section: string, changes: Changes = {}): string {
    return text(this.page, section, merge(this.#place.query, changes));
  }

  /** Changes the view where it stands: no history entry, no scrolling. */
  set(changes: Changes): void {
    // The address names one run: by its name, or by the bundle that it came in.
    const named = 'run' in changes && !('bundle' in changes) ? { ...changes, bundle: null } : changes;
    const query = merge(this.#place.query, named);
    history.replaceState(history.state, '', text(this.page, this.section, query));
    this.#read();
  }

  #read(): void {
    this.#place = parse(location.hash);
  }
}

export const route = new Route();

/** A link to another page, with a view of its own. */
export function link(page: string, section = '', view: Changes = {}): string {
  return text(page, section, merge(new URLSearchParams(), view));
}
