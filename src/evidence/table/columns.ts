import type { Json, JsonObject } from '../identity/json';
import type { CaseRecord } from '../run';

/** What a column holds. `json` where cases disagree about the kind, or where it is a list. */
export type ColumnKind = 'boolean' | 'int32' | 'int64' | 'double' | 'text' | 'json';

export interface Column {
  /** Path joined by `_`, unique in the table. */
  readonly name: string;
  readonly kind: ColumnKind;
  readonly from: 'evidence' | 'detail';
  readonly path: readonly string[];
}

/** A value as the writer takes it; of a `json` column any JSON value. */
export type Cell = Json | bigint;

/** Below this many steps an object is written as JSON, so that a strange record cannot make a table of any width. */
const DEPTH = 6;
const MOST_COLUMNS = 1000;

interface Seen {
  readonly from: Column['from'];
  readonly path: readonly string[];
  kind: ColumnKind | null;
}

/** Learns the columns of a run, case by case; every value of every case has a place afterwards. */
export class ColumnFinder {
  readonly #seen = new Map<string, Seen>();

  add({ evidence, detail }: CaseRecord): void {
    this.#object('evidence', [], evidence);
    this.#object('detail', [], detail);
  }

  #object(from: Column['from'], path: readonly string[], value: JsonObject): void {
    for (const [key, inner] of Object.entries(value)) {
      const at = [...path, key];
      if (isObject(inner) && at.length < DEPTH) this.#object(from, at, inner);
      else this.#leaf(from, at, inner);
    }
  }

  #leaf(from: Column['from'], path: readonly string[], value: Json): void {
    const id = JSON.stringify([from, ...path]);
    const seen = this.#seen.get(id);
    const kind = value === null ? null : kindOf(value);
    if (seen !== undefined) seen.kind = joined(seen.kind, kind);
    else if (this.#seen.size < MOST_COLUMNS) this.#seen.set(id, { from, path, kind });
  }

  /**
   * In the order in which they were met. A place that is an object in one case and a value in another is both; one that is
   * an object or null has columns for its parts alone.
   */
  columns(): readonly Column[] {
    const taken = new Set(['arm', 'ordinal', 'outcome']);
    const objects = new Set(
      [...this.#seen.values()].flatMap(({ from, path }) =>
        path.slice(1).map((_, at) => JSON.stringify([from, ...path.slice(0, at + 1)])),
      ),
    );
    const kept = [...this.#seen].filter(([id, { kind }]) => kind !== null || !objects.has(id));
    return kept.map(([, { from, path, kind }]) => {
      const plain = [from, ...path].join('_').replaceAll(/[^A-Za-z0-9_]/g, '_');
      let name = plain;
      for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${plain}_${number}`;
      // Spark and DuckDB take names without regard to case.
      taken.add(name.toLowerCase());
      return { name, kind: kind ?? 'text', from, path };
    });
  }
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: Exclude<Json, null>): ColumnKind {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'string') return 'text';
  if (typeof value !== 'number') return 'json';
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) return 'double';
  return value === (value | 0) ? 'int32' : 'int64';
}

const NUMBERS: readonly (ColumnKind | null)[] = ['int32', 'int64', 'double'];

function joined(a: ColumnKind | null, b: ColumnKind | null): ColumnKind | null {
  if (a === b || b === null) return a;
  if (a === null) return b;
  const [from, to] = [NUMBERS.indexOf(a), NUMBERS.indexOf(b)];
  return from === -1 || to === -1 ? 'json' : (NUMBERS[Math.max(from, to)] ?? null);
}

/** The value of a case in a column, null where the case has none. */
export function cellOf(record: CaseRecord, column: Column): Cell {
  let value: Json | undefined = record[column.from];
  for (const key of column.path) value = value !== undefined && isObject(value) ? value[key] : undefined;
  if (value === undefined || value === null) return null;
  if (column.kind === 'json') return value;
  // An object where other cases have a value: its parts have columns of their own.
  if (typeof value === 'object') return null;
  return column.kind === 'int64' && typeof value === 'number' ? BigInt(value) : value;
}
