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
  expect(redacted(report, ` ${key}\n`)).toEqual({
    code: 'unauthorised',
    said: ['key [REDACTED]', { url: 'http://x/?k=[REDACTED]', json: '{"key":"[REDACTED]"}' }],
    status: 401,
    named: null,
  });
  expect(redacted({ code: 'doctor_ok', said: 'doctor' }, 'doctor')).toEqual({
    code: 'doctor_ok',
    said: '[REDACTED]',
  });
  expect(redacted(report, null)).toBe(report);
});
