import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { framedMatrix, joinBytes, labelled } from './framing';
import {
  byCodePoint,
  PyFloat,
  type PyValue,
  pyFloat,
  pyToJson,
  pyToPlain,
  pythonCanonical,
  pythonCompact,
  pythonDocument,
  pythonFloatRepr,
  pythonLine,
  pythonLineUnsorted,
  pythonPresentation,
} from './python-json';
import { parsePythonJson } from './python-json-parse';
import { pythonListRepr, pythonRepr } from './python-repr';
import { roundHalfEven } from './round-half-even';

const code = (code: string) => expect.objectContaining({ code });

const value: fc.Arbitrary<PyValue> = fc.letrec<{ value: PyValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger().map((n) => n + 0),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(pyFloat),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value')),
    fc.dictionary(fc.string({ unit: 'binary' }), tie('value')),
  ),
})).value;

describe('floats as Python writes them', () => {
  // Written down from CPython's repr().
  test.each([
    [0, '0.0'],
    [-0, '-0.0'],
    [1, '1.0'],
    [0.1, '0.1'],
    [0.95, '0.95'],
    [-2.5, '-2.5'],
    [0.0001, '0.0001'],
    [0.00012345, '0.00012345'],
    [0.00001, '1e-05'],
    [0.00001234, '1.234e-05'],
    [123456789012345680, '1.2345678901234568e+17'],
    [1e15, '1000000000000000.0'],
    [9999999999999998, '9999999999999998.0'],
    [1e16, '1e+16'],
    [1e22, '1e+22'],
    [1.5e300, '1.5e+300'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [1 / 3, '0.3333333333333333'],
    [0.5714285714285714, '0.5714285714285714'],
  ])('%d', (number, text) => expect(pythonFloatRepr(number)).toBe(text));

  test('reads back to the same double, and always looks like a float', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const text = pythonFloatRepr(number);
        expect(Object.is(Number(text), number)).toBe(true);
        expect(text).toMatch(/^-?(\d+\.\d+|\d(\.\d+)?e[+-]\d{2,3})$/);
      }),
    );
  });

  test('no NaN and no infinity', () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => pyFloat(bad)).toThrow(code('python_json_number'));
    }
  });
});

describe('writing', () => {
  test('canonical form', () => {
    expect(
      pythonCanonical({
        b: [1, pyFloat(1), true, null],
        a: 'é"\\\n\u0001\u007f',
        '\u{10000}': 1,
        '\uffff': 2,
      }),
    ).toBe('{"a":"é\\"\\\\\\n\\u0001\u007f","b":[1,1.0,true,null],"\uffff":2,"\u{10000}":1}');
    expect(pythonCanonical(2n ** 64n)).toBe('18446744073709551616');
  });

  test('presentation form', () => {
    expect(pythonPresentation({ b: [], a: {}, c: [1, { d: 'é\u{1f600}\u007f' }] })).toBe(
      '{\n  "a": {},\n  "b": [],\n  "c": [\n    1,\n    {\n      "d": "\\u00e9\\ud83d\\ude00\\u007f"\n    }\n  ]\n}\n',
    );
  });

  test('one line', () => {
    expect(pythonLine({ b: 1, a: [1, 2] })).toBe('{"a": [1, 2], "b": 1}');
    expect(pythonLineUnsorted({ b: 1, a: [] })).toBe('{"b": 1, "a": []}');
  });

  test('keys in the order given over many lines, and sorted without a space', () => {
    const value = { b: [pyFloat(1), {}], a: 'é' };
    expect(pythonDocument(value)).toBe('{\n  "b": [\n    1.0,\n    {}\n  ],\n  "a": "\\u00e9"\n}\n');
    expect(pythonCompact(value)).toBe('{"a":"\\u00e9","b":[1.0,{}]}');
  });

  test('what has no JSON form', () => {
    expect(() => pythonCanonical(0.5)).toThrow(code('python_json_number'));
    expect(() => pythonCanonical(2 ** 53)).toThrow(code('python_json_number'));
    expect(() => pythonCanonical('\ud800')).toThrow(code('python_json_text'));
    expect(() => pythonCanonical({ a: undefined } as unknown as PyValue)).toThrow(code('python_json_number'));
  });

  test('code point order is the order of UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(Math.sign(byCodePoint(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });
});

describe('reading', () => {
  test('every form reads back to the value, kinds of numbers included', () => {
    fc.assert(
      fc.property(value, (original) => {
        const text = pythonCanonical(original);
        for (const written of [text, pythonLine(original), pythonPresentation(original)]) {
          expect(pythonCanonical(parsePythonJson(written))).toBe(text);
        }
      }),
    );
  });

  test('agrees with JSON.parse on the plain value', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        // Past 2^53 JSON.parse rounds and this reader does not.
        fc.pre(!/\d{16}/.test(text));
        expect(pyToPlain(parsePythonJson(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('the kind of a number is the literal’s', () => {
    expect(parsePythonJson('[1, 1.0, 1e0, -0, 18446744073709551616]')).toEqual([
      1,
      new PyFloat(1),
      new PyFloat(1),
      0,
      18446744073709551616n,
    ]);
  });

  test.each([
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    '01',
    '+1',
    '1.',
    '.5',
    'NaN',
    'Infinity',
    '-Infinity',
    'nul',
    '"a',
    '"\\x"',
    '"\n"',
    '1 2',
    '{"a" 1}',
    '[1 2]',
    '\ufeff1',
    '['.repeat(300),
  ])('%j is not JSON', (text) => expect(() => parsePythonJson(text)).toThrow(code('python_json_syntax')));

  test('names a key that comes twice and a number that no float holds', () => {
    expect(() => parsePythonJson('{"a":1,"a":2}')).toThrow(code('python_json_duplicate_key'));
    expect(() => parsePythonJson('{"a":1,"a":2}')).toThrow(/"a" twice in one object, at offset 7/);
    expect(() => parsePythonJson('[1e400]')).toThrow(code('python_json_number'));
    expect(() => parsePythonJson('[-1e400]')).toThrow(/-1e400 at offset 1/);
  });

  test('numbers and texts out of range', () => {
    expect(() => parsePythonJson('1e999')).toThrow(code('python_json_number'));
    expect(() => parsePythonJson('9'.repeat(5000))).toThrow(code('python_json_number'));
    expect(() => parsePythonJson('"\\ud800"')).toThrow(code('python_json_text'));
  });

  test('__proto__ is a key', () => {
    const read = parsePythonJson('{"__proto__": {"polluted": 1}}');
    expect(pythonCanonical(read)).toBe('{"__proto__":{"polluted":1}}');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('a million characters in one string', () => {
    const text = 'x\\n'.repeat(500_000);
    expect(parsePythonJson(`"${text}"`)).toHaveLength(1_000_000);
  });
});

test('inside our own records', () => {
  const original = { t: pyFloat(0), n: 1, big: 2n ** 60n, list: [pyFloat(1e16), 'a', null] };
  expect(pyToJson(original)).toEqual({
    t: { $float: '0.0' },
    n: 1,
    big: { $int: '1152921504606846976' },
    list: [{ $float: '1e+16' }, 'a', null],
  });
  expect(pyToPlain(original)).toEqual({ t: 0, n: 1, big: '1152921504606846976', list: [1e16, 'a', null] });
});

describe('repr', () => {
  // Written down from CPython's repr().
  test.each([
    ['', "''"],
    ["it's", `"it's"`],
    [`it's "x"`, `'it\\'s "x"'`],
    ['a\\b\n\r\t', "'a\\\\b\\n\\r\\t'"],
    ['\u0000\u001b\u007f\u0085\u00a0\u00ad', "'\\x00\\x1b\\x7f\\x85\\xa0\\xad'"],
    ['é中\u{1f600}', "'é中\u{1f600}'"],
    ['\u200b\u2028\u3000\ue000\u{e0001}', "'\\u200b\\u2028\\u3000\\ue000\\U000e0001'"],
  ])('%j', (text, expected) => expect(pythonRepr(text)).toBe(expected));

  test('lists', () => {
    expect(pythonListRepr([])).toBe('[]');
    expect(pythonListRepr(['a', "b'"])).toBe(`['a', "b'"]`);
  });
});

test('framing', () => {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  expect(hex(labelled('ab', 'é'))).toBe('00000002' + '6162' + '0000000000000002' + 'c3a9');
  expect(hex(framedMatrix([[1, 0.5]]))).toBe(
    '0000000000000001' + '0000000000000002' + '3ff0000000000000' + '3fe0000000000000',
  );
  expect(hex(framedMatrix([]))).toBe('0'.repeat(32));
  expect(hex(joinBytes([Uint8Array.of(1), Uint8Array.of(2, 3)]))).toBe('010203');
});

test('rounding half to even', () => {
  expect([0.5, 1.5, 2.5, -0.5, -1.5, 2.4999, 2.5001, 7].map(roundHalfEven)).toEqual([
    0, 2, 2, 0, -2, 2, 3, 7,
  ]);
});
