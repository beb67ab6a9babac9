import { type Check, SHARED_CHECKS } from '../../src/lab/self-check/measured';
import { type Fact, failed } from '../../src/lab/self-check/report';
import type { SelfCheckApi } from '../self-check-api';
import { gpuFact } from './self-check/gpu';
import { browserFacts, canvasFact } from './self-check/pictures';
import { indexedDbFact, locksFact, opfsFact } from './self-check/storage';
import { videoFact } from './self-check/video';

/** Longer than any check takes on a slow machine. */
const PATIENCE_MS = 15_000;

/** A check of one line, whose failure is that line's. */
interface Single {
  readonly id: string;
  readonly now: string;
  run(): Promise<Fact>;
}

const HERE: readonly Single[] = [
  { id: 'webgpu', now: 'the graphics adapter', run: gpuFact },
  { id: 'canvas', now: 'the canvas', run: canvasFact },
  { id: 'video', now: 'the video encoders', run: videoFact },
  { id: 'indexeddb', now: 'IndexedDB', run: indexedDbFact },
  { id: 'opfs', now: 'private files', run: opfsFact },
  { id: 'locks', now: 'Web Locks', run: locksFact },
];

const CHECKS: readonly Check[] = [
  ...HERE.map(({ id, now, run }) => ({
    now,
    run: async () => [await inTime(run()).catch((thrown: unknown) => failed(id, thrown))],
  })),
  { now: 'the browser’s decoders', run: browserFacts },
  ...SHARED_CHECKS,
];

export const api: SelfCheckApi = {
  async check(onFact, onProgress) {
    for (const [done, { now, run }] of CHECKS.entries()) {
      onProgress(done, CHECKS.length, now);
      for (const fact of await run()) onFact(fact);
    }
    onProgress(CHECKS.length, CHECKS.length, 'done');
  },
};

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DOMException('no answer in 15 seconds', 'TimeoutError')),
      PATIENCE_MS,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
