import { PixelproofError } from '../../errors';
import type { Json, JsonObject } from '../identity/json';
import { LIMITS } from './limits';

/** Keys that mean something to JavaScript objects. No record of ours has them; a hostile file might. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 text, byte order mark kept. Throws `bundle_utf8`. */
export function decodeUtf8(bytes: Uint8Array<ArrayBuffer>, where: string): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new PixelproofError('bundle_utf8', `${where} is not UTF-8 text.`, { cause });
  }
}

/**
 * Parses JSON that came from outside. Throws `json_syntax`, `json_depth` (above 64 levels), `json_forbidden_key`
 * and `json_duplicate_key`: where a key comes twice, two readers may take two values, so one digest would stand for
 * two contents.
 */
export function parseJson(text: string, where: string): Json {
  checkKeys(text, where);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw syntax(where, cause);
  }
}

export function parseObject(text: string, where: string): JsonObject {
  const value = parseJson(text, where);
  if (!isObject(value))
    throw new PixelproofError('json_syntax', `${where} is not a JSON object.`, { got: value });
  return value;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function syntax(where: string, cause?: unknown): PixelproofError {
  return new PixelproofError('json_syntax', `${where} is not valid JSON.`, { cause });
}

/** Walks brackets and strings only; `JSON.parse` judges the rest. A stack of keys stands for recursion. */
function checkKeys(text: string, where: string): void {
  /** The keys seen in each open object; null for an array. */
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : null);
      if (open.length > LIMITS.jsonDepth) {
        throw new PixelproofError('json_depth', `${where} is nested too deeply.`, {
          expected: LIMITS.jsonDepth,
        });
      }
    } else if (char === '}' || char === ']') {
      open.pop();
    } else if (char === '"') {
      const end = endOfString(text, at, where);
      const keys = open.at(-1);
      if (keys && isKey(text, end + 1)) checkKey(keys, text.slice(at, end + 1), where);
      at = end;
    }
  }
}

function endOfString(text: string, start: number, where: string): number {
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1) throw syntax(where);
    let slashes = 0;
    while (text[quote - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote;
    at = quote + 1;
  }
}

function isKey(text: string, after: number): boolean {
  let at = after;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return text[at] === ':';
}

function checkKey(keys: Set<string>, literal: string, where: string): void {
  let key: unknown;
  try {
    key = JSON.parse(literal);
  } catch (cause) {
    throw syntax(where, cause);
  }
  if (typeof key !== 'string') throw syntax(where);
  if (FORBIDDEN.has(key)) {
    throw new PixelproofError('json_forbidden_key', `${where} has a key that no record may have.`, {
      got: key,
    });
  }
  if (keys.has(key)) {
    throw new PixelproofError('json_duplicate_key', `${where} has the same key twice in one object.`, {
      got: key,
    });
  }
  keys.add(key);
}
