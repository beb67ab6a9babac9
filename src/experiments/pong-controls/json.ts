import {
  PyFloat,
  type PyObject,
  type PyValue,
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

/** Python's `bool` as JSON writes it. */
export const bool = (value: boolean): string => (value ? 'true' : 'false');

export const numeric = (value: number | PyFloat): number => (value instanceof PyFloat ? value.value : value);
