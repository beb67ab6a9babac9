import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, it } from 'vitest';
import { toyExchange, toyPlan, toyProvider } from '../../runner/testing/toy';
import { sha256 } from '../identity/sha256';
import type { Artifact, CaseRecord } from '../run';
import { openStore } from './indexeddb/open';
import { MemoryStore } from './memory';
import { storedRun } from './source';
import { SpillStore } from './spill';
import type { RunStore } from './store';

const utf8 = new TextEncoder();

function artifact(text: string): Artifact {
  const bytes = utf8.encode(text);
  return { sha256: sha256(bytes), media_type: 'text/plain', bytes };
}

function record(arm: string, ordinal: number, outcome = 'correct'): CaseRecord {
  return { arm, ordinal, outcome, evidence: { ordinal }, detail: { arm } };
}

async function newRun(store: RunStore, run: string, cases = 3, created_at = '2026-01-01T00:00:00.000Z') {
  const plan = await toyPlan(cases);
  return store.create({
    run,
    plan,
    provider: toyProvider,
    environment: { browser: 'x' },
    origin: 'here',
    created_at,
  });
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const stores: Record<string, () => Promise<RunStore>> = {
  memory: async () => new MemoryStore(),
  'memory behind a spill': async () => new SpillStore(new MemoryStore(), () => {}),
  indexeddb: () => openStore(() => {}),
};

describe.each(Object.entries(stores))('%s', (_name, open) => {
  let store: RunStore;
  beforeEach(async () => {
    globalThis.indexedDB = new IDBFactory();
    store = await open();
  });

  it('stores the plan before anything runs', async () => {
    const header = await newRun(store, 'r1');
    expect(header).toMatchObject({ run: 'r1', status: 'planned', done: 0, total: 6, root_digest: null });
    expect(await store.plan('r1')).toEqual({ plan: await toyPlan(3), environment: { browser: 'x' } });
    expect(await store.runtime('r1')).toBeNull();
    await expect(newRun(store, 'r1')).rejects.toMatchObject({ code: 'store_run_exists' });
    await expect(newRun(store, '../r')).rejects.toMatchObject({ code: 'store_run_name' });
    await expect(store.plan('nobody')).rejects.toMatchObject({ code: 'store_run_missing' });
    await expect(store.update('nobody', {})).rejects.toMatchObject({ code: 'store_run_missing' });
    await expect(collect(store.eachCase('nobody'))).rejects.toMatchObject({ code: 'store_run_missing' });
    expect(await store.header('nobody')).toBeNull();
  });

  it('keeps runtime evidence', async () => {
    await newRun(store, 'r1');
    const runtime = { runtime_name: 'x', runtime_version: null, model_digest: 'd', details: [1] };
    await store.setRuntime('r1', runtime);
    expect(await store.runtime('r1')).toEqual(runtime);
  });

  it('commits cases in plan order, each once, and seals only a whole run', async () => {
    await newRun(store, 'r1', 1);
    await expect(
      store.commit('r1', [{ position: 1, record: record('twice', 0), artifacts: [] }]),
    ).rejects.toMatchObject({ code: 'store_case_order' });
    const header = await store.commit('r1', [{ position: 0, record: record('once', 0), artifacts: [] }]);
    expect(header.done).toBe(1);
    await expect(
      store.commit('r1', [{ position: 0, record: record('once', 0), artifacts: [] }]),
    ).rejects.toMatchObject({ code: 'store_case_order' });
    await expect(store.seal('r1', sha256('root'))).rejects.toMatchObject({ code: 'store_seal_early' });
    await store.commit('r1', [{ position: 1, record: record('twice', 0), artifacts: [] }]);
    await expect(
      store.commit('r1', [{ position: 2, record: record('twice', 1), artifacts: [] }]),
    ).rejects.toMatchObject({ code: 'store_case_order' });
    const sealed = await store.seal('r1', sha256('root'));
    expect(sealed).toMatchObject({ status: 'complete', root_digest: sha256('root'), stopped: null });
    const code = { code: 'store_run_sealed' };
    await expect(store.update('r1', { status: 'running' })).rejects.toMatchObject(code);
    await expect(store.seal('r1', sha256('other'))).rejects.toMatchObject(code);
    await expect(store.journal('r1', [])).rejects.toMatchObject(code);
    expect((await store.update('r1', { note: 'kept for the talk' })).note).toBe('kept for the talk');
  });

  it('commits all of a batch or none of it', async () => {
    await newRun(store, 'r1');
    const wrong = { ...artifact('a'), sha256: sha256('b') };
    await expect(
      store.commit('r1', [
        { position: 0, record: record('once', 0), artifacts: [] },
        { position: 1, record: record('once', 1), artifacts: [wrong] },
      ]),
    ).rejects.toMatchObject({ code: 'store_artifact_digest' });
    expect((await store.header('r1'))?.done).toBe(0);
    expect(await store.tallies('r1')).toEqual([]);
  });

  it('pages cases by arm and outcome with totals', async () => {
    await newRun(store, 'r1', 250);
    const cases = ['once', 'twice'].flatMap((arm) =>
      Array.from({ length: 250 }, (_, n) => record(arm, n, n % 5 === 0 ? 'wrong' : 'correct')),
    );
    await store.commit(
      'r1',
      cases.map((one, position) => ({ position, record: one, artifacts: [] })),
    );
    const ordinals = async (query: Parameters<RunStore['cases']>[1]) => {
      const { total, items } = await store.cases('r1', query);
      return [total, items.map(({ arm, ordinal }) => `${arm} ${ordinal}`)];
    };
    expect(await ordinals({ offset: 249, limit: 2 })).toEqual([500, ['once 249', 'twice 0']]);
    expect(await ordinals({ arm: 'twice', offset: 10, limit: 2 })).toEqual([250, ['twice 10', 'twice 11']]);
    expect(await ordinals({ outcome: 'wrong', offset: 49, limit: 2 })).toEqual([
      100,
      ['once 245', 'twice 0'],
    ]);
    expect(await ordinals({ arm: 'twice', outcome: 'wrong', offset: 1, limit: 2 })).toEqual([
      50,
      ['twice 5', 'twice 10'],
    ]);
    expect(await ordinals({ arm: 'nobody', offset: 0, limit: 2 })).toEqual([0, []]);
    expect(await ordinals({ arm: 'once', offset: 900, limit: 2 })).toEqual([250, []]);
    expect(await ordinals({ arm: 'once', offset: 0, limit: 0 })).toEqual([250, []]);
    expect(await store.tallies('r1')).toEqual([
      { arm: 'once', outcome: 'correct', count: 200 },
      { arm: 'once', outcome: 'wrong', count: 50 },
      { arm: 'twice', outcome: 'correct', count: 200 },
      { arm: 'twice', outcome: 'wrong', count: 50 },
    ]);
    expect(await collect(store.eachCase('r1'))).toEqual(cases);
    expect(await collect(store.eachCase('r1', 'twice'))).toEqual(cases.slice(250));
    expect(await store.case('r1', { arm: 'twice', ordinal: 7 })).toEqual(cases[257]);
    expect(await store.case('r1', { arm: 'twice', ordinal: 999 })).toBeNull();
  });

  it('keeps attempts by question in the order in which they ended', async () => {
    await newRun(store, 'r1');
    const key = { arm: 'once', ordinal: 0 };
    const failed = toyExchange(null, { cause: { code: 'provider_unreachable', message: 'gone' } });
    await store.journal('r1', [{ key, position: 0, index: 1, exchange: toyExchange('b') }]);
    await store.journal('r1', [{ key, position: 0, index: 0, exchange: failed }]);
    await store.journal('r1', [{ key, position: 0, index: 0, exchange: toyExchange('a') }]);
    const expected = [
      { key, index: 0, exchange: failed },
      { key, index: 0, exchange: toyExchange('a') },
      { key, index: 1, exchange: toyExchange('b') },
    ];
    expect(await store.exchangesAt('r1', 0)).toEqual(expected);
    expect(await store.exchangesAt('r1', 1)).toEqual([]);
    expect(await collect(store.eachExchange('r1'))).toEqual(expected);
  });

  it('keeps what a stopped case left, as long as the run', async () => {
    await newRun(store, 'r1');
    const left = artifact('left by a stopped case');
    await store.keep('r1', [left]);
    expect(await store.artifact(left.sha256)).toEqual(left);
    expect((await collect(store.eachArtifact('r1'))).map((one) => one.sha256)).toEqual([left.sha256]);
    await expect(store.keep('r1', [{ ...left, bytes: utf8.encode('other') }])).rejects.toMatchObject({
      code: 'store_artifact_digest',
    });
    await store.remove('r1');
    expect(await store.artifact(left.sha256)).toBeNull();
  });

  it('keeps an artifact as long as a run needs it', async () => {
    await newRun(store, 'r1');
    await newRun(store, 'r2');
    const shared = artifact('shared');
    const own = artifact('own');
    await store.commit('r1', [{ position: 0, record: record('once', 0), artifacts: [shared, own] }]);
    await store.commit('r2', [{ position: 0, record: record('once', 0), artifacts: [shared, shared] }]);
    expect((await collect(store.eachArtifact('r1'))).map((one) => one.sha256)).toEqual(
      [shared.sha256, own.sha256].sort(),
    );
    expect(await collect(store.eachArtifact('r2'))).toEqual([
      { sha256: shared.sha256, media_type: 'text/plain', size: 6 },
    ]);
    await store.remove('r1');
    expect(await store.artifact(own.sha256)).toBeNull();
    expect((await store.artifact(shared.sha256))?.bytes).toEqual(shared.bytes);
    await store.remove('r2');
    expect(await store.artifact(shared.sha256)).toBeNull();
    await store.remove('r2');
    expect((await store.usage()).runs).toBe(0);
    expect(await store.header('r1')).toBeNull();
  });

  it('lists runs newest first, filtered and paged', async () => {
    for (let n = 0; n < 5; n += 1) await newRun(store, `r${n}`, 1, `2026-01-0${n + 1}T00:00:00.000Z`);
    await store.update('r2', { status: 'incomplete', note: 'The Talk' });
    const names = async (query: Omit<Parameters<RunStore['list']>[0], 'offset' | 'limit'>, offset = 0) => {
      const { total, items } = await store.list({ ...query, offset, limit: 2 });
      return [total, items.map(({ run }) => run)];
    };
    expect(await names({})).toEqual([5, ['r4', 'r3']]);
    expect(await names({}, 4)).toEqual([5, ['r0']]);
    expect(await names({ status: 'incomplete' })).toEqual([1, ['r2']]);
    expect(await names({ text: 'the talk' })).toEqual([1, ['r2']]);
    expect(await names({ text: 'TOY-1', experiment: 'toy', kind: 'wiring' })).toEqual([5, ['r4', 'r3']]);
    expect(await names({ experiment: 'other' })).toEqual([0, []]);
    expect(await names({ kind: 'measured' })).toEqual([0, []]);
  });

  it('gives a stored run as a source', async () => {
    await newRun(store, 'r1');
    await store.commit('r1', [{ position: 0, record: record('once', 0), artifacts: [artifact('x')] }]);
    const source = await storedRun(store, 'r1');
    expect(await collect(source.cases())).toEqual([record('once', 0)]);
    expect(await source.artifact(artifact('x').sha256)).toEqual(utf8.encode('x'));
    expect(await source.artifact(sha256('nothing'))).toBeNull();
    await expect(storedRun(store, 'nobody')).rejects.toMatchObject({ code: 'store_run_missing' });
    await store.flush('r1');
    store.close();
  });

  it('a source is the run at one moment, however far it goes meanwhile', async () => {
    await newRun(store, 'r1', 2);
    const at = (position: number, ordinal: number, reply: string, arm = 'once') =>
      store.journal('r1', [
        { key: { arm, ordinal }, position, index: 0, exchange: toyExchange(reply), closes: true },
      ]);
    await at(0, 0, 'a');
    await store.commit('r1', [{ position: 0, record: record('once', 0), artifacts: [artifact('x')] }]);
    await at(1, 1, 'begun');
    const source = await storedRun(store, 'r1');
    await at(1, 1, 'ended');
    await store.commit('r1', [{ position: 1, record: record('once', 1), artifacts: [artifact('y')] }]);
    await at(2, 0, 'next', 'twice');
    await store.commit('r1', [{ position: 2, record: record('twice', 0), artifacts: [] }]);
    await store.setRuntime('r1', {
      runtime_name: 'x',
      runtime_version: null,
      model_digest: null,
      details: 1,
    });
    expect(source.header.done).toBe(1);
    expect(source.runtime).toBeNull();
    expect(await collect(source.cases())).toEqual([record('once', 0)]);
    expect(await collect(source.cases('once'))).toEqual([record('once', 0)]);
    expect(await collect(source.cases('twice'))).toEqual([]);
    const replies = (await collect(source.exchanges())).map(({ exchange }) => exchange.reply_text);
    expect(replies).toEqual(['a', 'begun']);
    expect((await collect(source.artifacts())).map(({ sha256 }) => sha256)).toEqual([artifact('x').sha256]);
    const later = await storedRun(store, 'r1');
    expect(await collect(later.cases())).toHaveLength(3);
    expect(await collect(later.cases('twice'))).toHaveLength(1);
    const all = (await collect(later.exchanges())).map(({ exchange }) => exchange.reply_text);
    expect(all).toEqual(['a', 'ended', 'next']);
  });

  it('a run that is deleted while it is read does not look like a shorter one', async () => {
    const fill = async () => {
      await newRun(store, 'r1');
      const key = { arm: 'once', ordinal: 0 };
      await store.journal('r1', [{ key, position: 0, index: 0, exchange: toyExchange('a') }]);
      await store.commit('r1', [{ position: 0, record: record('once', 0), artifacts: [artifact('x')] }]);
      return storedRun(store, 'r1');
    };
    const gone = { code: 'store_run_missing' };
    const source = await fill();
    await store.remove('r1');
    await expect(collect(source.cases())).rejects.toMatchObject(gone);
    await expect(collect(source.cases('once'))).rejects.toMatchObject(gone);
    await expect(collect(source.exchanges())).rejects.toMatchObject(gone);
    await expect(collect(source.artifacts())).rejects.toMatchObject(gone);
    await expect(source.artifact(artifact('x').sha256)).rejects.toMatchObject(gone);
    const another = await fill();
    await store.remove('r1');
    await newRun(store, 'r1');
    await expect(collect(another.cases())).rejects.toMatchObject({
      code: 'store_run_changed',
      expected: '1',
      got: '0',
    });
  });
});
