import { PixelproofError } from '../../../src/errors';
import type { RunStore } from '../../../src/evidence/store/store';
import { type PreparedRun, prepareResume, prepareRun } from '../../../src/lab/lab';
import { executeRun } from '../../../src/runner';
import type { Progress, RunHeader } from '../../../src/runner/experiment';
import type { RunnerApi } from '../../api';
import { environmentRecord } from '../environment';
import { throttled } from '../throttle';
import { locks, store } from './kept';

/** Runs of this worker that are under way: what ends them, and when they have ended. */
const running = new Map<string, UnderWay>();

interface UnderWay {
  readonly cancel: AbortController;
  readonly end: Promise<void>;
  deleted: boolean;
}

/** Ends every run of this worker for the reason given, and waits until each has ended. */
export async function endAll(reason: DOMException): Promise<void> {
  for (const { cancel } of running.values()) cancel.abort(reason);
  await Promise.all([...running.values()].map(({ end }) => end));
}

async function execute(
  run: string,
  prepare: () => Promise<PreparedRun>,
  onProgress: (progress: Progress) => void,
): Promise<RunHeader | null> {
  const cancel = new AbortController();
  let ended = () => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  // Before anything is awaited: a cancel may come while the run is still being made ready.
  const underWay: UnderWay = { cancel, end, deleted: false };
  running.set(run, underWay);
  const progress = throttled(onProgress);
  try {
    const { experiment, plan, answers } = await prepare();
    const { header } = await executeRun({
      store: await store(),
      locks,
      run,
      experiment,
      plan,
      answers,
      signal: cancel.signal,
      onProgress: progress.report,
      clock: () => performance.now(),
    });
    return underWay.deleted ? null : header;
  } finally {
    progress.flush();
    running.delete(run);
    ended();
  }
}

/** Begins, goes on with, ends and deletes runs. */
export const runControl = {
  async start(request, onHeader, onProgress) {
    const prepared = await prepareRun(request);
    const { plan, answers } = prepared;
    const run = `${plan.experiment}-${crypto.randomUUID()}`;
    const header = await (await store()).create({
      run,
      plan,
      provider: answers.description,
      environment: await environmentRecord(),
      origin: 'here',
    });
    onHeader(header);
    return execute(run, async () => prepared, onProgress);
  },

  async resume(run, onProgress) {
    const prepare = async (): Promise<PreparedRun> => {
      const from = await store();
      const header = await requireRun(from, run);
      const { plan } = await from.plan(run);
      return prepareResume(plan, header.provider);
    };
    return execute(run, prepare, onProgress);
  },

  async cancel(run) {
    running.get(run)?.cancel.abort(new DOMException('Cancelled.', 'AbortError'));
  },

  async remove(run) {
    // What runs here ends first, so that nothing is written into a run that is gone.
    const here = running.get(run);
    if (here !== undefined) {
      here.deleted = true;
      here.cancel.abort(new DOMException('The run was deleted.', 'AbortError'));
      await here.end;
    }
    const release = await locks.acquire(run);
    if (release === null) {
      throw new PixelproofError(
        'run_locked',
        'This run is going on in another tab or in another part of this page; cancel it there, then delete it.',
        { got: run },
      );
    }
    try {
      await (await store()).remove(run);
    } finally {
      release();
    }
  },
} satisfies Partial<RunnerApi>;

async function requireRun(from: RunStore, run: string): Promise<RunHeader> {
  const header = await from.header(run);
  if (header === null)
    throw new PixelproofError('store_run_missing', 'There is no such run here.', { got: run });
  return header;
}
