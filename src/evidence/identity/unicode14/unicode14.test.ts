import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pythonRepr } from '../python-repr';
import { isPrintable, isSpace, isWord, SPACE_CLASS, WORD_CLASS } from './index';

const vectors = JSON.parse(readFileSync('fixtures/unicode14/vectors.json', 'utf8'));
const CODES = 0x110000;

function digestOf(flag: (code: number) => number): string {
  const bytes = new Uint8Array(CODES);
  for (let code = 0; code < CODES; code += 1) bytes[code] = flag(code);
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

describe('every code point is what Python 3.11 says', () => {
  it('printable, word and white space', () => {
    const flags = (code: number) =>
      Number(isPrintable(code)) | (Number(isWord(code)) << 1) | (Number(isSpace(code)) << 2);
    expect(digestOf(flags)).toBe(vectors.flags_sha256);
  });

  it('also as classes of a pattern', () => {
    const [word, space] = [new RegExp(`^${WORD_CLASS}$`, 'u'), new RegExp(`^${SPACE_CLASS}$`, 'u')];
    const count = { word: 0, space: 0, other: 0 };
    for (let code = 0; code < CODES; code += 1) {
      const character = String.fromCodePoint(code);
      if (word.test(character)) count.word += 1;
      if (space.test(character)) count.space += 1;
      if (word.test(character) !== isWord(code) || space.test(character) !== isSpace(code)) count.other += 1;
    }
    expect(count).toEqual({ word: vectors.counts.word, space: vectors.counts.space, other: 0 });
  });

  it('quoted as Python quotes it', () => {
    for (const [character, quoted] of Object.entries(vectors.repr))
      expect(pythonRepr(character)).toBe(quoted);
  });
});
