import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redacted } from './redact';

it('no form of a key is left in any text, and the words of ours stay', () => {
  const key = 'sk-a/b+c"d';
  const report = {
    code: 'unauthorised',
    said: [`key ${key}`, { url: `http://x/?k=${encodeURIComponent(key)}`, json: JSON.stringify({ key }) }],
    status: 401,
    named: null,
  };
  const clean = JSON.stringify(redacted(report, key));
  expect(clean).toBe(
    JSON.stringify({
      code: 'unauthorised',
      said: ['key [key]', { url: 'http://x/?k=[key]', json: '{"key":"[key]"}' }],
      status: 401,
      named: null,
    }),
  );
  expect(redacted({ code: 'doctor_ok', said: 'no' }, 'o')).toEqual({ code: 'doctor_ok', said: 'n[key]' });
  expect(redacted(report, null)).toBe(report);
  fc.assert(
    fc.property(fc.string({ minLength: 6 }), fc.string(), (secret, around) => {
      fc.pre(!'[key]'.includes(secret) && !around.includes(secret));
      const { said } = redacted({ said: `${around}${secret}${around}` }, secret);
      expect(said).not.toContain(secret);
    }),
  );
});
