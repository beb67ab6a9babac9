import type { RunnerApi } from '../../workers/api';
import { keepsNothing } from './memory-session';
import { anythingAsked, runner } from './workers';

const DATABASE = 'pixelproof';

/**
 * The stored runs, newest first. Where this browser has stored none and this tab has not begun any, that is known without
 * the runner's worker, which is the largest file of the site; a first visit need not fetch it to hear of nothing.
 */
export async function storedRuns(
  query: Parameters<RunnerApi['runs']>[0],
): Promise<Awaited<ReturnType<RunnerApi['runs']>>> {
  if (!anythingAsked() && !keepsNothing() && !(await mayBeStored())) return { runs: [], total: 0 };
  return runner().runs(query);
}

/** False only where the browser says that there is no such database. */
async function mayBeStored(): Promise<boolean> {
  try {
    const names = await indexedDB.databases();
    return names.some(({ name }) => name === DATABASE);
  } catch {
    // A browser that lists nothing, or keeps nothing: the runner says what is wrong.
    return true;
  }
}
