import { PixelproofError } from '../errors';

/** What an address of a server must be. */
export const BASE_URL_FORM =
  'http:// or https://, a host and perhaps a port and a path: http://localhost:11434';

/** Why a text is no server's address, as the end of a sentence; null where it is one. */
export function baseUrlFault(text: string): string | null {
  if (!/^https?:\/\//i.test(text)) return 'it does not begin with http:// or https://';
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return 'its host or port cannot be read';
  }
  if (url.username !== '' || url.password !== '')
    return 'it holds a name or a password, which would be exported';
  if (url.search !== '' || url.hash !== '') return 'it has a query or a fragment';
  return /\s/.test(text) ? 'it has white space in it' : null;
}

/** The address without trailing slashes. Throws `provider_settings`, which quotes no name and no password. */
export function requireBaseUrl(text: string): string {
  const address = text.trim().replace(/\/+$/, '');
  const wrong = baseUrlFault(address);
  if (wrong === null) return address;
  throw new PixelproofError('provider_settings', `The base URL is no server's address: ${wrong}.`, {
    expected: BASE_URL_FORM,
    got: shownUrl(text),
  });
}

/** An address as it may be shown and kept: without what may be a secret in it. */
export function shownUrl(text: string): string {
  return text.replace(/\/\/[^/?#]*@/, '//…@').replace(/[?#].*$/s, (rest) => `${rest[0]}…`);
}

/** A path below an address. Many write the address of a chat server with `/v1`, which the path has already. */
export function urlOf(baseUrl: string, path: string): string {
  const first = /^\/[^/]+/.exec(path)?.[0] ?? '/';
  return (baseUrl.endsWith(first) ? baseUrl.slice(0, -first.length) : baseUrl) + path;
}
