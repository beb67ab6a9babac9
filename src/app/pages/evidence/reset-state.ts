/** A key of the history entry: storage was just emptied, so it cannot say that it was. */
export const RESET = 'pixelproof-reset';

/** Whether the page was loaded because the site was reset; said once. */
export function wasReset(): boolean {
  const state: unknown = history.state;
  if (typeof state !== 'object' || state === null || Reflect.get(state, RESET) !== true) return false;
  history.replaceState(null, '', location.hash);
  return true;
}
