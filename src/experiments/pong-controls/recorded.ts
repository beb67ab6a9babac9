import { PixelproofError } from '../../errors';
import { isPyObject, type PyObject, type PyValue } from '../../evidence/identity/python-json';
import { parsePythonJson } from '../../evidence/identity/python-json-parse';
import type { RunTree } from './tree';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A line of a recorded file. */
export interface RecordedLine {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
  readonly record: PyObject;
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
      const text = decode(bytes.subarray(start, end), where);
      const record = parse(text, where);
      if (!isPyObject(record)) throw fault(`${where} holds no object.`, 'a JSON object', record);
      yield { number, text, record };
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
