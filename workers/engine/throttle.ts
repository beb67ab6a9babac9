/** How often a page hears of progress, in milliseconds: often enough to watch, too rare to keep it busy. */
const EVERY_MS = 100;

/** Passes on at most ten reports a second; `flush` passes on the last one that was held back. */
export function throttled<Progress>(listener: (progress: Progress) => void) {
  let last = Number.NEGATIVE_INFINITY;
  let held: Progress | null = null;
  return {
    report(progress: Progress): void {
      const now = performance.now();
      if (now - last < EVERY_MS) {
        held = progress;
        return;
      }
      last = now;
      held = null;
      listener(progress);
    },
    flush(): void {
      if (held !== null) listener(held);
      held = null;
    },
  };
}
