/** Work that takes one thing at a time; what comes meanwhile waits its turn. `work` does not reject. */
export class InTurn<T> {
  readonly #work: (item: T) => Promise<void>;
  readonly #waiting: T[] = [];
  #busy = false;

  constructor(work: (item: T) => Promise<void>) {
    this.#work = work;
  }

  /**
   * True for the call that has done everything, its own things and those that came meanwhile; false at once where
   * another call is at it already.
   */
  async add(items: readonly T[]): Promise<boolean> {
    this.#waiting.push(...items);
    if (this.#busy) return false;
    this.#busy = true;
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
        await this.#work(next);
    } finally {
      this.#busy = false;
    }
    return true;
  }

  get busy(): boolean {
    return this.#busy;
  }
}
