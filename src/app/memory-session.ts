const KEY = 'pixelproof.keep-nothing';

/** Whether a person wants this tab to keep nothing. It ends with the tab, and a page that is loaded anew asks again. */
export function keepsNothing(): boolean {
  try {
    return sessionStorage.getItem(KEY) === 'yes';
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
    if (on) sessionStorage.setItem(KEY, 'yes');
    else sessionStorage.removeItem(KEY);
  } catch {
    return false;
  }
  location.reload();
  return true;
}
