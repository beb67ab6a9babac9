import { PixelproofError } from '../errors';

const REDACTED = '[REDACTED]';

/** How a server wants a key. Never in an address: addresses are logged and exported. */
export type Auth = 'bearer' | 'x-api-key' | 'x-goog-api-key';

/**
 * A key as it can be sent, null for none. A key is one line of visible ASCII; anything else would be refused by HTTP with
 * the key in the error's text. Throws `provider_settings`, which never quotes it.
 */
export function usableKey(key: string | null): string | null {
  const trimmed = key?.trim() ?? '';
  if (trimmed === '') return null;
  if (/^[\x21-\x7e]{8,}$/.test(trimmed)) return trimmed;
  throw new PixelproofError('provider_settings', 'The key is not one that can be sent.', {
    expected: '8 or more visible ASCII characters without a space',
    got: `${trimmed.length} characters`,
  });
}

export function authHeaders(auth: Auth, key: string | null): Readonly<Record<string, string>> {
  if (key === null) return {};
  return auth === 'bearer' ? { authorization: `Bearer ${key}` } : { [auth]: key };
}

/**
 * Takes a key out of a text that came from outside: a server may echo what it was sent, and no echo may enter evidence.
 * Each character also counts as its JSON or percent escape, so that decoding the text again does not bring the key back.
 */
export function redact(text: string, key: string | null): string {
  if (key === null) return text;
  const forms = Array.from(key, (character) => {
    const code = character.charCodeAt(0).toString(16);
    const plain = character.replace(/[^A-Za-z0-9]/, '\\$&');
    const slashed = /["/\\]/.test(character) ? `|\\\\${plain}` : '';
    // The longer forms first: a percent sign is also how its own escape begins.
    return `(?:\\\\u00${anyCase(code)}|%${anyCase(code)}${slashed}|${plain})`;
  });
  const shape = new RegExp(forms.join(''), 'g');
  return text.replace(shape, REDACTED).replaceAll(btoa(key), REDACTED);
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
