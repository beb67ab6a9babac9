import type { BundleManifest } from '../../bundle/reader';
import { canonicalJson } from '../../identity/canonical';
import type { Json } from '../../identity/json';
import { type Files, manifestOf } from './forge';

/** One change of one place. `where` is `file`, or `file line n pointer`, or `file pointer`. */
export interface Mutation {
  readonly where: string;
  readonly how: string;
  /** Null where the place does not allow this change. */
  apply(): {
    readonly files: Files;
    readonly manifest: BundleManifest;
    rewrite?: (text: string) => string;
  } | null;
}

const utf8 = new TextEncoder();
const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

type Path = readonly (string | number)[];

/** Every value of a JSON value with its path, containers too. */
function* places(value: Json, path: Path = []): Iterable<{ path: Path; value: Json }> {
  yield { path, value };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value))
    yield* places(inner as Json, [...path, Array.isArray(value) ? Number(key) : key]);
}

/** The value with another one at the path; undefined takes the member away. */
function replaced(value: Json, path: Path, by: Json | undefined): Json {
  const [key, ...rest] = path;
  if (key === undefined) return by ?? null;
  if (Array.isArray(value)) {
    const items = [...value] as Json[];
    if (rest.length === 0 && by === undefined) items.splice(Number(key), 1);
    else items[Number(key)] = replaced(items[Number(key)] ?? null, rest, by);
    return items;
  }
  const { [key]: inner, ...others } = value as { [name: string]: Json };
  if (rest.length === 0 && by === undefined) return others;
  // The member keeps its place, so that a file in another order of keys stays in it.
  return Object.fromEntries(
    Object.entries(value as object).map(([name, one]) => [
      name,
      name === key ? replaced(inner ?? null, rest, by) : (one as Json),
    ]),
  );
}

/** Another value of the same kind: a digit for a digit, a letter for a letter, so that no schema refuses it at once. */
function another(value: Json, at: number): Json {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (value === null) return 0;
  if (typeof value === 'string') {
    if (value === '') return 'x';
    const place = at % value.length;
    const old = value[place] ?? '';
    const next = /[0-8a-eA-Eg-yG-Y]/.test(old)
      ? String.fromCharCode(old.charCodeAt(0) + 1)
      : old === '9'
        ? '0'
        : old === 'f'
          ? 'a'
          : '_';
    return value.slice(0, place) + (next === old ? '-' : next) + value.slice(place + 1);
  }
  return Array.isArray(value) ? [...(value as Json[]), 0] : { ...value, added: 0 };
}

/** Texts of a number or of white space that mean the same and are not ours. */
const FORMS: readonly (readonly [how: string, change: (text: string) => string])[] = [
  ['CRLF', (text) => text.replace(/\n$/, '\r\n')],
  ['a trailing blank', (text) => text.replace(/\n$/, ' \n')],
  ['a blank after a colon', (text) => text.replace('":', '": ')],
  ['1.0 for 1', (text) => text.replace(/(":)(\d+)(?=[,}])/, '$1$2.0')],
  ['1e0 for 1', (text) => text.replace(/(":)(\d+)(?=[,}])/, '$1$2e0')],
  ['-0 for 0', (text) => text.replace(/(":)0(?=[,}])/, '$1-0')],
  [
    'an escaped letter',
    (text) => text.replace(/"([a-z])/, (_, c) => `"\\u00${c.charCodeAt(0).toString(16)}`),
  ],
];

/** Every change of one place of a bundle, `at` choosing among the characters of a text. */
export function* mutations(files: Files, at: number): Iterable<Mutation> {
  const manifest = manifestOf(files);
  for (const [path, bytes] of files) {
    if (path === 'pixelproof.json') continue;
    const withText = (text: string) => ({ files: new Map(files).set(path, utf8.encode(text)), manifest });
    if (!/\.jsonl?$/.test(path)) {
      yield {
        where: path,
        how: 'one byte',
        apply: () => {
          const copy = bytes.slice();
          const place = at % Math.max(1, copy.length);
          copy[place] = (copy[place] ?? 0) ^ 1;
          return { files: new Map(files).set(path, copy), manifest };
        },
      };
      continue;
    }
    const text = decode(bytes);
    const lines = path.endsWith('.jsonl') ? text.split(/(?<=\n)/).filter((line) => line !== '') : [text];
    for (const [number, line] of lines.entries()) {
      const where = path.endsWith('.jsonl') ? `${path} line ${number + 1}` : path;
      const put = (changed: string) => withText(lines.with(number, changed).join(''));
      for (const [how, change] of FORMS)
        yield { where, how, apply: () => (change(line) === line ? null : put(change(line))) };
      yield* valueMutations(JSON.parse(line) as Json, where, at, (value) =>
        put(`${line.startsWith('{\n') ? JSON.stringify(value, null, 2) : canonicalJson(value)}\n`),
      );
    }
  }
  for (const [how, change] of FORMS) {
    yield {
      where: 'pixelproof.json',
      how,
      apply: () => ({ files, manifest, rewrite: change }),
    };
  }
  yield* valueMutations(manifest as unknown as Json, 'pixelproof.json', at, (value) => {
    const changed = value as unknown as BundleManifest;
    // Without its list of files or its plan there is nothing whose digests could be computed anew.
    return Array.isArray(changed.files) && typeof changed.plan === 'object' && changed.plan !== null
      ? { files, manifest: changed }
      : null;
  });
}

function* valueMutations(
  value: Json,
  where: string,
  at: number,
  put: (value: Json) => ReturnType<Mutation['apply']>,
): Iterable<Mutation> {
  for (const { path, value: old } of places(value)) {
    const name = path.length === 0 ? where : `${where} /${path.join('/')}`;
    yield { where: name, how: 'another value', apply: () => put(replaced(value, path, another(old, at))) };
    if (path.length > 0)
      yield { where: name, how: 'taken away', apply: () => put(replaced(value, path, undefined)) };
  }
}
