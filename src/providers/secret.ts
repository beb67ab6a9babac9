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

/** A key's encodings are looked for from this length on; shorter ones would match words of nobody's key. */
const ENCODED_LENGTH = 8;
/** A backslash, also one that is written as an escape, and the run of them that nested JSON makes of one. */
const SLASHES = String.raw`(?:\\(?:u005[cC])?){1,8}`;

/**
 * Takes a key out of a text that came from outside: a server may echo what it was sent, and no echo may enter evidence.
 * Each character also counts as its JSON escape, in a JSON text inside another too, as its percent escape and as its
 * character reference, so that decoding the text again does not bring the key back. So do the key's bytes in hexadecimal
 * and in base64 of either alphabet, alone or within a longer text such as `Bearer KEY`.
 */
export function redact(text: string, key: string | null): string {
  if (key === null) return text;
  const plain = text.replace(new RegExp(Array.from(key, formsOf).join(''), 'g'), REDACTED);
  if (key.length < ENCODED_LENGTH) return plain.replaceAll(btoa(key), REDACTED);
  const hex = Array.from(key, (character) => anyCase(hexOf(character))).join('');
  return [...[0, 1, 2].map((before) => base64Shape(key, before)), hex].reduce(
    (left, shape) => left.replace(new RegExp(shape, 'g'), REDACTED),
    plain,
  );
}

/** Every way of writing one character, the longer first: a percent sign is also how its own escape begins. */
function formsOf(character: string): string {
  const code = anyCase(hexOf(character));
  const plain = character.replace(/[^A-Za-z0-9]/, '\\$&');
  const slashed = /["/\\]/.test(character) ? `|${SLASHES}${plain}` : '';
  const reference = `&#(?:[xX]0{0,4}${code}|0{0,4}${character.charCodeAt(0)});`;
  return `(?:${SLASHES}u00${code}|%(?:25){0,3}${code}|${reference}${slashed}|${plain})`;
}

/**
 * The key in the base64 of a text that has `before` bytes more in front of it, counted modulo 3. The digits at both ends
 * that the key shares with its neighbours go with it, so that no bit of it stays.
 */
function base64Shape(key: string, before: number): string {
  const whole = btoa(`${'\0'.repeat(before)}${key}`);
  const from = Math.ceil((before * 8) / 6);
  const to = Math.floor(((before + key.length) * 8) / 6);
  const digits = Array.from(whole.slice(from, to), (digit) => {
    if (digit === '+') return `(?:-|${formsOf('+')})`;
    return digit === '/' ? `(?:_|${formsOf('/')})` : digit;
  });
  const shared = '[A-Za-z0-9+/_-]?';
  const last = (before + key.length) % 3 === 0 ? '' : shared;
  return `${before === 0 ? '' : shared}${digits.join('')}${last}(?:=|%3[dD]){0,2}`;
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16);
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
