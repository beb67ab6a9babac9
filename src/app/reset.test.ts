import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { beforeEach, expect, it, vi } from 'vitest';
import { type ResetPlaces, removeAll } from './reset';

let factory: IDBFactory;
const words = new Map<string, Map<string, string>>();

function storage(name: string): Storage {
  const kept = words.get(name) ?? new Map<string, string>();
  words.set(name, kept);
  const view = { removeItem: (key: string) => void kept.delete(key) };
  return Object.assign(Object.create(view), Object.fromEntries(kept)) as Storage;
}

function cachesOf(names: Set<string>): CacheStorage {
  return {
    keys: async () => [...names],
    delete: async (name: string) => names.delete(name),
  } as unknown as CacheStorage;
}

const places = (more: Partial<ResetPlaces> = {}): ResetPlaces => ({
  databases: factory,
  caches: undefined,
  local: () => storage('local'),
  session: () => storage('session'),
  ...more,
});

async function make(name: string): Promise<void> {
  vi.stubGlobal('indexedDB', factory);
  (await openDB(name, 1, { upgrade: (fresh) => void fresh.createObjectStore('values') })).close();
}

beforeEach(() => {
  factory = new IDBFactory();
  words.clear();
});

it('removes what is ours and nothing else', async () => {
  for (const name of ['pixelproof', 'pixelproof-keys', 'pixelproof-providers', 'somebody-else'])
    await make(name);
  words.set(
    'local',
    new Map([
      ['pixelproof.theme', 'dark'],
      ['other', 'x'],
    ]),
  );
  words.set(
    'session',
    new Map([
      ['pixelproof-review', '{}'],
      ['pixelproof.keep-nothing', 'yes'],
    ]),
  );
  const caches = new Set(['pixelproof-site-1', 'pixelproof-downloaded-models', 'pixelproof-models', 'other']);
  const parts = await removeAll(places({ caches: cachesOf(caches) }));
  expect(parts.every(({ why }) => why === null)).toBe(true);
  expect(parts.map(({ what }) => what)).toContain('Runs and their evidence');
  expect((await factory.databases()).map(({ name }) => name)).toEqual(['somebody-else']);
  expect([...caches]).toEqual(['pixelproof-site-1', 'other']);
  expect([...(words.get('local') ?? [])]).toEqual([['other', 'x']]);
  // The tab was told to keep nothing, and was not told otherwise.
  expect([...(words.get('session') ?? [])]).toEqual([['pixelproof.keep-nothing', 'yes']]);
});

it('says what another tab holds open, and removes the rest', async () => {
  for (const name of ['pixelproof', 'pixelproof-keys']) await make(name);
  // A tab that does not answer when it is asked to let go.
  const held = await openDB('pixelproof', 1);
  const parts = await removeAll(places(), 20);
  expect(parts.find(({ what }) => what === 'Runs and their evidence')?.why).toContain(
    'Another tab holds it open',
  );
  expect(parts.find(({ what }) => what === 'Keys of providers')?.why).toBeNull();
  held.close();
  await vi.waitFor(async () => expect(await factory.databases()).toEqual([]));
});

it('where everything is denied there is nothing to remove', async () => {
  const denied = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  const parts = await removeAll(places({ databases: undefined, local: denied, session: denied }));
  expect(parts.every(({ why }) => why === null)).toBe(true);
});
