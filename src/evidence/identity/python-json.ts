import { PixelproofError } from '../../errors';
import type { Json, Sha256Id } from './json';
import { sha256 } from './sha256';

/**
 * The Python dialect of JSON. ZeroModel identities are SHA-256 over text that Python's `json` module wrote, and
 * Python keeps integers and floats apart (`0` against `0.0`), which ECMAScript cannot. A float is therefore always a
 * `PyFloat`; a bare number is an integer; integers past 2^53 are `bigint`.
 */
export class PyFloat {
  readonly value: number;

  /** Throws `python_json_number` for NaN and the infinities: JSON cannot hold them. */
  constructor(value: number) {
    if (!Number.isFinite(value)) {
      throw new PixelproofError('python_json_number', 'A float in JSON must be finite.', {
        expected: 'a finite number',
        got: String(value),
      });
    }
    this.value = value;
  }
}

export type PyValue = null | boolean | number | bigint | string | PyFloat | readonly PyValue[] | PyObject;
export interface PyObject {
  readonly [key: string]: PyValue;
}

export function pyFloat(value: number): PyFloat {
  return new PyFloat(value);
}

export function isPyObject(value: PyValue | undefined): value is PyObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof PyFloat);
}

/**
 * Python's `repr` of a float: the shortest digits that read back to the same double, `1.0` for whole numbers, and the
 * exponent form (`1e-05`, `1e+16`) when |x| >= 1e16 or 0 < |x| < 1e-4.
 */
export function pythonFloatRepr(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e16) {
    const [digits = '', exponent = ''] = value.toExponential().split('e');
    const sign = exponent.startsWith('-') ? '-' : '+';
    return `${digits}e${sign}${exponent.slice(1).padStart(2, '0')}`;
  }
  const text = String(value);
  return text.includes('.') ? text : `${text}.0`;
}

/** C(v): keys by code point, separators `,` and `:`, non-ASCII kept. The text under every ZeroModel identity. */
export function pythonCanonical(value: PyValue): string {
  return write(value, CANONICAL, '');
}

/** CID(v): SHA-256 of the UTF-8 bytes of C(v). */
export function pythonCanonicalId(value: PyValue): Sha256Id {
  return sha256(pythonCanonical(value));
}

/** `json.dumps(v, indent=2, sort_keys=True)` and a final newline: the form of every published `.json` file. */
export function pythonPresentation(value: PyValue): string {
  return `${write(value, PRESENTATION, '\n')}\n`;
}

/** `json.dumps(v, sort_keys=True)`: one line, separators `", "` and `": "`, non-ASCII escaped. No newline. */
export function pythonLine(value: PyValue): string {
  return write(value, LINE, '');
}

/** `json.dumps(v)` with the keys in the order given: a scripted reply's text, and each line of the Pong controls. */
export function pythonLineUnsorted(value: PyValue): string {
  return write(value, LINE_UNSORTED, '');
}

/** `json.dumps(v, indent=2)` and a final newline, keys in the order given: every `.json` file of the Pong controls. */
export function pythonDocument(value: PyValue): string {
  return `${write(value, DOCUMENT, '\n')}\n`;
}

/** `json.dumps(v, sort_keys=True, separators=(",", ":"))`: the text under every digest of the Pong controls. */
export function pythonCompact(value: PyValue): string {
  return write(value, COMPACT, '');
}

interface Style {
  readonly item: string;
  readonly key: string;
  readonly indent: string;
  readonly ascii: boolean;
  readonly sort: boolean;
}
const CANONICAL: Style = { item: ',', key: ':', indent: '', ascii: false, sort: true };
const PRESENTATION: Style = { item: ',', key: ': ', indent: '  ', ascii: true, sort: true };
const LINE: Style = { item: ', ', key: ': ', indent: '', ascii: true, sort: true };
const LINE_UNSORTED: Style = { ...LINE, sort: false };
const DOCUMENT: Style = { ...PRESENTATION, sort: false };
const COMPACT: Style = { ...CANONICAL, ascii: true };

function write(value: PyValue, style: Style, line: string): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'string') return writeString(value, style.ascii);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return Object.is(value, -0) ? '0' : String(value);
    throw new PixelproofError(
      'python_json_number',
      'A bare number must be an integer within 2^53; use a float or a bigint.',
      { expected: 'a safe integer', got: String(value) },
    );
  }
  if (value instanceof PyFloat) return pythonFloatRepr(value.value);
  const inner = line === '' ? '' : line + style.indent;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    const items = value.map((item: PyValue) => inner + write(item, style, inner));
    return `[${items.join(style.item)}${line}]`;
  }
  const object = value as PyObject;
  const keys = Object.keys(object);
  if (keys.length === 0) return '{}';
  if (style.sort) keys.sort(byCodePoint);
  const members = keys.map((key) => {
    const member = object[key];
    if (member === undefined) {
      throw new PixelproofError('python_json_number', `The member ${key} holds no JSON value.`);
    }
    return `${inner}${writeString(key, style.ascii)}${style.key}${write(member, style, inner)}`;
  });
  return `{${members.join(style.item)}${line}}`;
}

const NOT_ASCII = /[\u007f-\uffff]/g;

function writeString(text: string, ascii: boolean): string {
  if (!text.isWellFormed()) {
    throw new PixelproofError('python_json_text', 'A text with half a surrogate pair has no UTF-8 form.', {
      got: text,
    });
  }
  const quoted = JSON.stringify(text);
  if (!ascii) return quoted;
  return quoted.replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Order by Unicode code point. UTF-16 order differs where surrogate pairs meet U+E000 to U+FFFF. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return liftSurrogate(x) - liftSurrogate(y);
  }
  return a.length - b.length;
}

function liftSurrogate(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/**
 * The same value inside a plain JSON record: a float becomes `{"$float": "0.0"}`, an integer past 2^53
 * `{"$int": "…"}`. Records that the journal stores keep the literal's kind this way.
 */
export function pyToJson(value: PyValue): Json {
  if (value instanceof PyFloat) return { $float: pythonFloatRepr(value.value) };
  if (typeof value === 'bigint') return { $int: value.toString() };
  if (Array.isArray(value)) return value.map((item: PyValue) => pyToJson(item));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value as PyObject).map(([k, v]) => [k, pyToJson(v)]));
  }
  return value as Json;
}

/** The same value for showing: floats become plain numbers, integers past 2^53 text. Loses the kind of numbers. */
export function pyToPlain(value: PyValue): Json {
  if (value instanceof PyFloat) return value.value;
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map((item: PyValue) => pyToPlain(item));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value as PyObject).map(([k, v]) => [k, pyToPlain(v)]));
  }
  return value as Json;
}
