import { expect, it, vi } from 'vitest';
import { onReset, tellReset } from './reset-news';

it('tells whoever listens, until they stop', async () => {
  const heard = vi.fn();
  const stop = onReset(heard);
  tellReset();
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1));
  stop();
  const other = vi.fn();
  const stopOther = onReset(other);
  tellReset();
  await vi.waitFor(() => expect(other).toHaveBeenCalledTimes(1));
  expect(heard).toHaveBeenCalledTimes(1);
  stopOther();
});

it('where there is no channel nobody is told, and nothing fails', () => {
  vi.stubGlobal('BroadcastChannel', undefined);
  expect(() => {
    tellReset();
    onReset(() => undefined)();
  }).not.toThrow();
  vi.unstubAllGlobals();
});
