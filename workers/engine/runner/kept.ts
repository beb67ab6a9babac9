import type { RunStore } from '../../../src/evidence/store/store';
import { webLocks } from '../../../src/runner';
import { KeptStore } from '../kept-store';

// What everything in this worker shares: where runs are kept, and who may write into one.

export const kept = new KeptStore();
export const store = (): Promise<RunStore> => kept.open();
export const locks = webLocks(navigator.locks);
