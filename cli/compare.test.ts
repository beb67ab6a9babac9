import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from './testing/run';

const folder = mkdtempSync(join(tmpdir(), 'pixelproof-compare-'));
const at = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

describe('compare', () => {
  beforeAll(async () => {
    const png = (out: string, ...more: string[]) =>
      run('png', 'run', '--out', at(out), '--max-cases', '2', '--variants', 'unlabelled-v1', ...more);
    await png('a', '--provider', 'scripted');
    await png('b', '--provider', 'scripted');
    await png('threshold', '--provider', 'scripted', '--confidence-threshold', '0.5');
    for (const provider of ['scripted', 'replay'])
      await run('png', 'run', '--out', at(provider), '--provider', provider);
  });

  it('calls two runs of one plan and the same replies equal', async () => {
    const { code, out } = await run('compare', at('a'), at('b'));
    expect(code).toBe(0);
    expect(out).toMatch(/^The findings are equal: both runs have the same root digest over 2 cases\./);
  });

  it('names the members of the plan that differ', async () => {
    const { code, out } = await run('compare', at('a'), at('threshold'));
    expect(code).toBe(1);
    expect(out).toMatch(/^The findings differ/);
    expect(out).toMatch(/plan \$.*threshold.*\n {2}A: 0\n {2}B: 0.5\n/);
  });

  it('prints one JSON document, with totals', async () => {
    const { code, out } = await run('compare', at('scripted'), at('replay'), '--json');
    expect(code).toBe(1);
    const told = JSON.parse(out);
    expect(told).toMatchObject({ findings: 'different', cases: { a: 48, b: 48, both: 48 } });
    expect(told.identities).toContainEqual({ what: 'kind', a: 'wiring', b: 'replayed', equal: false });
    expect(told.sentence).toMatch(/^The findings differ/);
  });

  it('compares nothing that does not verify, and nothing that is no bundle', async () => {
    const cases = readFileSync(at('a/cases.jsonl'), 'utf8');
    await run('png', 'run', '--out', at('bad'), '--max-cases', '1', '--provider', 'scripted');
    writeFileSync(at('bad/cases.jsonl'), cases);
    const bad = await run('compare', at('a'), at('bad'));
    expect(bad).toMatchObject({ code: 2, err: expect.stringMatching(/^compare_unverified: /) });
    // Whole, but of an experiment that nobody here can recompute.
    expect((await run('compare', 'fixtures/evidence/toy.zip', at('a'))).err).toMatch(/^compare_unverified: /);
    expect((await run('compare', at('a'), 'package.json')).code).toBe(2);
    expect((await run('compare', at('a'))).code).toBe(2);
    expect((await run('compare', at('a'), at('nowhere'))).err).toMatch(/^input_unreadable: /);
  });
});
