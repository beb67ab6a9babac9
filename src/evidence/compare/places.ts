import { canonicalJson } from '../identity/canonical';
import type { Json } from '../identity/json';

/** One place where two JSON values differ. `a` and `b` are canonical JSON, null where one side has nothing there. */
export interface Place {
  /** JSONPath (RFC 9535) from the value's root: `$.prompt.text`, `$.arms[3]`, `$['a b']`. */
  readonly path: string;
  readonly a: string | null;
  readonly b: string | null;
}

/** The longest text that a side quotes, in UTF-16 units, and how much of it stands before the first difference. */
const LONGEST = 400;
const BEFORE = 80;

/** The innermost places where two JSON values differ, in the order of `a`'s keys; lazily and without recursion. */
export function* differingPlaces(a: Json, b: Json): Iterable<Place> {
  const waiting: [string, Json | undefined, Json | undefined][] = [['$', a, b]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, left, right] = next;
    const [from, to] = [textOf(left), textOf(right)];
    if (from === to) continue;
    if (isContainer(left) && isContainer(right) && Array.isArray(left) === Array.isArray(right)) {
      const [mine, theirs] = [new Map(Object.entries(left)), new Map(Object.entries(right))];
      const list = Array.isArray(left);
      for (const key of [...new Set([...mine.keys(), ...theirs.keys()])].reverse())
        waiting.push([path + segment(key, list), mine.get(key), theirs.get(key)]);
    } else yield { path, ...quoted(from, to) };
  }
}

/** Both sides, cut where they are long, so that the first difference between them is in what is left. */
export function quoted(
  a: string | null,
  b: string | null,
): { readonly a: string | null; readonly b: string | null } {
  if ((a?.length ?? 0) <= LONGEST && (b?.length ?? 0) <= LONGEST) return { a, b };
  let same = 0;
  if (a !== null && b !== null) while (same < a.length && a[same] === b[same]) same += 1;
  const start = Math.max(0, same - BEFORE);
  return { a: cut(a, start), b: cut(b, start) };
}

function cut(text: string | null, start: number): string | null {
  if (text === null || (start === 0 && text.length <= LONGEST)) return text;
  const part = text.slice(start, start + LONGEST).toWellFormed();
  const left = start + LONGEST < text.length;
  return `${start > 0 ? '…' : ''}${part}${left ? '…' : ''} (${text.length} characters)`;
}

function segment(key: string, list: boolean): string {
  if (list) return `[${key}]`;
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) return `.${key}`;
  return `['${key.replace(/['\\]/g, '\\$&')}']`;
}

function isContainer(value: Json | undefined): value is readonly Json[] | { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null;
}

function textOf(value: Json | undefined): string | null {
  return value === undefined ? null : canonicalJson(value);
}
