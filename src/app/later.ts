/** What waits for its turn to be drawn. One part a task, so that no task of the main thread grows long. */
let turn: Promise<void> = Promise.resolve();

/** Resolves in a task of its own, after every part that asked before. */
export function later(): Promise<void> {
  turn = turn.then(() => new Promise((resolve) => setTimeout(resolve)));
  return turn;
}
