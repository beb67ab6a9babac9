import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PixelproofError } from '../../errors';
import { decodeUtf8, parseJson, parseObject } from './safe-json';

describe('JSON from outside', () => {
  it('is what JSON.parse gives for plain JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        const plain = !/"(__proto__|constructor|prototype)":/.test(text);
        if (plain) expect(parseJson(text, 'x')).toEqual(JSON.parse(text));
      }),
    );
  });

  it('is refused with a code, or is JSON, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]":,\\u0159 ae_-.') }), (text) => {
        try {
          parseJson(text, 'x');
        } catch (error) {
          expect(error).toBeInstanceOf(PixelproofError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['json_syntax', '{'],
    ['json_syntax', '"abc'],
    ['json_syntax', '{"a":1,}'],
    ['json_syntax', '{"a\n":1}'],
    ['json_syntax', '\ufeff{}'],
    ['json_syntax', '{"\\x":1}'],
    ['json_number', '{"a":[1e400]}'],
    ['json_number', '-1e999'],
    ['json_depth', '['.repeat(100_000)],
    ['json_depth', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`],
    ['json_forbidden_key', '{"__proto__":{"admin":true}}'],
    ['json_forbidden_key', '{"a":[{"\\u005f_proto__" : 1}]}'],
    ['json_forbidden_key', '{"constructor":{"prototype":{}}}'],
    ['json_forbidden_key', '{"prototype":1}'],
    ['json_duplicate_key', '{"a":1,"a":1}'],
    ['json_duplicate_key', '{"a":1,"b":{"a":1},"\\u0061":2}'],
  ])('%s: %.30s', (code, text) => {
    expect(() => parseJson(text, 'x')).toThrowError(expect.objectContaining({ code }));
  });

  it.each([
    ['{"a":1} {}', 'end of text', '{}'],
    ['{"a":01}', 'a comma or a closing brace', '1}'],
    ['{"a":', 'a JSON value', 'end of text'],
    ['[1,]', 'a JSON value', ']'],
  ])('%s: what was expected and what came', (text, expected, got) => {
    expect(() => parseJson(text, 'x')).toThrowError(
      expect.objectContaining({ code: 'json_syntax', expected, got }),
    );
    expect(() => parseJson(text, 'x')).toThrowError(/at offset \d+/);
  });

  it('keeps forbidden words where they are values', () => {
    expect(parseJson('["__proto__",{"a":"constructor"}]', 'x')).toEqual(['__proto__', { a: 'constructor' }]);
  });

  it('wants an object where one is wanted, and UTF-8', () => {
    expect(() => parseObject('[]', 'x')).toThrowError(expect.objectContaining({ code: 'json_not_object' }));
    expect(() => decodeUtf8(new Uint8Array([0xc0, 0x80]), 'x')).toThrowError(
      expect.objectContaining({ code: 'bundle_utf8' }),
    );
  });
});
