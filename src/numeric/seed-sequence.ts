import { PixelproofError } from '../errors';

/**
 * NumPy's `SeedSequence` with a pool of four words (M. E. O'Neill's seed_seq, as NumPy 1.17 and later have it): spreads
 * a seed of any size over as many words as are asked for. All arithmetic is modulo 2^32.
 */
const POOL = 4;
const INIT_A = 0x43b0d7e5;
const MULT_A = 0x931e8875;
const INIT_B = 0x8b51f9dd;
const MULT_B = 0x58f38ded;
const MIX_LEFT = 0xca01f9dd;
const MIX_RIGHT = 0x4973f715;

export class SeedSequence {
  readonly #pool: Uint32Array;

  /** `seed` is a whole number from 0. Throws `seed_invalid`. */
  constructor(seed: number | bigint) {
    if (typeof seed === 'number' ? !Number.isSafeInteger(seed) || seed < 0 : seed < 0n) {
      throw new PixelproofError('seed_invalid', 'A seed is a whole number from 0.', { got: String(seed) });
    }
    this.#pool = poolOf(limbsOf(BigInt(seed)));
  }

  /** The first `count` 32-bit words. */
  words(count: number): number[] {
    let hash = INIT_B;
    return Array.from({ length: count }, (_, index) => {
      let value = (this.#pool[index % POOL] ?? 0) ^ hash;
      hash = Math.imul(hash, MULT_B);
      value = Math.imul(value, hash);
      return (value ^ (value >>> 16)) >>> 0;
    });
  }

  /** The first `count` 64-bit words: pairs of 32-bit words, the low one first. */
  words64(count: number): bigint[] {
    const halves = this.words(2 * count).map(BigInt);
    return Array.from(
      { length: count },
      (_, i) => (halves[2 * i] ?? 0n) | ((halves[2 * i + 1] ?? 0n) << 32n),
    );
  }
}

/** Little-endian 32-bit limbs; zero has one. */
function limbsOf(seed: bigint): number[] {
  const limbs: number[] = [];
  for (let rest = seed; rest > 0n || limbs.length === 0; rest >>= 32n) limbs.push(Number(rest & 0xffffffffn));
  return limbs;
}

function poolOf(entropy: readonly number[]): Uint32Array {
  let hash = INIT_A;
  const hashed = (word: number): number => {
    let value = word ^ hash;
    hash = Math.imul(hash, MULT_A);
    value = Math.imul(value, hash);
    return value ^ (value >>> 16);
  };
  const mixed = (x: number, y: number): number => {
    const value = Math.imul(x, MIX_LEFT) - Math.imul(y, MIX_RIGHT);
    return value ^ (value >>> 16);
  };
  const pool = new Uint32Array(POOL);
  for (let i = 0; i < POOL; i += 1) pool[i] = hashed(entropy[i] ?? 0);
  for (let from = 0; from < POOL; from += 1) {
    for (let to = 0; to < POOL; to += 1) {
      if (from !== to) pool[to] = mixed(pool[to] ?? 0, hashed(pool[from] ?? 0));
    }
  }
  for (const limb of entropy.slice(POOL)) {
    for (let to = 0; to < POOL; to += 1) pool[to] = mixed(pool[to] ?? 0, hashed(limb));
  }
  return pool;
}
