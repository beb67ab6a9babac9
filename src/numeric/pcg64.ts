import { SeedSequence } from './seed-sequence';

const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;
const MASK_128 = (1n << 128n) - 1n;
const MASK_64 = (1n << 64n) - 1n;

/**
 * PCG64 (M. E. O'Neill, PCG XSL-RR 128/64) seeded as NumPy's `PCG64(SeedSequence(seed))`: the generator behind
 * `numpy.random.default_rng(seed)`.
 */
export class Pcg64 {
  #state = 0n;
  readonly #increment: bigint;
  /** The high half of the last 64-bit draw, which the next 32-bit draw takes. */
  #kept: number | null = null;

  /** Throws `seed_invalid`. */
  constructor(seed: number | bigint) {
    const [a = 0n, b = 0n, c = 0n, d = 0n] = new SeedSequence(seed).words64(4);
    this.#increment = ((((c << 64n) | d) << 1n) | 1n) & MASK_128;
    this.#step();
    this.#state = (this.#state + ((a << 64n) | b)) & MASK_128;
    this.#step();
  }

  #step(): void {
    this.#state = (this.#state * MULTIPLIER + this.#increment) & MASK_128;
  }

  next64(): bigint {
    this.#step();
    const value = (this.#state >> 64n) ^ (this.#state & MASK_64);
    const turn = this.#state >> 122n;
    return ((value >> turn) | (value << (64n - turn))) & MASK_64;
  }

  /** The low half of a fresh 64-bit draw, then the high half of the same. */
  next32(): number {
    if (this.#kept !== null) {
      const kept = this.#kept;
      this.#kept = null;
      return kept;
    }
    const whole = this.next64();
    this.#kept = Number(whole >> 32n);
    return Number(whole & 0xffffffffn);
  }

  /** A whole number from 0 to `count` - 1, `count` from 1 to 2^32 - 1, by D. Lemire's multiplication (2019). */
  below(count: number): number {
    const n = BigInt(count);
    let product = BigInt(this.next32()) * n;
    if ((product & 0xffffffffn) < n) {
      const threshold = ((1n << 32n) - n) % n;
      while ((product & 0xffffffffn) < threshold) product = BigInt(this.next32()) * n;
    }
    return Number(product >> 32n);
  }
}
