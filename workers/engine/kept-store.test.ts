import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, expect, it, vi } from 'vitest';
import { openIndexedDbStore } from '../../src/evidence/store/indexeddb/open';
import { MemoryStore } from '../../src/evidence/store/memory';
import { toyRun } from '../../src/runner/testing/toy-run';
import { KeptStore } from './kept-store';

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()));

async function storeOne(): Promise<void> {
  const store = await openIndexedDbStore(() => undefined);
  await toyRun(2, store);
  store.close();
}

it('counts what the browser stores', async () => {
  await storeOne();
  const kept = new KeptStore();
  expect(await kept.everyRun()).toEqual({ stored: 1, memory: 0 });
  await kept.close();
});

it('a tab that keeps nothing counts its own runs and, past them, those that are stored', async () => {
  await storeOne();
  const memory = new MemoryStore();
  const kept = new KeptStore();
  kept.inMemory(memory, true);
  expect(await kept.everyRun()).toEqual({ stored: 1, memory: 0 });
  await toyRun(2, memory);
  expect(await kept.everyRun()).toEqual({ stored: 1, memory: 1 });
});

it('counting makes no database', async () => {
  const kept = new KeptStore();
  kept.inMemory(new MemoryStore(), true);
  expect(await kept.everyRun()).toEqual({ stored: 0, memory: 0 });
  expect(await indexedDB.databases()).toEqual([]);
});
