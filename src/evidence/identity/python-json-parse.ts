import { PixelproofError } from '../../errors';
import { PyFloat, type PyValue } from './python-json';

/** Deeper nesting than this is refused: no record of ours comes near, a hostile file might. */
const MAX_DEPTH = 200;
/** Python's own limit on the digits of an integer literal. */
const MAX_INTEGER_DIGITS = 4300;

/**
 * Reads JSON and keeps what Python keeps: whether a number was written as an integer or with a fraction or exponent,
 * and integers of any size. Objects have no prototype, so a key `__proto__` is a key.
 *
 * Throws `python_json_syntax` (with the offset) for anything that is not exactly one JSON value, for NaN and
 * Infinity and for nesting past 200; `python_json_duplicate_key` for a repeated key; `python_json_number` for a number out of range;
 * `python_json_text` for half a surrogate pair.
 */
export function parsePythonJson(text: string): PyValue {
  const reader = new Reader(text);
  reader.space();
  const value = reader.value(0);
  reader.space();
  if (reader.at < text.length) throw reader.fault('end of text');
  return value;
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;

class Reader {
  at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  fault(expected: string): PixelproofError {
    return new PixelproofError(
      'python_json_syntax',
      `The text is not JSON at offset ${this.at}: expected ${expected}.`,
      { expected, got: this.text.slice(this.at, this.at + 40) || 'end of text' },
    );
  }

  space(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 32 && unit !== 9 && unit !== 10 && unit !== 13) return;
      this.at++;
    }
  }

  value(depth: number): PyValue {
    if (depth > MAX_DEPTH) throw this.fault(`at most ${MAX_DEPTH} levels`);
    switch (this.text[this.at]) {
      case '{':
        return this.object(depth);
      case '[':
        return this.array(depth);
      case '"':
        return this.string();
      case 't':
        return this.word('true', true);
      case 'f':
        return this.word('false', false);
      case 'n':
        return this.word('null', null);
      default:
        return this.number();
    }
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) throw this.fault('a JSON value');
    this.at += word.length;
    return value;
  }

  private number(): PyValue {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (match === null) throw this.fault('a JSON value');
    this.at += match[0].length;
    const literal = match[0];
    if (match[1] !== undefined || match[2] !== undefined) {
      if (Number.isFinite(Number(literal))) return new PyFloat(Number(literal));
      const size = `${literal.slice(0, 40)} at offset ${this.at - literal.length}`;
      throw new PixelproofError('python_json_number', `The number ${size} is too large for a float.`, {
        expected: 'a finite number',
        got: literal,
      });
    }
    const number = Number(literal);
    if (Number.isSafeInteger(number)) return number === 0 ? 0 : number;
    if (literal.length > MAX_INTEGER_DIGITS) {
      throw new PixelproofError('python_json_number', 'An integer in the text has too many digits.', {
        expected: `at most ${MAX_INTEGER_DIGITS} digits`,
        got: `${literal.length} characters`,
      });
    }
    return BigInt(literal);
  }

  private string(): string {
    if (this.text[this.at] !== '"') throw this.fault('a string');
    let end = this.at + 1;
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === '\\' ? 2 : 1;
    let value: string;
    try {
      value = JSON.parse(this.text.slice(this.at, end + 1)) as string;
    } catch {
      throw this.fault('a closed string');
    }
    if (!value.isWellFormed()) {
      throw new PixelproofError('python_json_text', 'A text with half a surrogate pair has no UTF-8 form.', {
        got: value,
      });
    }
    this.at = end + 1;
    return value;
  }

  private array(depth: number): PyValue[] {
    const items: PyValue[] = [];
    this.at++;
    this.space();
    if (this.take(']')) return items;
    for (;;) {
      this.space();
      items.push(this.value(depth + 1));
      this.space();
      if (this.take(']')) return items;
      if (!this.take(',')) throw this.fault('a comma or a closing bracket');
    }
  }

  private object(depth: number): PyValue {
    const members = Object.create(null) as Record<string, PyValue>;
    this.at++;
    this.space();
    if (this.take('}')) return members;
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') throw this.fault('a key in double quotes');
      const start = this.at;
      const key = this.string();
      if (key in members) {
        this.at = start;
        throw new PixelproofError(
          'python_json_duplicate_key',
          `The text has the key ${JSON.stringify(key)} twice in one object, at offset ${start}.`,
          {
            expected: 'each key once',
            got: key,
          },
        );
      }
      this.space();
      if (!this.take(':')) throw this.fault('a colon');
      this.space();
      members[key] = this.value(depth + 1);
      this.space();
      if (this.take('}')) return members;
      if (!this.take(',')) throw this.fault('a comma or a closing brace');
    }
  }

  private take(mark: string): boolean {
    if (this.text[this.at] !== mark) return false;
    this.at++;
    return true;
  }
}
