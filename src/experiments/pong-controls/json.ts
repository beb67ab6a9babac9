import type { Json, JsonObject } from '../../evidence/identity/json';
import {
  PyFloat,
  type PyObject,
  type PyValue,
  pyFloat,
  pythonCompact,
  pythonDocument,
  pythonLineUnsorted,
} from '../../evidence/identity/python-json';
import { sha256Hex } from '../../evidence/identity/sha256';

/** One line of a `.jsonl` file, line feed included. */
export function jsonLine(value: PyObject): string {
  return `${pythonLineUnsorted(value)}\n`;
}

/** A `.json` file. */
export const jsonDocument: (value: PyValue) => string = pythonDocument;

/** The digest of a value: SHA-256, hex, of its sorted compact JSON. */
export function digestOf(value: PyValue): string {
  return sha256Hex(pythonCompact(value));
}

/** The value that `pyToJson` made a plain record of. */
export function pyFromJson(value: Json): PyValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => pyFromJson(item));
  const record = value as JsonObject;
  if (typeof record.$float === 'string') return pyFloat(Number(record.$float));
  if (typeof record.$int === 'string') return BigInt(record.$int);
  return Object.fromEntries(Object.entries(record).map(([key, inner]) => [key, pyFromJson(inner)]));
}

/** Python's `bool` as JSON writes it. */
export const bool = (value: boolean): string => (value ? 'true' : 'false');

export const numeric = (value: number | PyFloat): number => (value instanceof PyFloat ? value.value : value);
