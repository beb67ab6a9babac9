import 'fake-indexeddb/auto';
import { readFileSync } from 'node:fs';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, it } from 'vitest';
import { PixelproofError } from '../../errors';
import { executeRun, liveAnswers, memoryLocks } from '../../runner/index';
import { toyExperiment, toyLive, toyPlan, toyProvider } from '../../runner/testing/toy';
import { collected, toyDirectory, toyJson, toyRun, toyZip } from '../../runner/testing/toy-run';
import { bundleContents } from '../bundle/contents';
import { writeZipBundle } from '../bundle/zip-writer';
import { openStore } from '../store/indexeddb/open';
import { MemoryStore } from '../store/memory';
import { storedRun } from '../store/source';
import type { RunStore } from '../store/store';
import { importBundle } from './import';
import { verifyBundle } from './verify';

const fixture = (name: string) => new Uint8Array(readFileSync(`fixtures/evidence/${name}`));
const ROOT = 'sha256:2325fd67689387f609b94e19be4618872247270aefc00e51bd4900912f8791d4';
const EXPERIMENTS = [toyExperiment];

describe.each<[string, () => Promise<RunStore>]>([
  ['memory', async () => new MemoryStore()],
  ['indexeddb', () => openStore(() => {})],
])('into %s', (_name, open) => {
  let store: RunStore;
  beforeEach(async () => {
    globalThis.indexedDB = new IDBFactory();
    store = await open();
  });

  it.each(['zip', 'json', 'directory'])('a %s, exported again as the same bytes', async (form) => {
    const run = await toyRun(2);
    const forms: Record<string, () => Promise<Parameters<typeof importBundle>[0]>> = {
      zip: () => toyZip(run),
      json: () => toyJson(run, true),
      directory: () => toyDirectory(run),
    };
    const input = await forms[form]?.();
    if (input === undefined) throw new Error(form);
    const { status, header } = await importBundle(input, store, EXPERIMENTS);
    expect(status).toBe('stored');
    expect(header).toMatchObject({
      run: 'toy-run',
      status: 'complete',
      root_digest: ROOT,
      origin: 'imported',
      kind: 'wiring',
      done: 4,
      stopped: null,
      created_at: '2026-01-01T00:00:00.000Z',
    });
    expect(await toyZip(await storedRun(store, 'toy-run'))).toEqual(fixture('toy.zip'));
  });

  it('the same run twice is stored once', async () => {
    expect((await importBundle(fixture('toy.zip'), store, EXPERIMENTS)).status).toBe('stored');
    expect((await importBundle(fixture('toy.json'), store, EXPERIMENTS)).status).toBe('already_stored');
    expect((await store.usage()).runs).toBe(1);
  });

  it('the same record in another container, with its pictures or without, is stored already', async () => {
    const run = await toyRun(2);
    expect((await importBundle(await toyJson(run, false), store, EXPERIMENTS)).status).toBe('stored');
    for (const input of [await toyJson(run, false), await toyZip(run), await toyDirectory(run)])
      expect((await importBundle(input, store, EXPERIMENTS)).status).toBe('already_stored');
  });

  it('another record of the same run is a conflict that gives both record digests', async () => {
    const run = await toyRun(2);
    await importBundle(await toyZip(run), store, EXPERIMENTS);
    const slower = async function* () {
      for await (const each of run.exchanges())
        yield { ...each, exchange: { ...each.exchange, latency_us: 7_000_000 } };
    };
    const header = { ...run.header, provider: { ...run.header.provider, label: 'Somebody else' } };
    for (const other of [
      { ...run, environment: { browser: 'another' } },
      { ...run, exchanges: slower },
      { ...run, header },
    ]) {
      const bytes = await toyZip(other);
      const verified = await verifyBundle(bytes, EXPERIMENTS);
      expect(verified.ok).toBe(true);
      expect(verified.root_digest.got).toBe(ROOT);
      await expect(importBundle(bytes, store, EXPERIMENTS)).rejects.toMatchObject({
        code: 'import_conflict',
        expected: (await verifyBundle(fixture('toy.zip'), EXPERIMENTS)).record_digest.got,
        got: verified.record_digest.got,
      });
    }
    expect(await toyZip(await storedRun(store, 'toy-run'))).toEqual(fixture('toy.zip'));
  });

  it('nothing that does not verify, and nothing stored is lost', async () => {
    await importBundle(fixture('toy.zip'), store, EXPERIMENTS);
    for (const bad of [
      fixture('toy.zip').slice(0, 999),
      new Uint8Array([1, 2, 3]),
      flipped(fixture('toy.json')),
    ]) {
      const { status, verification, header } = await importBundle(bad, store, EXPERIMENTS);
      expect(status).toBe('refused');
      expect(verification.findings.some(({ level }) => level === 'failure')).toBe(true);
      expect(header).toBeNull();
    }
    expect((await store.header('toy-run'))?.root_digest).toBe(ROOT);
  });

  it('refuses another run of the same name', async () => {
    const plan = await toyPlan(3);
    await store.create({ run: 'toy-run', plan, provider: toyProvider, environment: {}, origin: 'here' });
    await expect(importBundle(fixture('toy.zip'), store, EXPERIMENTS)).rejects.toMatchObject({
      code: 'import_conflict',
    });
    expect((await store.header('toy-run'))?.plan_id).toBe(plan.plan_id);
    await store.remove('toy-run');
    const same = await toyPlan(2);
    await store.create({
      run: 'toy-run',
      plan: same,
      provider: toyProvider,
      environment: {},
      origin: 'here',
    });
    await expect(importBundle(fixture('toy.zip'), store, EXPERIMENTS)).rejects.toMatchObject({
      code: 'import_conflict',
    });
  });

  it('an unfinished run, which can be resumed', async () => {
    const half = await halfRun();
    const zip = await collected(
      writeZipBundle(bundleContents(half, () => toyExperiment.files(half as never))),
    );
    const { status, header } = await importBundle(zip, store, EXPERIMENTS);
    expect(status).toBe('stored');
    expect(header).toMatchObject({ status: 'incomplete', done: 2, stopped: { code: 'import_partial' } });
    expect((await importBundle(zip, store, EXPERIMENTS)).status).toBe('already_stored');
    const provider = toyLive();
    const end = await executeRun({
      store,
      locks: memoryLocks(),
      run: 'toy-run',
      experiment: toyExperiment,
      answers: liveAnswers(provider),
      signal: new AbortController().signal,
    });
    expect(end.header.root_digest).toBe(ROOT);
    // Six questions: two of finished cases and one of the open case came with the bundle.
    expect(provider.calls).toBe(3);
    await expect(importBundle(zip, store, EXPERIMENTS)).resolves.toMatchObject({ status: 'already_stored' });
    await expect(importBundle(await otherHalf(), store, EXPERIMENTS)).rejects.toMatchObject({
      code: 'import_conflict',
    });
  });
});

describe('a full disk during an import', () => {
  it('leaves nothing half stored', async () => {
    const store = new MemoryStore();
    store.seal = async () => {
      throw new PixelproofError('store_quota', 'full');
    };
    await expect(importBundle(fixture('toy.zip'), store, EXPERIMENTS)).rejects.toMatchObject({
      code: 'store_quota',
    });
    expect((await store.usage()).runs).toBe(0);
  });

  it('or a killed tab: the next import begins anew', async () => {
    const store = new MemoryStore();
    const { remove, commit } = store;
    store.remove = async () => {
      throw new Error('killed');
    };
    store.commit = async () => {
      throw new Error('killed');
    };
    await expect(importBundle(fixture('toy.zip'), store, EXPERIMENTS)).rejects.toThrow('killed');
    expect((await store.header('toy-run'))?.stopped?.code).toBe('import_unfinished');
    const half = await storedRun(store, 'toy-run');
    expect(() => bundleContents(half, async function* () {})).toThrow(
      expect.objectContaining({ code: 'import_unfinished' }),
    );
    const answers = liveAnswers(toyLive());
    const again = { store, locks: memoryLocks(), run: 'toy-run', experiment: toyExperiment, answers };
    await expect(executeRun({ ...again, signal: new AbortController().signal })).rejects.toMatchObject({
      code: 'import_unfinished',
    });
    Object.assign(store, { remove, commit });
    expect((await importBundle(fixture('toy.zip'), store, EXPERIMENTS)).status).toBe('stored');
  });
});

function flipped(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice();
  copy[600] = (copy[600] ?? 0) ^ 1;
  return copy;
}

/** Two cases finished, the third asked once and then cut off. */
async function halfRun() {
  const store = new MemoryStore(() => '2026-01-01T00:00:00.000Z');
  const plan = await toyPlan(2);
  await store.create({ run: 'toy-run', plan, provider: toyProvider, environment: {}, origin: 'here' });
  const controller = new AbortController();
  await executeRun({
    store,
    locks: memoryLocks(),
    run: 'toy-run',
    experiment: toyExperiment,
    answers: liveAnswers(
      toyLive((call) => {
        if (call === 4) controller.abort();
      }),
    ),
    signal: controller.signal,
  });
  return storedRun(store, 'toy-run');
}

/** The same run, unfinished too, but with another answer in it. */
async function otherHalf(): Promise<Uint8Array<ArrayBuffer>> {
  const half = await halfRun();
  const changed = {
    ...half,
    cases: async function* () {
      for await (const record of half.cases()) yield { ...record, outcome: 'wrong' };
    },
  };
  return collected(writeZipBundle(bundleContents(changed, () => toyExperiment.files(half as never))));
}
