import { canonicalJson } from '../identity/canonical';
import type { Json, JsonObject } from '../identity/json';

/** The longest text that a finding quotes, in UTF-16 units. */
const LONGEST = 400;

/** Keys that one side lacks, or whose values differ as canonical JSON. */
export function* differingKeys(a: JsonObject, b: JsonObject): Iterable<string> {
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [x, y] = [a[key], b[key]];
    if (x === undefined || y === undefined || canonicalJson(x) !== canonicalJson(y)) yield key;
  }
}

/** A side of a difference, as text that fits a line or two. */
export function brief(value: Json | undefined): string {
  if (value === undefined) return 'absent';
  return cut(typeof value === 'string' ? value : canonicalJson(value));
}

export function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}

/** The sides that there are: an absent one must not be a key. */
export function sides(expected: string | undefined, got: string | undefined) {
  return { ...(expected === undefined ? {} : { expected }), ...(got === undefined ? {} : { got }) };
}
