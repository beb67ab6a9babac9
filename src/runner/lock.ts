/** One runner at a time a run. `acquire` gives the release, or null while somebody else holds the run. */
export interface RunLocks {
  acquire(run: string): Promise<(() => void) | null>;
}

/** Locks inside one process: for Node, tests, and pages without Web Locks. */
export function memoryLocks(): RunLocks {
  const held = new Set<string>();
  return {
    acquire: async (run) => {
      if (held.has(run)) return null;
      held.add(run);
      return () => held.delete(run);
    },
  };
}

/** The part of `navigator.locks` that is used; the worker passes the real one in. */
export interface LockManagerLike {
  request(
    name: string,
    options: { ifAvailable: true },
    held: (lock: unknown) => Promise<void>,
  ): Promise<unknown>;
}

/**
 * Locks over all tabs of the origin. The browser frees the lock of a tab that was killed. Where it denies locks, as it
 * does in a frame that may store nothing, no other tab sees the runs of this one, and locks of this process do.
 */
export function webLocks(manager: LockManagerLike): RunLocks {
  const own = memoryLocks();
  return {
    acquire: (run) =>
      new Promise((resolve, reject) => {
        const request = manager.request(`pixelproof-run-${run}`, { ifAvailable: true }, (lock) => {
          if (lock === null) {
            resolve(null);
            return Promise.resolve();
          }
          return new Promise<void>((release) => resolve(release));
        });
        request.catch((error: unknown) => {
          if (error instanceof Error && error.name === 'SecurityError')
            own.acquire(run).then(resolve, reject);
          else reject(error);
        });
      }),
  };
}
