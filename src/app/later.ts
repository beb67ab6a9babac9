/** What waits for its turn. One piece a task, so that no task of the main thread grows long and holds up a person. */
const waiting: (() => void)[] = [];
/** Where in the line a part goes that the present piece made: it stands in the page before all that waits. */
let inside = 0;
let due = false;

function next(): void {
  inside = 0;
  waiting.shift()?.();
  due = waiting.length > 0;
  if (due) setTimeout(next);
}

function wait(at: number): Promise<void> {
  return new Promise((resolve) => {
    waiting.splice(at, 0, resolve);
    if (!due) setTimeout(next);
    due = true;
  });
}

/** Resolves in a task of its own, after every piece that asked before. */
export function later(): Promise<void> {
  return wait(waiting.length);
}

/**
 * As `later`, but in the order of the page: what was made by the piece that was drawn last comes before all that stood
 * behind that piece already, so that nothing drawn is moved by something above it.
 */
export function laterInPlace(): Promise<void> {
  const at = inside;
  inside += 1;
  return wait(Math.min(at, waiting.length));
}
