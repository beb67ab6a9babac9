const LENGTH = 624;
const SHIFT = 397;

/** MT19937 (Matsumoto and Nishimura, 1998), started from one 32-bit seed with the 2002 initialisation. */
export class Mt19937 {
  readonly #words = new Uint32Array(LENGTH);
  #at = LENGTH;

  constructor(seed: number) {
    this.#words[0] = seed;
    for (let i = 1; i < LENGTH; i += 1) {
      const before = this.#words[i - 1] ?? 0;
      this.#words[i] = Math.imul(1812433253, before ^ (before >>> 30)) + i;
    }
  }

  /** The next word, 0 to 2^32 - 1. */
  next(): number {
    if (this.#at === LENGTH) this.#twist();
    let y = this.#words[this.#at] ?? 0;
    this.#at += 1;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  /** A double in [0, 1): one word over 2^32. */
  nextDouble(): number {
    return this.next() / 4294967296;
  }

  #twist(): void {
    const words = this.#words;
    for (let i = 0; i < LENGTH; i += 1) {
      const y = ((words[i] ?? 0) & 0x80000000) | ((words[(i + 1) % LENGTH] ?? 0) & 0x7fffffff);
      words[i] = (words[(i + SHIFT) % LENGTH] ?? 0) ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    this.#at = 0;
  }
}
