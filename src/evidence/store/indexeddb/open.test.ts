import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { deleteDB, openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UNFINISHED } from '../../../providers/provider';
import { toyExchange, toyPlan, toyProvider } from '../../../runner/testing/toy';
import { sha256 } from '../../identity/sha256';
import type { RunStore, StoreEvent } from '../store';
import { openIndexedDbStore, openStore } from './open';
import { DATABASE, VERSION } from './schema';

let events: StoreEvent[] = [];
const onEvent = (event: StoreEvent) => {
  events.push(event);
};

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  events = [];
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function withRun(): Promise<RunStore> {
  const store = await openIndexedDbStore(onEvent);
  const plan = await toyPlan(2);
  await store.create({ run: 'r1', plan, provider: toyProvider, environment: {}, origin: 'here' });
  return store;
}

/** Refuses the next writes as a full disk does: the put goes through, the transaction aborts. */
function fillDisk(): { free(): void } {
  // fake-indexeddb aborts with a named error through this method, as the browser does from inside.
  type Aborting = IDBTransaction & { _abort(name: string): void };
  const put = IDBObjectStore.prototype.put;
  const add = IDBObjectStore.prototype.add;
  const spies = (['put', 'add'] as const).map((name) =>
    vi.spyOn(IDBObjectStore.prototype, name).mockImplementation(function (this: IDBObjectStore, value) {
      const request = (name === 'put' ? put : add).call(this, value);
      const transaction = this.transaction as Aborting;
      queueMicrotask(() => {
        transaction._abort('QuotaExceededError');
      });
      return request;
    }),
  );
  return {
    free: () => {
      for (const spy of spies) spy.mockRestore();
    },
  };
}

describe('the connection', () => {
  it('closes itself for a newer version, says so, and refuses further work', async () => {
    const store = await withRun();
    const newer = await openDB(DATABASE, VERSION + 1);
    expect(events.map(({ code }) => code)).toEqual(['store_outdated']);
    await expect(store.header('r1')).rejects.toMatchObject({ code: 'store_closed' });
    await expect(store.update('r1', { status: 'running' })).rejects.toMatchObject({ code: 'store_closed' });
    newer.close();
    await expect(openIndexedDbStore(onEvent)).rejects.toMatchObject({ code: 'store_newer' });
    await expect(openStore(onEvent)).rejects.toMatchObject({ code: 'store_newer' });
  });

  it('closes itself when another tab deletes everything, and says so', async () => {
    const store = await withRun();
    await deleteDB(DATABASE);
    expect(events.map(({ code }) => code)).toEqual(['store_reset']);
    await expect(store.header('r1')).rejects.toMatchObject({ code: 'store_closed' });
  });

  it('waits for a tab that holds an older version, and says so', async () => {
    (await openIndexedDbStore(onEvent)).close();
    const old = await openDB(DATABASE, VERSION);
    const opening = openIndexedDbStore(onEvent, VERSION + 1);
    await vi.waitFor(() => expect(events.map(({ code }) => code)).toEqual(['store_blocked']));
    old.close();
    expect((await (await opening).usage()).runs).toBe(0);
  });

  it('says when the browser ended it', async () => {
    const open = vi.spyOn(indexedDB, 'open');
    await withRun();
    const database = open.mock.results[0]?.value.result;
    database.dispatchEvent(new IDBVersionChangeEvent('close'));
    expect(events.map(({ code }) => code)).toEqual(['store_terminated']);
  });

  it('falls back to memory where storage is denied, and says so', async () => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    await expect(openIndexedDbStore(onEvent)).rejects.toMatchObject({ code: 'store_denied' });
    const store = await openStore(onEvent);
    expect(events.map(({ code }) => code)).toEqual(['store_memory_only']);
    expect((await store.usage()).memory_only).toBe(true);
  });

  it('keeps what it stored over a restart', async () => {
    const store = await withRun();
    await store.journal('r1', [
      { key: { arm: 'once', ordinal: 0 }, position: 0, index: 0, exchange: toyExchange('0') },
    ]);
    store.close();
    const again = await openIndexedDbStore(onEvent);
    expect(await again.exchangesAt('r1', 0)).toHaveLength(1);
    expect((await again.header('r1'))?.status).toBe('planned');
  });

  it('names a failure that it does not know', async () => {
    const store = await withRun();
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('odd', 'DataError');
    });
    await expect(store.update('r1', { status: 'running' })).rejects.toMatchObject({ code: 'store_failed' });
  });
});

describe('a full disk', () => {
  const bytes = new TextEncoder().encode('picture');
  const finished = {
    position: 0,
    record: { arm: 'once', ordinal: 0, outcome: 'correct', evidence: {}, detail: {} },
    artifacts: [{ sha256: sha256(bytes), media_type: 'image/png', bytes }],
  };
  const attempt = { key: { arm: 'once', ordinal: 0 }, position: 0, index: 0, exchange: toyExchange('0') };

  it.each(['add', 'put', 'openKeyCursor', 'get'] as const)(
    'that throws at once at any %s leaves no rejection that nobody handles',
    async (name) => {
      const unhandled: unknown[] = [];
      const onUnhandled = (reason: unknown) => void unhandled.push(reason);
      process.on('unhandledRejection', onUnhandled);
      try {
        for (let at = 1; at <= 8; at += 1) {
          globalThis.indexedDB = new IDBFactory();
          const store = await withRun();
          let calls = 0;
          // Each of the methods has its own arguments; what is given is handed on as it came.
          const real = IDBObjectStore.prototype[name] as (...given: unknown[]) => IDBRequest;
          const spy = vi.spyOn(IDBObjectStore.prototype, name).mockImplementation(function (
            this: IDBObjectStore,
            ...given: unknown[]
          ) {
            calls += 1;
            if (calls === at) throw new DOMException('full', 'QuotaExceededError');
            return real.apply(this, given) as never;
          });
          await store.journal('r1', [attempt]).catch(() => {});
          await store.commit('r1', [finished]).catch(() => {});
          await store.update('r1', { status: 'incomplete' }).catch(() => {});
          await store.remove('r1').catch(() => {});
          spy.mockRestore();
          store.close();
          await new Promise((done) => setTimeout(done, 5));
        }
      } finally {
        process.off('unhandledRejection', onUnhandled);
      }
      expect(unhandled).toEqual([]);
    },
  );

  it('keeps the end of a call whose beginning is on the disk, and shows it once', async () => {
    const store = await withRun();
    const begun = { ...attempt, exchange: toyExchange(null, { cause: UNFINISHED }) };
    await store.journal('r1', [begun]);
    const disk = fillDisk();
    await expect(store.journal('r1', [{ ...attempt, closes: true }])).rejects.toMatchObject({
      code: 'store_quota',
    });
    await expect(store.journal('r1', [{ ...begun, index: 1 }])).rejects.toMatchObject({
      code: 'store_quota',
    });
    const only = [{ key: attempt.key, index: 0, exchange: attempt.exchange }];
    expect(await store.exchangesAt('r1', 0)).toEqual(only);
    const each = [];
    for await (const one of store.eachExchange('r1')) each.push(one);
    expect(each).toEqual(only);
    const inMemory = await store.moment('r1');
    expect(inMemory).toMatchObject({ settled: 0, open: [{ position: 0, ...only[0] }] });
    await expect(store.commit('r1', [finished])).rejects.toMatchObject({ code: 'store_quota' });
    const refused = await store.moment('r1');
    expect(refused).toMatchObject({ header: { done: 1 }, settled: 1, open: [] });
    expect(refused.artifacts).toEqual([sha256(bytes)]);
    expect(refused.tallies).toEqual([{ arm: 'once', outcome: 'correct', count: 1 }]);
    disk.free();
    const [meanwhile] = await Promise.all([store.moment('r1'), store.flush('r1')]);
    expect(await store.exchangesAt('r1', 0)).toEqual(only);
    const flushed = await store.moment('r1');
    for (const moment of [meanwhile, flushed]) {
      const { updated_at } = moment.header;
      expect(moment).toEqual({ ...refused, header: { ...refused.header, updated_at } });
    }
  });

  it('keeps the case in memory, shows it, and writes it when there is room', async () => {
    const store = await withRun();
    const disk = fillDisk();
    await expect(store.journal('r1', [attempt])).rejects.toMatchObject({ code: 'store_quota' });
    await expect(store.commit('r1', [finished])).rejects.toMatchObject({ code: 'store_quota' });
    await expect(store.update('r1', { status: 'incomplete' })).rejects.toMatchObject({ code: 'store_quota' });
    expect(events.map(({ code }) => code)).toEqual(['store_quota', 'store_quota', 'store_quota']);

    expect(await store.header('r1')).toMatchObject({ done: 1, status: 'incomplete' });
    expect(await store.exchangesAt('r1', 0)).toHaveLength(1);
    expect(await store.cases('r1', { offset: 0, limit: 9 })).toEqual({ total: 1, items: [finished.record] });
    expect(await store.case('r1', { arm: 'once', ordinal: 0 })).toEqual(finished.record);
    expect(await store.tallies('r1')).toEqual([{ arm: 'once', outcome: 'correct', count: 1 }]);
    expect(await store.artifact(sha256(bytes))).toEqual(finished.artifacts[0]);
    for await (const one of store.eachArtifact('r1')) expect(one.size).toBe(7);
    await expect(store.flush('r1')).rejects.toMatchObject({ code: 'store_quota' });

    disk.free();
    await store.flush('r1');
    store.close();
    const again = await openIndexedDbStore(onEvent);
    expect(await again.header('r1')).toMatchObject({ done: 1, status: 'incomplete' });
    expect(await again.exchangesAt('r1', 0)).toEqual([
      { key: attempt.key, index: 0, exchange: attempt.exchange },
    ]);
    expect((await again.artifact(sha256(bytes)))?.bytes).toEqual(bytes);
  });
});
