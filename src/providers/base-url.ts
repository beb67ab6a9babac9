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
