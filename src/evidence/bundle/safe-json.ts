import { PixelproofError } from '../../errors';
import type { Json, JsonObject } from '../identity/json';
import { parsePythonJson } from '../identity/python-json-parse';
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
 * Parses JSON that came from outside. Throws `json_syntax` (with the place and what was expected there), `json_number`
 * for a number too large for a float, `json_depth` (above 64 levels), `json_forbidden_key` and `json_duplicate_key`: where a key comes twice, two readers may take two values, so one digest would stand for
 * two contents.
 */
export function parseJson(text: string, where: string): Json {
  checkKeys(text, where);
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw syntax(text, where, cause);
  }
  checkNumbers(value, where);
  return value;
}

/** `JSON.parse` reads 1e400 as infinity, which no record can hold. */
function checkNumbers(value: Json, where: string): void {
  const waiting: Json[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'number' && !Number.isFinite(next)) {
      throw new PixelproofError('json_number', `${where} has a number that is too large for a float.`, {
        expected: 'numbers up to 1.7976931348623157e308',
        got: String(next),
      });
    }
    if (typeof next === 'object' && next !== null)
      for (const inner of Object.values(next)) waiting.push(inner);
  }
}

export function parseObject(text: string, where: string): JsonObject {
  const value = parseJson(text, where);
  if (!isObject(value))
    throw new PixelproofError('json_not_object', `${where} is JSON, but not an object.`, {
      expected: 'one JSON object',
      got: value,
    });
  return value;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Above this length a fault is named without its place: finding it takes another walk over the whole text. */
const EXPLAINED = 4 * 1024 * 1024;

/** `JSON.parse` words its faults differently in each engine; our own reader says where, what it expected, what came. */
function syntax(text: string, where: string, cause?: unknown): PixelproofError {
  let said: PixelproofError | null = null;
  try {
    if (text.length <= EXPLAINED) parsePythonJson(text);
  } catch (error) {
    if (error instanceof PixelproofError) said = error;
  }
  return new PixelproofError(
    'json_syntax',
    `${where} is not valid JSON${said === null ? '.' : `: ${said.message}`}`,
    {
      expected: said?.expected ?? 'one JSON value',
      got: said?.got ?? text.slice(0, 80),
      cause,
    },
  );
}

const [QUOTE, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY, COLON] = [34, 123, 125, 91, 93, 58];
const WORDS = ['true', 'false', 'null'];

/**
 * Walks brackets, strings and words only; `JSON.parse` judges the rest. A stack of keys stands for recursion. By codes,
 * because a text may be 256 MiB; text that is no JSON ends the walk where it begins.
 */
function checkKeys(text: string, where: string): void {
  /** The keys seen in each open object; null for an array. */
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      open.push(code === OPEN_OBJECT ? new Set() : null);
      if (open.length > LIMITS.jsonDepth) {
        throw new PixelproofError('json_depth', `${where} is nested too deeply.`, {
          expected: LIMITS.jsonDepth,
        });
      }
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      open.pop();
    } else if (code === QUOTE) {
      const end = endOfString(text, at, where);
      const keys = open.at(-1);
      if (keys && isKey(text, end + 1)) checkKey(keys, text.slice(at, end + 1), text, where);
      at = end;
    } else if (code > COLON && !isExponent(text, at)) {
      const word = WORDS.find((one) => text.startsWith(one, at));
      if (word === undefined) throw syntax(text, where);
      at += word.length - 1;
    }
  }
}

/** The `e` of a number. */
function isExponent(text: string, at: number): boolean {
  const [code, before] = [text.charCodeAt(at), text.charCodeAt(at - 1)];
  return (code === 101 || code === 69) && before >= 48 && before <= 57;
}

function endOfString(text: string, start: number, where: string): number {
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1) throw syntax(text, where);
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 92) slashes += 1;
    if (slashes % 2 === 0) return quote;
    at = quote + 1;
  }
}

function isKey(text: string, after: number): boolean {
  let at = after;
  for (let code = text.charCodeAt(at); isBlank(code); code = text.charCodeAt(at)) at += 1;
  return text.charCodeAt(at) === COLON;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

function checkKey(keys: Set<string>, literal: string, text: string, where: string): void {
  let key: unknown;
  try {
    key = JSON.parse(literal);
  } catch (cause) {
    throw syntax(text, where, cause);
  }
  if (typeof key !== 'string') throw syntax(text, where);
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
