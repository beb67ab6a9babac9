import { expect, it, vi } from 'vitest';
import { onRemoved, tellRemoved } from './removed-news';

it('tells which run is gone, to whoever listens and has not stopped', async () => {
  const [heard, stopped] = [vi.fn(), vi.fn()];
  const stop = onRemoved(heard);
  onRemoved(stopped)();
  // What another build of the site may say is no name of a run.
  const other = new BroadcastChannel('pixelproof-removed');
  other.postMessage({ run: 'b' });
  other.close();
  tellRemoved('a');
  await vi.waitFor(() => expect(heard.mock.calls).toEqual([['a']]));
  expect(stopped).not.toHaveBeenCalled();
  stop();
});
