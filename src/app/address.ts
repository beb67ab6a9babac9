/**
 * The whole view lives in the hash: `#/png-representation/judge?v=1&state=3`. First segment the page, second the
 * section, the rest the view. Unknown keys are kept as they are, so a newer link survives an older page.
 */
const VERSION = '1';

export interface Place {
  readonly page: string;
  readonly section: string;
  readonly query: URLSearchParams;
}

export type Changes = Readonly<Record<string, string | null>>;

export function placeOf(hash: string): Place {
  const text = hash.replace(/^#\/?/, '');
  const mark = text.indexOf('?');
  const path = mark < 0 ? text : text.slice(0, mark);
  const [page = '', section = ''] = path.split('/');
  return { page, section, query: new URLSearchParams(mark < 0 ? '' : text.slice(mark + 1)) };
}

/** Whether a view was written by a newer version of this site. */
export function isNewer(query: URLSearchParams): boolean {
  return Number(query.get('v') ?? VERSION) > Number(VERSION);
}

/** The view with these keys changed. It keeps a newer version's mark: a copy of the link warns as the link does. */
export function merge(query: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(key);
    else next.set(key, value);
  }
  next.delete('v');
  if (isNewer(query)) next.set('v', query.get('v') ?? VERSION);
  else if (next.size > 0) next.set('v', VERSION);
  return next;
}

export function addressOf(page: string, section: string, query: URLSearchParams): string {
  const path = [page, section].filter((part) => part !== '').join('/');
  // Readable links: these characters need no escape in a fragment.
  const view = query.toString().replace(/%3A/g, ':').replace(/%2C/g, ',').replace(/%2F/g, '/');
  return `#/${path}${view === '' ? '' : `?${view}`}`;
}
