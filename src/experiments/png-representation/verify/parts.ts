import { canonicalJson } from '../../../evidence/identity/canonical';
import type { Json, JsonObject } from '../../../evidence/identity/json';

export function* differingKeys(a: JsonObject, b: JsonObject): Iterable<string> {
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [x, y] = [a[key], b[key]];
    if (x === undefined || y === undefined || canonicalJson(x) !== canonicalJson(y)) yield key;
  }
}

export function brief(value: Json | undefined): string {
  if (value === undefined) return 'absent';
  return cut(typeof value === 'string' ? value : canonicalJson(value));
}

export function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
