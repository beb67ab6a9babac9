import { PixelproofError } from '../../src/errors';
import { containerBegun, HEAD_BYTES } from '../../src/evidence/bundle';

/** Which run a link opened, by the link's address: without a network the link still opens the run that is stored. */
const OPENED = 'pixelproof-linked-runs';

/**
 * The address that a link's `bundle=` names: relative to the folder of the site, or absolute at the site's own origin.
 * Throws `link_address` for what is no address of a file, `link_origin` for one of another origin; neither is fetched.
 */
export function bundleAddress(path: string, site: string): URL {
  const folder = new URL('.', site);
  let address: URL;
  try {
    address = new URL(path, folder);
  } catch (cause) {
    throw new PixelproofError('link_address', 'The link names no file beside this site.', {
      got: path,
      cause,
    });
  }
  // A blob has an origin too, and is of one tab.
  if (address.origin !== folder.origin || address.protocol !== folder.protocol) {
    throw new PixelproofError(
      'link_origin',
      'The link names a bundle of another site. It was not fetched: download it yourself and import the file.',
      { expected: folder.origin, got: address.origin === 'null' ? address.protocol : address.origin },
    );
  }
  if (address.username !== '' || address.password !== '') {
    throw new PixelproofError('link_address', 'The link names no file beside this site.', {
      expected: 'an address without a name and a password',
    });
  }
  address.hash = '';
  return address;
}

/**
 * The bytes of a bundle of this site, at most `limit` of them; of what begins as no bundle only the beginning. Throws
 * `link_missing`, `link_redirected`, `link_unreachable`, `bundle_too_large`.
 */
export async function fetchBundle(
  address: URL,
  limit: number,
  fetcher: typeof fetch = fetch,
): Promise<Uint8Array<ArrayBuffer>> {
  let response: Response;
  try {
    // A redirect could lead to another origin, so none is followed.
    response = await fetcher(address, { credentials: 'same-origin', redirect: 'manual', cache: 'no-cache' });
  } catch (cause) {
    throw unreachable(address, messageOf(cause), cause);
  }
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    throw new PixelproofError(
      'link_redirected',
      'The server sends this link elsewhere, and that is not followed.',
      {
        got: address.pathname,
      },
    );
  }
  // Only these two say that the file is not there; any other failure is the host's, and may pass.
  const gone = response.status === 404 || response.status === 410;
  if (!response.ok && !gone) throw unreachable(address, `HTTP ${response.status}`);
  // Hosts of one-page sites give their page for whatever is not there.
  const type = response.headers.get('content-type') ?? '';
  if (gone || type.startsWith('text/html')) {
    throw new PixelproofError(
      'link_missing',
      'There is no bundle at the address of this link. Ask whoever sent it; the file may have been moved.',
      { expected: address.pathname, got: response.ok ? 'a page' : `HTTP ${response.status}` },
    );
  }
  const length = Number(response.headers.get('content-length') ?? 0);
  if (length > limit) throw tooLarge(limit, length);
  return wholeBody(response, address, limit);
}

async function wholeBody(response: Response, address: URL, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body ?? []) {
      parts.push(part);
      size += part.length;
      if (size > limit) throw tooLarge(limit, size);
      if (parts.length === 1 && part.length >= HEAD_BYTES && containerBegun(part) === null) break;
    }
  } catch (cause) {
    if (cause instanceof PixelproofError) throw cause;
    throw unreachable(address, messageOf(cause), cause);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function tooLarge(expected: number, got: number): PixelproofError {
  return new PixelproofError(
    'bundle_too_large',
    'The file is too large to open here; use the command line.',
    {
      expected: `at most ${expected} bytes`,
      got,
    },
  );
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

function unreachable(address: URL, got: string, cause?: unknown): PixelproofError {
  return new PixelproofError(
    'link_unreachable',
    'The bundle of this link did not arrive. Check the connection and open the link again.',
    { expected: address.pathname, got, cause },
  );
}

/** Without storage a link is fetched each time, and nothing is lost but that. */
export async function noteOpened(address: URL, run: string): Promise<void> {
  try {
    await (await caches.open(OPENED)).put(address, new Response(run));
  } catch {
    return;
  }
}

export async function openedBefore(address: URL): Promise<string | null> {
  try {
    // Opening makes a cache where there is none, and who only reads leaves nothing behind.
    if (!(await caches.has(OPENED))) return null;
    return (await (await (await caches.open(OPENED)).match(address))?.text()) ?? null;
  } catch {
    return null;
  }
}
