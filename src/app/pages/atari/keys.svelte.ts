import { remember, remembered } from '../../theme.svelte';
import { CONTROLS, type Control } from './joystick';

const KEY = 'pixelproof.atari.keys';

/** `KeyboardEvent.code`: the place of a key, whatever is printed on it. */
const DEFAULTS: Readonly<Record<Control, string>> = {
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  fire: 'Space',
};

/** Keys that the page itself needs. */
const TAKEN = ['Tab', 'Escape', 'KeyP', 'Period', 'Comma', 'Enter'];

/** Which key is which control. Kept in this browser. */
class Keys {
  bound: Readonly<Record<Control, string>> = $state.raw(read());

  controlOf(code: string): Control | null {
    return CONTROLS.find((control) => this.bound[control] === code) ?? null;
  }

  /** False for a key that is needed for something else. A key of another control changes places with this one. */
  bind(control: Control, code: string): boolean {
    if (TAKEN.includes(code)) return false;
    const other = this.controlOf(code);
    const next = { ...this.bound, [control]: code };
    if (other !== null && other !== control) next[other] = this.bound[control];
    this.bound = next;
    remember(KEY, JSON.stringify(next));
    return true;
  }

  reset(): void {
    this.bound = DEFAULTS;
    remember(KEY, '');
  }
}

function read(): Readonly<Record<Control, string>> {
  try {
    const stored: unknown = JSON.parse(remembered(KEY) ?? '');
    if (typeof stored !== 'object' || stored === null) return DEFAULTS;
    const bound = { ...DEFAULTS };
    for (const control of CONTROLS) {
      const code: unknown = Reflect.get(stored, control);
      if (typeof code === 'string' && /^\w{1,20}$/.test(code) && !TAKEN.includes(code)) bound[control] = code;
    }
    return bound;
  } catch {
    return DEFAULTS;
  }
}

/** `ArrowUp` as `↑`, `KeyW` as `W`. */
export function keyName(code: string): string {
  const arrows: Readonly<Record<string, string>> = {
    ArrowUp: '↑',
    ArrowDown: '↓',
    ArrowLeft: '←',
    ArrowRight: '→',
  };
  return arrows[code] ?? code.replace(/^(Key|Digit)/, '').replace(/([a-z])([A-Z])/g, '$1 $2');
}

export const keys = new Keys();
