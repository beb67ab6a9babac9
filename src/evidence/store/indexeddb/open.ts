import { openDB } from 'idb';
import { PixelproofError } from '../../../errors';
import { MemoryStore } from '../memory';
import { SpillStore } from '../spill';
import type { RunStore, StoreEvent } from '../store';
import { isNewer } from './failure';
import { DATABASE, type Database, type Schema, upgrade, VERSION } from './schema';
import { IndexedDbStore } from './store';

/**
 * Opens the store of this browser. `onEvent` is told what a person has to know:
 *
 * - `store_blocked`: another tab holds an older version open; opening goes on when that tab is closed.
 * - `store_outdated`: another tab wants to bring in a newer version; this connection has closed itself.
 * - `store_reset`: another tab deletes the database; this connection has closed itself.
 * - `store_terminated`: the browser ended the connection (site data cleared, disk failure).
 * - `store_quota`: what the full disk refused is kept in memory until it is exported or there is room.
 *
 * `version` is for a test of the next schema. Throws `store_newer` when the data was made by a newer build and `store_denied` when there is no storage here.
 */
export async function openIndexedDbStore(
  onEvent: (event: StoreEvent) => void,
  version = VERSION,
): Promise<RunStore> {
  let opened: Database | undefined;
  try {
    opened = await openDB<Schema>(DATABASE, version, {
      upgrade,
      blocked: () =>
        onEvent({
          code: 'store_blocked',
          message: 'Another tab holds an older version of the stored runs open; close it to go on here.',
        }),
      blocking: (_now, wanted) => {
        opened?.close();
        if (wanted === null) {
          onEvent({
            code: 'store_reset',
            message:
              'Everything that this site stored was deleted in another tab; reload this one to begin anew.',
          });
          return;
        }
        onEvent({
          code: 'store_outdated',
          message: 'A newer version of this site is open in another tab; reload this one to go on.',
        });
      },
      terminated: () =>
        onEvent({
          code: 'store_terminated',
          message: 'The browser closed the stored runs; reload the page. Finished cases are kept.',
        }),
    });
  } catch (cause) {
    if (isNewer(cause)) {
      throw new PixelproofError(
        'store_newer',
        'The runs stored here were made by a newer build of this site; reload to get it.',
        { expected: `version ${version}`, cause },
      );
    }
    throw new PixelproofError('store_denied', 'This browser gives the page no storage of its own.', {
      cause,
    });
  }
  return new SpillStore(new IndexedDbStore(opened), onEvent);
}

/** The same, with `memory`, and an event that says so, where the browser denies storage. */
export async function openStore(
  onEvent: (event: StoreEvent) => void,
  memory: RunStore = new MemoryStore(),
): Promise<RunStore> {
  try {
    return await openIndexedDbStore(onEvent);
  } catch (error) {
    if (!(error instanceof PixelproofError) || error.code !== 'store_denied') throw error;
    onEvent({
      code: 'store_memory_only',
      message: 'This browser gives the page no storage: runs last until the page closes, so export them.',
    });
    return memory;
  }
}
