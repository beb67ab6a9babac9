import { expect, test } from 'vitest';
import { PixelproofError } from '../../src/errors';
import { guard, toWorkerError } from './errors';

test('an error of ours crosses with its code and both sides', () => {
  const error = new PixelproofError('bundle_unreadable', 'Neither.', { expected: 'a ZIP', got: 'text' });
  expect(toWorkerError(error)).toEqual({
    name: 'PixelproofError',
    code: 'bundle_unreadable',
    message: 'Neither.',
    expected: 'a ZIP',
    got: 'text',
  });
});

test.each([
  'Failed to fetch dynamically imported module: http://127.0.0.1/assets/recorded-replies.js',
  'error loading dynamically imported module: http://127.0.0.1/assets/recorded-replies.js',
  'Importing a module script failed.',
])('a part that did not arrive is no fault of the program: %s', (message) => {
  expect(toWorkerError(new TypeError(message))).toMatchObject({ code: 'site_part_missing' });
});

test('any other failure is internal, and a cancel is a cancel', async () => {
  expect(toWorkerError(new TypeError('x is not a function'))).toMatchObject({ code: 'internal' });
  expect(toWorkerError('words')).toMatchObject({ code: 'internal', message: 'words' });
  const api = guard({ go: () => Promise.reject(new DOMException('stop', 'AbortError')) });
  await expect(api.go()).rejects.toMatchObject({ code: 'cancelled' });
});
