import { expect, it } from 'vitest';
import { InTurn } from './in-turn';

it('takes what comes meanwhile afterwards, one at a time and in order', async () => {
  const done: string[] = [];
  let now = 0;
  const turns = new InTurn<string>(async (item) => {
    now += 1;
    expect(now).toBe(1);
    await Promise.resolve();
    done.push(item);
    now -= 1;
  });
  const first = turns.add(['a', 'b']);
  expect(turns.busy).toBe(true);
  expect(await turns.add(['c'])).toBe(false);
  expect(await first).toBe(true);
  expect(done).toEqual(['a', 'b', 'c']);
  expect(turns.busy).toBe(false);
  expect(await turns.add(['d'])).toBe(true);
  expect(done.at(-1)).toBe('d');
});
