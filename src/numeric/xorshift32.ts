/**
 * Marsaglia's 32-bit xorshift generator (13, 17, 5), for drawings and test inputs: whole numbers only, the same on every
 * machine. Not for statistics.
 */
export class Xorshift32 {
  private state: number;

  constructor(seed: number) {
    // Zero is the one state that never changes; the constant only spreads small seeds.
    this.state = (Math.imul(seed >>> 0, 2654435761) ^ 0x9e3779b9) >>> 0 || 1;
    for (let i = 0; i < 8; i++) this.next();
  }

  /** 1..2^32-1. */
  next(): number {
    let x = this.state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state = x >>> 0;
    return this.state;
  }

  /** A whole number from..to, both included. */
  between(from: number, to: number): number {
    return from + (this.next() % (to - from + 1));
  }
}
