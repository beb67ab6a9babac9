import { ARRIVED } from './arrival';

/** Of this tab's own storage; a reset leaves it, or the tab would begin to write in silence. */
export const KEEP_NOTHING = 'pixelproof.keep-nothing';

/** Whether a person wants this tab to keep nothing. It ends with the tab, and a page that is loaded anew asks again. */
export function keepsNothing(): boolean {
  try {
    return sessionStorage.getItem(KEEP_NOTHING) === 'yes';
  } catch {
    return false;
  }
}

/**
 * Switches for this tab and loads the page anew: workers open their store once, and no page may go on showing runs of the
 * store before. False where the browser denies even this; it then keeps nothing anyway.
 */
export function keepNothing(on: boolean): boolean {
  try {
    if (on) sessionStorage.setItem(KEEP_NOTHING, 'yes');
    else sessionStorage.removeItem(KEEP_NOTHING);
  } catch {
    return false;
  }
  // The page that comes says what was done.
  history.replaceState({ [ARRIVED]: on ? 'keeps-nothing' : 'keeps-again' }, '', location.hash);
  location.reload();
  return true;
}
