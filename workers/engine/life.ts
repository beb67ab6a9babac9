/**
 * Whether another worker is still there. No event says that a worker was ended from outside or fell over; but a Web Lock
 * is given back then, whatever happened, and whoever waits for it hears of it.
 */
export async function holdLife(name: string): Promise<void> {
  if (navigator.locks === undefined || name === '') return;
  await new Promise<void>((held) => {
    navigator.locks.request(name, () => {
      held();
      return new Promise(() => {});
    });
  });
}

/** Resolves when the holder is gone; never where there are no locks, or when `signal` is aborted first. */
export function lifeEnded(name: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (navigator.locks === undefined) return;
    navigator.locks.request(name, { signal }, () => resolve()).catch(() => undefined);
  });
}
