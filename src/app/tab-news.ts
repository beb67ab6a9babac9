/**
 * What every tab of one origin hears, also one that holds no database open, and also the one that tells. `fits` is what
 * a message must be: another build of the site may be open in another tab.
 */
export class TabNews<T> {
  readonly #name: string;
  readonly #fits: (message: unknown) => message is T;

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

  /** Calls back for each message, until the function that it gives is called. */
  on(heard: (message: T) => void): () => void {
    const channel = this.#channel();
    if (channel !== null)
      channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        if (this.#fits(data)) heard(data);
      };
    return () => channel?.close();
  }
}
