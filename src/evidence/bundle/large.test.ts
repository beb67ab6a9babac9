import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { describe, expect, it } from 'vitest';
import { toyPlan, toyProvider } from '../../runner/testing/toy';
import { toyRun } from '../../runner/testing/toy-run';
import type { CaseRecord, StoredRun } from '../run';
import { openStore } from '../store/indexeddb/open';
import { storedRun } from '../store/source';
import { BATCH } from '../store/store';
import { bundleContents } from './contents';
import { writeJsonBundle } from './json-writer';
import { writeZipBundle } from './zip-writer';

const LARGE = 100_000;

function record(ordinal: number): CaseRecord {
  const outcome = ordinal % 10 === 0 ? 'wrong' : 'correct';
  return {
    arm: 'once',
    ordinal,
    outcome,
    evidence: { reply: `reply ${ordinal}` },
    detail: { latency: ordinal },
  };
}

describe('100,000 cases', () => {
  it.each(['zip', 'json'] as const)(
    'are written as a %s in small chunks, cases drawn as they are needed',
    async (form) => {
      let drawn = 0;
      const small = await toyRun(1);
      const run: StoredRun = {
        ...small,
        cases: async function* () {
          for (let ordinal = 0; ordinal < LARGE; ordinal += 1) {
            drawn += 1;
            yield record(ordinal);
          }
        },
      };
      const contents = bundleContents(run, async function* () {});
      const chunks =
        form === 'zip' ? writeZipBundle(contents) : writeJsonBundle(contents, { inlineImages: false });
      let largest = 0;
      let mostAhead = 0;
      for await (const chunk of chunks) {
        largest = Math.max(largest, chunk.length);
        mostAhead = Math.max(mostAhead, drawn);
        drawn = 0;
      }
      expect(largest).toBeLessThan(256 * 1024);
      // Between two chunks at most some deflate windows of lines are in memory.
      expect(mostAhead).toBeLessThan(LARGE / 20);
    },
  );
});

describe('many cases in IndexedDB', () => {
  it('are listed, filtered, paged and exported without reading all of them at once', async () => {
    globalThis.indexedDB = new IDBFactory();
    const store = await openStore(() => {});
    const cases = 3000;
    const plan = await toyPlan(cases, ['once']);
    await store.create({ run: 'r1', plan, provider: toyProvider, environment: {}, origin: 'here' });
    for (let from = 0; from < cases; from += BATCH) {
      const batch = Array.from({ length: BATCH }, (_, n) => ({
        position: from + n,
        record: record(from + n),
        artifacts: [],
      }));
      await store.commit('r1', batch);
    }
    let largest = 0;
    const getAll = IDBObjectStore.prototype.getAll;
    IDBObjectStore.prototype.getAll = function (query, count) {
      if (this.name === 'cases' || this.name === 'exchanges') largest = Math.max(largest, count ?? Infinity);
      return getAll.call(this, query, count);
    };
    const page = await store.cases('r1', { outcome: 'wrong', offset: 290, limit: 50 });
    expect(page.total).toBe(300);
    expect(page.items.map(({ ordinal }) => ordinal)).toEqual([
      2900, 2910, 2920, 2930, 2940, 2950, 2960, 2970, 2980, 2990,
    ]);
    let bytes = 0;
    const contents = bundleContents(await storedRun(store, 'r1'), async function* () {});
    for await (const chunk of writeZipBundle(contents)) bytes += chunk.length;
    expect(bytes).toBeGreaterThan(10_000);
    IDBObjectStore.prototype.getAll = getAll;
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThanOrEqual(BATCH);
    await store.remove('r1');
    expect((await store.usage()).runs).toBe(0);
  });
});
