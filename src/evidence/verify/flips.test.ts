import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toyExperiment } from '../../runner/testing/toy';
import { toyDirectory, toyRun } from '../../runner/testing/toy-run';
import { type VerifyResult, verifyBundle } from './verify';

const fixture = (name: string) => new Uint8Array(readFileSync(`fixtures/evidence/${name}`));
const EXPERIMENTS = [toyExperiment];

const failures = (result: VerifyResult) => result.findings.filter(({ level }) => level === 'failure');
const codes = (result: VerifyResult) => failures(result).map(({ code }) => code);

describe('any bit flipped anywhere', () => {
  it.each(['toy.zip', 'toy-zip1.zip', 'toy.json'])('of %s is reported', async (name) => {
    const bytes = fixture(name);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length * 8 - 1), async (bit) => {
        const flipped = bytes.slice();
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const result = await verifyBundle(flipped, EXPERIMENTS);
        expect(result.ok).toBe(false);
        expect(codes(result).length).toBeGreaterThan(0);
        expect(codes(result)).not.toContain('verify_internal');
      }),
      { numRuns: 400 },
    );
  });

  it('or its end cut off is reported', async () => {
    for (const name of ['toy.zip', 'toy-zip1.zip', 'toy.json']) {
      const bytes = fixture(name);
      for (let length = 0; length < bytes.length; length += 61) {
        const result = await verifyBundle(bytes.slice(0, length), EXPERIMENTS);
        expect(result.ok).toBe(false);
        expect(codes(result)).not.toContain('verify_internal');
      }
    }
  });

  it('of a folder is reported', async () => {
    const directory = await toyDirectory(await toyRun(2));
    for (const [path, bytes] of directory.files) {
      const flipped = bytes.slice();
      flipped[flipped.length >> 1] = (flipped[flipped.length >> 1] ?? 0) ^ 4;
      const files = new Map(directory.files).set(path, flipped);
      const changed = { ...directory, read: async (name: string) => files.get(name) ?? new Uint8Array(0) };
      const result = await verifyBundle(changed, EXPERIMENTS);
      expect(result.ok, path).toBe(false);
      expect(codes(result)).not.toContain('verify_internal');
    }
  });
});
