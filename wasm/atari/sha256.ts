// SHA-256 (FIPS 180-4) of four messages side by side: lane i of every vector belongs to message i.
import { SHA_STATE, SHA_WORDS } from './layout';

/** Round constants: the fractional parts of the cube roots of the first 64 primes. */
const K: usize = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);

/** The first state: the fractional parts of the square roots of the first eight primes. */
const FIRST: usize = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);

/** Starts four messages. */
export function begin(): void {
  resume(FIRST);
}

/** Continues all four from the state of eight words at `from`. */
export function resume(from: usize): void {
  for (let i = 0; i < 8; i++) v128.store(SHA_STATE + i * 16, v128.load32_splat(from + i * 4));
}

/** The state of the last lane as eight words, for `resume`. */
export function laneStateTo(to: i32): void {
  for (let i = 0; i < 8; i++) store<u32>(to + i * 4, load<u32>(SHA_STATE + i * 16 + 12));
}

/** The four digests, 32 bytes each. */
export function digestsTo(to: i32): void {
  for (let lane = 0; lane < 4; lane++) {
    for (let i = 0; i < 8; i++) {
      store<u32>(to + lane * 32 + i * 4, bswap<u32>(load<u32>(SHA_STATE + i * 16 + lane * 4)));
    }
  }
}

/** Reads one block of each message: at `from`, and at `stride` bytes further for each other lane. */
export function words(from: i32, stride: i32): void {
  for (let i = 0; i < 64; i += 16) {
    const a = v128.load(from + i);
    const b = v128.load(from + stride + i);
    const c = v128.load(from + 2 * stride + i);
    const d = v128.load(from + 3 * stride + i);
    // Big-endian words a0 b0 a1 b1, and so on; then four lanes of each.
    const ab01 = i8x16.shuffle(a, b, 3, 2, 1, 0, 19, 18, 17, 16, 7, 6, 5, 4, 23, 22, 21, 20);
    const cd01 = i8x16.shuffle(c, d, 3, 2, 1, 0, 19, 18, 17, 16, 7, 6, 5, 4, 23, 22, 21, 20);
    const ab23 = i8x16.shuffle(a, b, 11, 10, 9, 8, 27, 26, 25, 24, 15, 14, 13, 12, 31, 30, 29, 28);
    const cd23 = i8x16.shuffle(c, d, 11, 10, 9, 8, 27, 26, 25, 24, 15, 14, 13, 12, 31, 30, 29, 28);
    const to = SHA_WORDS + i * 4;
    v128.store(to, i8x16.shuffle(ab01, cd01, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23));
    v128.store(to + 16, i8x16.shuffle(ab01, cd01, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
    v128.store(to + 32, i8x16.shuffle(ab23, cd23, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23));
    v128.store(to + 48, i8x16.shuffle(ab23, cd23, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
  }
}

@inline
function rotated(x: v128, n: i32): v128 {
  return v128.or(i32x4.shr_u(x, n), i32x4.shl(x, 32 - n));
}

/** The block's 64 words with their round constants added, 16 bytes each, at `to`. */
export function schedule(to: i32): void {
  for (let i = 0; i < 16; i++) {
    v128.store(to + i * 16, i32x4.add(v128.load(SHA_WORDS + i * 16), v128.load32_splat(K + i * 4)));
  }
  for (let i = 16; i < 64; i++) {
    const at = SHA_WORDS + i * 16;
    const w15 = v128.load(at - 15 * 16);
    const w2 = v128.load(at - 2 * 16);
    const s0 = v128.xor(v128.xor(rotated(w15, 7), rotated(w15, 18)), i32x4.shr_u(w15, 3));
    const s1 = v128.xor(v128.xor(rotated(w2, 17), rotated(w2, 19)), i32x4.shr_u(w2, 10));
    const w = i32x4.add(i32x4.add(v128.load(at - 16 * 16), s0), i32x4.add(v128.load(at - 7 * 16), s1));
    v128.store(at, w);
    v128.store(to + i * 16, i32x4.add(w, v128.load32_splat(K + i * 4)));
  }
}

@inline
function first(e: v128, f: v128, g: v128, h: v128, word: i32): v128 {
  const sum = v128.xor(v128.xor(rotated(e, 6), rotated(e, 11)), rotated(e, 25));
  const choice = v128.xor(g, v128.and(e, v128.xor(f, g)));
  return i32x4.add(i32x4.add(sum, choice), i32x4.add(h, v128.load(word)));
}

@inline
function second(a: v128, b: v128, c: v128): v128 {
  const sum = v128.xor(v128.xor(rotated(a, 2), rotated(a, 13)), rotated(a, 22));
  return i32x4.add(sum, v128.xor(b, v128.and(v128.xor(a, b), v128.xor(b, c))));
}

/** Works one block of each message into the state, by the schedule at `from`. */
export function compress(from: i32): void {
  let a = v128.load(SHA_STATE);
  let b = v128.load(SHA_STATE + 16);
  let c = v128.load(SHA_STATE + 32);
  let d = v128.load(SHA_STATE + 48);
  let e = v128.load(SHA_STATE + 64);
  let f = v128.load(SHA_STATE + 80);
  let g = v128.load(SHA_STATE + 96);
  let h = v128.load(SHA_STATE + 112);
  let t: v128;
  const end = from + 1024;
  // Eight rounds bring every variable back to its place, so that none is ever moved.
  for (let at = from; at < end; at += 128) {
    t = first(e, f, g, h, at);
    d = i32x4.add(d, t);
    h = i32x4.add(t, second(a, b, c));
    t = first(d, e, f, g, at + 16);
    c = i32x4.add(c, t);
    g = i32x4.add(t, second(h, a, b));
    t = first(c, d, e, f, at + 32);
    b = i32x4.add(b, t);
    f = i32x4.add(t, second(g, h, a));
    t = first(b, c, d, e, at + 48);
    a = i32x4.add(a, t);
    e = i32x4.add(t, second(f, g, h));
    t = first(a, b, c, d, at + 64);
    h = i32x4.add(h, t);
    d = i32x4.add(t, second(e, f, g));
    t = first(h, a, b, c, at + 80);
    g = i32x4.add(g, t);
    c = i32x4.add(t, second(d, e, f));
    t = first(g, h, a, b, at + 96);
    f = i32x4.add(f, t);
    b = i32x4.add(t, second(c, d, e));
    t = first(f, g, h, a, at + 112);
    e = i32x4.add(e, t);
    a = i32x4.add(t, second(b, c, d));
  }
  v128.store(SHA_STATE, i32x4.add(a, v128.load(SHA_STATE)));
  v128.store(SHA_STATE + 16, i32x4.add(b, v128.load(SHA_STATE + 16)));
  v128.store(SHA_STATE + 32, i32x4.add(c, v128.load(SHA_STATE + 32)));
  v128.store(SHA_STATE + 48, i32x4.add(d, v128.load(SHA_STATE + 48)));
  v128.store(SHA_STATE + 64, i32x4.add(e, v128.load(SHA_STATE + 64)));
  v128.store(SHA_STATE + 80, i32x4.add(f, v128.load(SHA_STATE + 80)));
  v128.store(SHA_STATE + 96, i32x4.add(g, v128.load(SHA_STATE + 96)));
  v128.store(SHA_STATE + 112, i32x4.add(h, v128.load(SHA_STATE + 112)));
}
