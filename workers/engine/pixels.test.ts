import { afterEach, expect, it, vi } from 'vitest';
import { api } from './pixels';

afterEach(() => vi.unstubAllGlobals());

it('reference digests that do not load are named, and nothing is compared', async () => {
  const told: number[] = [];
  vi.stubGlobal('fetch', async () => new Response('gone', { status: 404 }));
  await expect(api.reproduceAll((done) => told.push(done))).rejects.toMatchObject({
    code: 'reference_missing',
    got: 'HTTP 404',
  });
  expect(told).toEqual([]);
});
