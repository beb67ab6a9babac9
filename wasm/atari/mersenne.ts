// MT19937 (Matsumoto and Nishimura 1998) at a fixed address: 624 words, then the index.

const N: i32 = 624;
const M: i32 = 397;

export function seedTwister(at: i32, seed: u32): void {
  store<u32>(at, seed);
  for (let i = 1; i < N; i++) {
    seed = 1812433253 * (seed ^ (seed >> 30)) + i;
    store<u32>(at + i * 4, seed);
  }
  store<i32>(at + N * 4, N);
}

export function nextWord(at: i32): u32 {
  let index = load<i32>(at + N * 4);
  if (index >= N) {
    twist(at);
    index = 0;
  }
  store<i32>(at + N * 4, index + 1);
  let y = load<u32>(at + index * 4);
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680;
  y ^= (y << 15) & 0xefc60000;
  return y ^ (y >> 18);
}

function twist(at: i32): void {
  for (let i = 0; i < N; i++) {
    const next = i + 1 < N ? i + 1 : 0;
    const far = i + M < N ? i + M : i + M - N;
    const y = (load<u32>(at + i * 4) & 0x80000000) | (load<u32>(at + next * 4) & 0x7fffffff);
    store<u32>(at + i * 4, load<u32>(at + far * 4) ^ (y >> 1) ^ (y & 1 ? 0x9908b0df : 0));
  }
}
