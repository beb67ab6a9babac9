import fc from 'fast-check';
import { deflate, inflate } from 'pako';
import { describe, expect, test } from 'vitest';
import { adler32, crc32, zlibFiltered } from './zlib';

/** pako 2.1.0 is a port of classic zlib: the independent party here. */
const theirs = (data: Uint8Array) => deflate(data, { level: 6, memLevel: 9, strategy: 1, windowBits: 15 });

function expectSame(data: Uint8Array): void {
  expect(Buffer.compare(zlibFiltered(data), theirs(data))).toBe(0);
}

/** A small reproducible generator (Numerical Recipes' LCG); returns 0..n-1. */
function dice(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Literals and copies over all distances that a window can reach, which is what matching has to find again. */
function repetitive(length: number, seed: number): Uint8Array {
  const roll = dice(seed);
  const data = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const end = Math.min(length, at + 1 + roll(400));
    if (at < 100 || roll(2) === 0) {
      data.fill(roll(256), at, end);
      at = end;
    } else {
      const distance = 1 + roll(Math.min(at - 1, 40_000));
      for (; at < end; at++) data[at] = data[at - distance] ?? 0;
    }
  }
  return data;
}

describe('zlib streams equal classic zlib level 6, memLevel 9, filtered', () => {
  test('empty and tiny', () => {
    for (let n = 0; n < 300; n++) {
      const roll = dice(n);
      expectSame(Uint8Array.from({ length: n }, () => roll(3)));
      expectSame(Uint8Array.from({ length: n }, () => roll(256)));
    }
  });

  // Lengths around the symbol buffer (32767), the window and its double; alphabets from constant to noise.
  test.each([32766, 32767, 32768, 65273, 65275, 65535, 65536, 65537, 98304, 250_000])('length %i', (n) => {
    for (const letters of [1, 2, 5, 40, 256]) {
      const roll = dice(n + letters);
      expectSame(Uint8Array.from({ length: n }, () => roll(letters)));
    }
    expectSame(repetitive(n, n));
    const roll = dice(n);
    expectSame(Uint8Array.from({ length: n }, () => (roll(100) === 0 ? roll(256) : 0)));
    expectSame(Uint8Array.from({ length: n }, (_, i) => (i % 2689 === 0 ? 2 : 0)));
    expectSame(Uint8Array.from({ length: n }, (_, i) => (i % 70_000 < 34_000 ? roll(256) : roll(3))));
  });

  test('frequencies that make codes too long', () => {
    const data: number[] = [];
    for (let symbol = 0, a = 1, b = 1; symbol < 22; symbol++, [a, b] = [b, a + b]) {
      for (let i = 0; i < a; i++) data.push(symbol);
    }
    const roll = dice(1);
    for (let i = data.length - 1; i > 0; i--) {
      const j = roll(i + 1);
      [data[i], data[j]] = [data[j] ?? 0, data[i] ?? 0];
    }
    expectSame(Uint8Array.from(data));
  });

  test('any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 5000 }), expectSame));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 600 })), {
          maxLength: 60,
        }),
        (parts) => expectSame(Buffer.concat(parts.flatMap(([part, times]) => Array(times).fill(part)))),
      ),
      { numRuns: 30 },
    );
  });

  test('the stream reads back', () => {
    const data = repetitive(300_000, 7);
    expect(Buffer.compare(inflate(zlibFiltered(data)), data)).toBe(0);
  });
});

test('CRC-32 and Adler-32 of known texts', () => {
  const text = (value: string) => new TextEncoder().encode(value);
  expect(crc32(text('123456789'))).toBe(0xcbf43926);
  expect(crc32(text(''))).toBe(0);
  expect(adler32(text('Wikipedia'))).toBe(0x11e60398);
  expect(adler32(text(''))).toBe(1);
  // 0xff a million times: the sums pass their modulus again and again.
  const many = new Uint8Array(1_000_000).fill(255);
  const stream = theirs(many);
  expect(adler32(many)).toBe(new DataView(stream.buffer, stream.byteOffset).getUint32(stream.length - 4));
});
