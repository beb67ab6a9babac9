import { keepsNothing } from './memory-session';

export type ThemeChoice = 'auto' | 'light' | 'dark';
const KEY = 'pixelproof.theme';
const CHOICES: readonly ThemeChoice[] = ['auto', 'light', 'dark'];

/** Storage may be denied (a private window, a sandboxed frame); a preference is then kept for this visit only. */
export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
export function remember(key: string, value: string): void {
  if (keepsNothing()) return;
  try {
    localStorage.setItem(key, value);
  } catch {
    // Denied storage: nothing to keep it in, and nothing is lost but the preference.
  }
}

class Theme {
  choice: ThemeChoice = $state(CHOICES.find((choice) => choice === remembered(KEY)) ?? 'auto');

  constructor() {
    this.#apply();
  }

  choose(choice: ThemeChoice): void {
    this.choice = choice;
    remember(KEY, choice);
    this.#apply();
  }

  next(): void {
    const at = CHOICES.indexOf(this.choice);
    this.choose(CHOICES[(at + 1) % CHOICES.length] ?? 'auto');
  }

  #apply(): void {
    document.documentElement.dataset.theme = this.choice;
  }
}

export const theme = new Theme();
