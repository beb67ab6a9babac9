import { beforeEach, expect, it, vi } from 'vitest';
import { hubAddress } from '../../src/providers/in-page/vlm/known-models';
import { downloadedFiles, modelStore, removeModel, storedModels } from './model-store';

let made: Map<string, Map<string, Response>>;

function cacheOf(kept: Map<string, Response>) {
  return {
    keys: async () => [...kept.keys()].map((url) => ({ url })),
    match: async (url: string) => kept.get(url)?.clone(),
    put: async (url: string, response: Response) => void kept.set(url, response),
    delete: async (url: string) => kept.delete(url),
  };
}

beforeEach(() => {
  made = new Map();
  vi.stubGlobal('caches', {
    has: async (name: string) => made.has(name),
    open: async (name: string) => {
      const kept = made.get(name) ?? new Map<string, Response>();
      made.set(name, kept);
      return cacheOf(kept);
    },
  });
});

it('looking for models makes no cache', async () => {
  expect(await storedModels()).toEqual([]);
  expect(await modelStore.has(hubAddress('a/b', 'config.json'))).toBe(false);
  expect(await downloadedFiles('a/b').has('config.json')).toBe(false);
  expect(await downloadedFiles('a/b').read('config.json')).toBeNull();
  await removeModel('a/b');
  expect([...made.keys()]).toEqual([]);
});

it('what was downloaded is found, and removed', async () => {
  const body = new Response('{}').body;
  if (body === null) throw new Error('no body');
  await modelStore.put(hubAddress('a/b', 'config.json'), body, 2);
  expect(await storedModels()).toEqual([{ name: 'a/b', bytes: 2, files: ['config.json'] }]);
  expect(await downloadedFiles('a/b').read('config.json')).toEqual(new TextEncoder().encode('{}'));
  await removeModel('a/b');
  expect(await storedModels()).toEqual([]);
});
