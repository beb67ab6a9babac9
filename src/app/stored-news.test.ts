import { afterEach, expect, it, vi } from 'vitest';

/** A tab of its own: what the module knows of itself is made when it is read. */
async function tab(keeps = true) {
  vi.resetModules();
  vi.doMock('./storage.svelte', () => ({ storage: { memoryOnly: !keeps } }));
  const { later } = await import('./later');
  const { onStored, tellStored } = await import('./stored-news');
  const heard = vi.fn();
  stops.push(onStored(heard));
  await later();
  return { heard, tellStored, onStored, later };
}
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

it('tells every other tab that keeps what it stores, and not itself', async () => {
  const [one, two, keepsNothing] = [await tab(), await tab(), await tab(false)];
  const stopped = vi.fn();
  two.onStored(stopped)();
  const listening = two.onStored(stopped);
  await two.later();
  listening();
  one.tellStored();
  await vi.waitFor(() => expect(two.heard).toHaveBeenCalledTimes(1));
  keepsNothing.tellStored();
  // What another build of the site may say is no name of a tab.
  const other = new BroadcastChannel('pixelproof-stored');
  other.postMessage({ run: 'b' });
  other.close();
  two.tellStored();
  await vi.waitFor(() => expect(one.heard).toHaveBeenCalledTimes(1));
  expect(two.heard).toHaveBeenCalledTimes(1);
  expect(keepsNothing.heard).not.toHaveBeenCalled();
  expect(stopped).not.toHaveBeenCalled();
});
