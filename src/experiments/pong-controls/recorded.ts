import { PixelproofError } from '../../errors';
import { isPyObject, type PyObject, type PyValue } from '../../evidence/identity/python-json';
import { parsePythonJson } from '../../evidence/identity/python-json-parse';
import type { RunTree } from './tree';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A line of a recorded file, parsed when it is asked for. */
export class RecordedLine {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
  readonly #where: string;
  #record: PyObject | null = null;

  constructor(number: number, text: string, where: string) {
    this.number = number;
    this.text = text;
    this.#where = where;
  }

  /** The record with its number kinds. Throws `pong_record`. */
  get record(): PyObject {
    this.#record ??= objectIn(parse(this.text, this.#where), this.#where);
    return this.#record;
  }

  /** The record as JavaScript reads it, which is quicker. Throws `pong_record`. */
  get plain(): Readonly<Record<string, unknown>> {
    let value: unknown;
    try {
      value = JSON.parse(this.text);
    } catch (cause) {
      throw fault(
        `${this.#where} is not JSON.`,
        'JSON',
        cause instanceof Error ? cause.message : String(cause),
      );
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
    throw fault(`${this.#where} holds no object.`, 'a JSON object', value);
  }

  /** The value in the rest of the text after `head`, which opens an object; null where the text begins otherwise. */
  after(head: string): PyObject | null {
    if (!this.text.startsWith(head)) return null;
    return objectIn(parse(`{${this.text.slice(head.length)}`, this.#where), this.#where);
  }
}

function objectIn(value: PyValue, where: string): PyObject {
  if (isPyObject(value)) return value;
  throw fault(`${where} holds no object.`, 'a JSON object', value);
}

/** Files of a run or an episode as records. What cannot be read throws `pong_record`, naming file and line. */
export class Recorded {
  readonly tree: RunTree;
  /** Where the tree stands in the whole, for texts: empty or `python-2px/seed-36/`. */
  readonly prefix: string;

  constructor(tree: RunTree, prefix = '') {
    this.tree = tree;
    this.prefix = prefix;
  }

  has(path: string): boolean {
    return this.tree.paths.includes(path);
  }

  /** The text of a file. Throws `pong_record` where there is none or it is not UTF-8. */
  async text(path: string): Promise<string> {
    const bytes = await this.tree.read(path);
    if (bytes === null) throw fault(`${this.prefix}${path} is not there.`, 'the file', 'none');
    return decode(bytes, `${this.prefix}${path}`);
  }

  /** A document: an object, or for ledgers a list of objects. */
  async document(path: string): Promise<PyObject> {
    const value = parse(await this.text(path), `${this.prefix}${path}`);
    if (isPyObject(value)) return value;
    throw fault(`${this.prefix}${path} holds no object.`, 'a JSON object', value);
  }

  async list(path: string): Promise<readonly PyObject[]> {
    const value = parse(await this.text(path), `${this.prefix}${path}`);
    if (Array.isArray(value) && value.every(isPyObject)) return value as readonly PyObject[];
    throw fault(`${this.prefix}${path} holds no list of objects.`, 'a JSON list', value);
  }

  /** The lines of a JSON Lines file, one at a time; nothing where there is no such file. */
  async *lines(path: string): AsyncGenerator<RecordedLine> {
    const bytes = await this.tree.read(path);
    if (bytes === null) return;
    let number = 0;
    for (let start = 0; start < bytes.length; ) {
      number += 1;
      const where = `${this.prefix}${path} line ${number}`;
      const end = bytes.indexOf(10, start);
      if (end === -1) throw fault(`${where} has no end; the file may be cut off.`, 'a line feed', 'none');
      yield new RecordedLine(number, decode(bytes.subarray(start, end), where), where);
      start = end + 1;
    }
  }
}

function decode(bytes: Uint8Array, where: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw fault(`${where} is not UTF-8 text.`, 'UTF-8', 'other bytes');
  }
}

function parse(text: string, where: string): PyValue {
  try {
    return parsePythonJson(text);
  } catch (cause) {
    throw fault(`${where} is not JSON.`, 'JSON', cause instanceof Error ? cause.message : String(cause));
  }
}

function fault(message: string, expected: string, got: unknown): PixelproofError {
  return new PixelproofError('pong_record', message, { expected, got });
}
