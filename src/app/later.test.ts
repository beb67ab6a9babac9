import { expect, it } from 'vitest';
import { later, laterInPlace } from './later';

it('draws what a piece holds before what stands behind it, and other work after both', async () => {
  const drawn: string[] = [];
  const piece = async (name: string, parts: readonly string[] = []): Promise<void> => {
    await laterInPlace();
    drawn.push(name);
    await Promise.all(parts.map((part) => piece(part)));
  };
  const all = [piece('plan', ['fixed', 'varies']), piece('run'), piece('look', ['grid'])];
  const work = later().then(() => drawn.push('work'));
  await Promise.all([...all, work]);
  expect(drawn).toEqual(['plan', 'fixed', 'varies', 'run', 'look', 'grid', 'work']);
});

it('gives each piece a task of its own', async () => {
  let tasks = 0;
  const count = (): void => {
    tasks += 1;
    if (tasks < 20) setTimeout(count);
  };
  const seen = [later(), laterInPlace(), later()].map((turn) => turn.then(() => tasks));
  setTimeout(count);
  const at = await Promise.all(seen);
  expect(new Set(at).size).toBe(3);
});
