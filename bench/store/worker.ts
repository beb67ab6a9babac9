import { bundleContents } from '../../src/evidence/bundle/contents';
import { writeZipBundle } from '../../src/evidence/bundle/zip-writer';
import { openStore } from '../../src/evidence/store/indexeddb/open';
import { storedRun } from '../../src/evidence/store/source';
import { BATCH } from '../../src/evidence/store/store';
import { toyPlan, toyProvider } from '../../src/runner/testing/toy';

// One run of many cases in a browser's own IndexedDB, in a worker as on the site. Posts one StoreFigures.

export interface StoreFigures {
  readonly cases: number;
  readonly store_ms: number;
  readonly first_page_ms: number;
  readonly last_page_ms: number;
  readonly filter_ms: number;
  readonly filtered: number;
  readonly export_ms: number;
  readonly export_bytes: number;
  /** The largest piece of the file that was in memory at once. */
  readonly largest_chunk: number;
}

const RUN = 'bench';

async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const began = performance.now();
  const result = await work();
  return [performance.now() - began, result];
}

async function measure(cases: number): Promise<StoreFigures> {
  const store = await openStore(() => {});
  await store.remove(RUN);
  const plan = await toyPlan(cases, ['once']);
  await store.create({ run: RUN, plan, provider: toyProvider, environment: {}, origin: 'here' });
  const [storeTime] = await timed(async () => {
    for (let from = 0; from < cases; from += BATCH) {
      const size = Math.min(BATCH, cases - from);
      const batch = Array.from({ length: size }, (_, n) => ({
        position: from + n,
        record: {
          arm: 'once',
          ordinal: from + n,
          outcome: (from + n) % 10 === 0 ? 'wrong' : 'correct',
          evidence: { reply: `reply ${from + n}` },
          detail: { latency: from + n },
        },
        artifacts: [],
      }));
      await store.commit(RUN, batch);
    }
  });
  const [first] = await timed(() => store.cases(RUN, { offset: 0, limit: 50 }));
  const [last] = await timed(() => store.cases(RUN, { offset: cases - 50, limit: 50 }));
  const [filter, wrong] = await timed(() =>
    store.cases(RUN, { outcome: 'wrong', offset: cases / 10 - 50, limit: 50 }),
  );
  let bytes = 0;
  let largest = 0;
  const [exported] = await timed(async () => {
    const contents = bundleContents(await storedRun(store, RUN), async function* () {});
    for await (const chunk of writeZipBundle(contents)) {
      bytes += chunk.length;
      largest = Math.max(largest, chunk.length);
    }
  });
  await store.remove(RUN);
  return {
    cases,
    store_ms: storeTime,
    first_page_ms: first,
    last_page_ms: last,
    filter_ms: filter,
    filtered: wrong.total,
    export_ms: exported,
    export_bytes: bytes,
    largest_chunk: largest,
  };
}

addEventListener('message', (event: MessageEvent<number>) => {
  measure(event.data).then(
    (figures) => postMessage(figures),
    (error: unknown) => postMessage(String(error)),
  );
});
