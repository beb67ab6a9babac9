/** Longer than a double press takes, shorter than a change of mind. */
const DOUBLE_PRESS_MS = 400;

/**
 * Cancel stands where Start stood, under the same finger and with the focus: the second half of a double click, and an
 * Enter that is held or pressed twice, meant Start. `since` is when Cancel came, in the time of `performance.now()`.
 */
export function deliberate(event: MouseEvent, since: number): boolean {
  // A click has detail 0 from a key, 2 where it is the second of two.
  if (event.detail === 0) return event.timeStamp - since > DOUBLE_PRESS_MS;
  return event.detail === 1;
}
