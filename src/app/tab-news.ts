/**
 * What every tab of one origin hears, also one that holds no database open, and also the one that tells. `fits` is what
 * a message must be: another build of the site may be open in another tab.
 */
export class TabNews<T> {
  readonly #name: string;
  readonly #fits: (message: unknown) => message is T;

  readonly #listeners = new Set<(message: T) => void>();
  #open: BroadcastChannel | null = null;

  constructor(name: string, fits: (message: unknown) => message is T) {
    this.#name = name;
    this.#fits = fits;
  }

  #channel(): BroadcastChannel | null {
    try {
      return new BroadcastChannel(this.#name);
    } catch {
      // A frame without an origin has nobody to tell, and hears nobody.
      return null;
    }
  }

  tell(message: T): void {
    const channel = this.#channel();
    channel?.postMessage(message);
    channel?.close();
  }

  /** Calls back for each message, until the function that it gives is called. One channel serves all who listen. */
  on(heard: (message: T) => void): () => void {
    const own = (message: T): void => heard(message);
    if (this.#listeners.size === 0) this.#listen();
    this.#listeners.add(own);
    return () => {
      if (!this.#listeners.delete(own) || this.#listeners.size > 0) return;
      this.#open?.close();
      this.#open = null;
    };
  }

  #listen(): void {
    this.#open = this.#channel();
    if (this.#open === null) return;
    this.#open.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (this.#fits(data)) for (const listener of [...this.#listeners]) listener(data);
    };
  }
}
