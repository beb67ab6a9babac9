import { outsideIn } from '../outside-words';

/** What a screen reader is told, and what the tab's title says. */
class Announcer {
  spoken = $state('');
  /** The page's own name, for the tab. */
  title = $state('');
  /** `12/48` while something runs, else empty. */
  progress = $state('');
  #last = 0;

  say(text: string): void {
    this.#last = Date.now();
    this.spoken = outsideIn(text);
  }

  /** For running counts: at most one announcement in ten seconds, so that a reader is not drowned. */
  sayNowAndThen(text: string): void {
    if (Date.now() - this.#last > 10_000) this.say(text);
  }

  get tab(): string {
    const name = this.title === '' ? 'Pixelproof' : `${outsideIn(this.title)} · Pixelproof`;
    return this.progress === '' ? name : `${this.progress} · ${name}`;
  }
}

export const announcer = new Announcer();
