import { remember, remembered } from './theme.svelte';

const KEY = 'pixelproof.shortcuts';

export interface Shortcut {
  readonly keys: string;
  readonly does: string;
}

/** Shown by the overlay. Those of pictures act only while a picture has the focus. */
export const SHORTCUTS: readonly { readonly place: string; readonly list: readonly Shortcut[] }[] = [
  {
    place: 'Everywhere',
    list: [
      { keys: '?', does: 'Show or hide this list' },
      { keys: 't', does: 'Theme: automatic, light, dark' },
      { keys: 'l', does: 'On an experiment and under Evidence: copy a link to what is shown' },
      { keys: '1 – 5', does: 'On an experiment: Plan, Run, Look, Judge, Report' },
    ],
  },
  {
    place: 'In a picture',
    list: [
      { keys: '+  −', does: 'Zoom in, zoom out' },
      { keys: '0', does: 'Fit to the frame' },
      { keys: 'Arrows', does: 'Move the point whose pixel is read; ten times as far with Shift' },
      { keys: 'Wheel', does: 'Zoom, once the picture has the focus; with Ctrl or a pinch, always' },
    ],
  },
  {
    place: 'In the grid of pictures and in the strip of readings',
    list: [
      { keys: 'Arrows', does: 'Move from cell to cell; Home and End along a row, with Ctrl to the corners' },
      { keys: 'a  b', does: 'Grid of pictures: make this picture A, or B' },
    ],
  },
  {
    place: 'In a comparison',
    list: [
      { keys: 'b  s  d', does: 'Blink, slider, difference' },
      { keys: 'Space', does: 'Blink: show the other picture' },
    ],
  },
  {
    place: 'In the Atari’s picture',
    list: [
      { keys: 'Arrows', does: 'Stick or paddle; Space is the button (both can be changed on the page)' },
      { keys: 'p', does: 'Play, pause' },
      { keys: '.  ,', does: 'One frame on, one frame back' },
      { keys: 'Escape', does: 'Pause and leave the picture' },
    ],
  },
];

/** What takes letters itself. A box to tick and a choice to make do not. */
const FIELDS = 'input:not([type="checkbox"], [type="radio"]), select, textarea, [contenteditable]';

/** Single-key shortcuts can be turned off: some people talk to their keyboard. */
class Shortcuts {
  on = $state(remembered(KEY) !== 'off');
  open = $state(false);

  set(on: boolean): void {
    this.on = on;
    remember(KEY, on ? 'on' : 'off');
  }

  /** True when a key press is meant for a field or a control, or is part of a chord. */
  ignores(event: KeyboardEvent): boolean {
    if (!this.on || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
    const target = event.target;
    return target instanceof HTMLElement && target.closest(FIELDS) !== null;
  }
}

export const shortcuts = new Shortcuts();
