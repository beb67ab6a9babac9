import canonicalize from 'canonicalize';
import { PixelproofError } from '../../errors';
import type { Json, Sha256Id } from './json';
import { sha256 } from './sha256';

/** `JSON.stringify` writes half a surrogate pair as an escape, and nothing else as this one (RFC 8785, 3.2.2.2). */
const HALF_PAIR = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/**
 * RFC 8785 (JSON Canonicalization Scheme) text of a value: the form in which our own records are hashed. Keys in
 * UTF-16 code unit order, ECMAScript numbers. Not the form of ZeroModel identities: those distinguish integers
 * from floats (see python-json.ts).
 *
 * Throws `identity_not_json` for what JSON cannot hold: NaN, Infinity, undefined, lone surrogates.
 */
export function canonicalJson(value: Json): string {
  let text: string | undefined;
  try {
    text = canonicalize(value);
  } catch (cause) {
    throw new PixelproofError('identity_not_json', 'The value cannot be written as canonical JSON.', {
      cause,
    });
  }
  if (text === undefined || !text.isWellFormed() || HALF_PAIR.test(text)) {
    throw new PixelproofError('identity_not_json', 'The value cannot be written as canonical JSON.', {
      got: value,
    });
  }
  return text;
}

/** SHA-256 of the UTF-8 bytes of the RFC 8785 text. */
export function canonicalId(value: Json): Sha256Id {
  return sha256(canonicalJson(value));
}
