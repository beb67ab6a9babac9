import { describe, expect, it } from 'vitest';
import { canonicalId, canonicalJson } from './canonical';

describe('RFC 8785', () => {
  it('gives the text of its section 3.2.3, and the order of keys', () => {
    const example = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(example)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    expect(canonicalJson({ '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, ö: 6 })).toBe(
      '{"\\r":2,"1":4,"ö":6,"€":1,"😀":5,"\ufb33":3}',
    );
  });

  it('hashes the UTF-8 bytes of the text', () => {
    // printf '{"a":"é"}' | sha256sum
    expect(canonicalId({ a: 'é' })).toBe(
      'sha256:b3a092a6af48807fa9482b2ee140105575daa26d5b24b3c0e60a7e2dee6683b1',
    );
  });

  it.each([
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    ['\ud800'],
    ['a\udc00b'],
    [{ '\ud800': 1 }],
    ['\\\ud800'],
  ])('refuses what JSON cannot hold: %j', (value) => {
    expect(() => canonicalJson(value)).toThrowError(expect.objectContaining({ code: 'identity_not_json' }));
  });

  it('takes text that only looks like an escape', () => {
    expect(canonicalJson('\\ud800 \\\\udfff 😀')).toBe('"\\\\ud800 \\\\\\\\udfff 😀"');
  });
});
