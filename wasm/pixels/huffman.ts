// Length-limited prefix codes for DEFLATE blocks (RFC 1951, 3.2.2). The construction (a heap ordered by frequency, then
// depth, and the way over-long codes are shortened) decides ties, so it follows classic zlib's rules exactly: another
// optimal code of equal cost would give other bytes.

/** Symbols in the largest tree: 286 literals and lengths. */
const MAX_SYMBOLS = 286;
const HEAP = 2 * MAX_SYMBOLS + 1;

const heapAt: usize = memory.data(HEAP * 4, 16);
const depthAt: usize = memory.data(HEAP * 4, 16);
const parentAt: usize = memory.data(HEAP * 4, 16);
const workFreq: usize = memory.data(HEAP * 4, 16);
const workLen: usize = memory.data(HEAP * 4, 16);
const lengthCount: usize = memory.data(16 * 4, 16);
const nextCode: usize = memory.data(16 * 4, 16);

let heapLength = 0;

/** Bits that the symbols counted in the last built tree take, extra bits included. */
export let treeBits: i32 = 0;

@inline
function get(base: usize, i: i32): i32 {
  return load<i32>(base + ((<usize>i) << 2));
}

@inline
function set(base: usize, i: i32, value: i32): void {
  store<i32>(base + ((<usize>i) << 2), value);
}

function before(a: i32, b: i32): bool {
  const fa = get(workFreq, a);
  const fb = get(workFreq, b);
  return fa < fb || (fa == fb && get(depthAt, a) <= get(depthAt, b));
}

function sift(k: i32): void {
  const moving = get(heapAt, k);
  let child = k << 1;
  while (child <= heapLength) {
    if (child < heapLength && before(get(heapAt, child + 1), get(heapAt, child))) child++;
    if (before(moving, get(heapAt, child))) break;
    set(heapAt, k, get(heapAt, child));
    k = child;
    child <<= 1;
  }
  set(heapAt, k, moving);
}

/**
 * Builds the code for `symbols` frequencies (i32 each) at `freq`. Writes code lengths (i32) to `lengths` and the codes,
 * bit-reversed for output, to `codes`. `extra` gives extra bits (u8) of symbols from `extraBase` on. A tree always
 * has at least two codes; forced ones get frequency 1 in `freq`. Returns the largest symbol that has a code, and
 * leaves the size of the coded symbols in `treeBits`.
 */
export function buildTree(freq: usize, lengths: usize, codes: usize, symbols: i32, extra: usize, extraBase: i32, maxLength: i32): i32 {
  let last = -1;
  heapLength = 0;
  let sorted = HEAP;
  let forced = 0;
  for (let n = 0; n < symbols; n++) {
    const f = get(freq, n);
    set(workFreq, n, f);
    set(lengths, n, 0);
    if (f != 0) {
      set(heapAt, ++heapLength, n);
      last = n;
      set(depthAt, n, 0);
    }
  }
  while (heapLength < 2) {
    const node = last < 2 ? ++last : 0;
    set(heapAt, ++heapLength, node);
    set(workFreq, node, 1);
    set(freq, node, 1);
    set(depthAt, node, 0);
    forced++;
  }
  for (let n = heapLength >> 1; n >= 1; n--) sift(n);

  let node = symbols;
  do {
    const n = get(heapAt, 1);
    set(heapAt, 1, get(heapAt, heapLength--));
    sift(1);
    const m = get(heapAt, 1);
    set(heapAt, --sorted, n);
    set(heapAt, --sorted, m);
    set(workFreq, node, get(workFreq, n) + get(workFreq, m));
    const dn = get(depthAt, n);
    const dm = get(depthAt, m);
    set(depthAt, node, (dn >= dm ? dn : dm) + 1);
    set(parentAt, n, node);
    set(parentAt, m, node);
    set(heapAt, 1, node++);
    sift(1);
  } while (heapLength >= 2);
  set(heapAt, --sorted, get(heapAt, 1));

  assignLengths(freq, lengths, sorted, last, extra, extraBase, maxLength);
  // The forced codes were counted with frequency 1 but no such symbol is written.
  treeBits -= forced;
  assignCodes(lengths, codes, last, maxLength);
  return last;
}

function assignLengths(freq: usize, lengths: usize, sorted: i32, last: i32, extra: usize, extraBase: i32, maxLength: i32): void {
  memory.fill(lengthCount, 0, 64);
  treeBits = 0;
  let overflow = 0;
  set(workLen, get(heapAt, sorted), 0);
  if (get(heapAt, sorted) <= last) set(lengths, get(heapAt, sorted), 0);
  let h = sorted + 1;
  for (; h < HEAP; h++) {
    const n = get(heapAt, h);
    let bits = get(workLen, get(parentAt, n)) + 1;
    if (bits > maxLength) {
      bits = maxLength;
      overflow++;
    }
    set(workLen, n, bits);
    if (n > last) continue;
    set(lengths, n, bits);
    set(lengthCount, bits, get(lengthCount, bits) + 1);
    const extraBits = n >= extraBase ? <i32>load<u8>(extra + <usize>(n - extraBase)) : 0;
    treeBits += get(freq, n) * (bits + extraBits);
  }
  if (overflow == 0) return;

  // Move leaves down from the deepest level with room until the over-long ones fit.
  do {
    let bits = maxLength - 1;
    while (get(lengthCount, bits) == 0) bits--;
    set(lengthCount, bits, get(lengthCount, bits) - 1);
    set(lengthCount, bits + 1, get(lengthCount, bits + 1) + 2);
    set(lengthCount, maxLength, get(lengthCount, maxLength) - 1);
    overflow -= 2;
  } while (overflow > 0);
  // Hand the new lengths out again, the rarest symbols first.
  h = HEAP;
  for (let bits = maxLength; bits != 0; bits--) {
    let n = get(lengthCount, bits);
    while (n != 0) {
      const m = get(heapAt, --h);
      if (m > last) continue;
      if (get(lengths, m) != bits) {
        treeBits += (bits - get(lengths, m)) * get(freq, m);
        set(lengths, m, bits);
      }
      n--;
    }
  }
}

/** Codes in order of length, then symbol (RFC 1951, 3.2.2), each reversed. `lengthCount` need not be current. */
export function assignCodes(lengths: usize, codes: usize, last: i32, maxLength: i32): void {
  memory.fill(lengthCount, 0, 64);
  for (let n = 0; n <= last; n++) {
    const bits = get(lengths, n);
    if (bits != 0) set(lengthCount, bits, get(lengthCount, bits) + 1);
  }
  let code = 0;
  for (let bits = 1; bits <= maxLength; bits++) {
    code = (code + get(lengthCount, bits - 1)) << 1;
    set(nextCode, bits, code);
  }
  for (let n = 0; n <= last; n++) {
    const bits = get(lengths, n);
    if (bits == 0) continue;
    const value = get(nextCode, bits);
    set(nextCode, bits, value + 1);
    set(codes, n, reverse(value, bits));
  }
}

function reverse(value: i32, length: i32): i32 {
  let out = 0;
  for (; length > 0; length--) {
    out = (out << 1) | (value & 1);
    value >>= 1;
  }
  return out;
}
