import { expect, test } from 'vitest';
import { deliberate } from './deliberate';

const press = (detail: number, timeStamp: number) => ({ detail, timeStamp }) as MouseEvent;

test('one click of a pointer counts at once, the second half of a double click never', () => {
  expect(deliberate(press(1, 1001), 1000)).toBe(true);
  expect(deliberate(press(2, 1300), 1000)).toBe(false);
});

test('a key counts once the button has stood there for a moment', () => {
  expect(deliberate(press(0, 1200), 1000)).toBe(false);
  expect(deliberate(press(0, 1500), 1000)).toBe(true);
});
