import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { positionsOf } from './shard';
import { run } from './testing/run';

const folder = mkdtempSync(join(tmpdir(), 'pixelproof-shard-'));
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const scripted = (out: string, ...more: string[]) =>
  run(
    ...['png', 'run', '--provider', 'scripted', '--variants', 'unlabelled-v1,labelled-v1'],
    ...['--max-cases', '3', '--json', '--out', at(out), ...more],
  );
const merge = (out: string, ...parts: string[]) => run('merge', '--json', '--out', at(out), ...parts.map(at));

it('divides any number of cases into neighbours without a gap', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1024 }), fc.nat(20_000), (count, cases) => {
      let next = 0;
      const sizes: number[] = [];
      for (let index = 1; index <= count; index += 1) {
        const [from, to] = positionsOf({ index, count }, cases);
        expect(from).toBe(next);
        sizes.push(to - from);
        next = to;
      }
      expect(next).toBe(cases);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
    { numRuns: 50 },
  );
});

describe('parts of a run', () => {
  beforeAll(async () => {
    expect((await scripted('whole')).code).toBe(0);
    for (const index of [1, 2, 3, 4]) {
      const { code, out } = await scripted(`part-${index}`, '--shard', `${index}/4`);
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ index, count: 4, status: 'complete', error: null });
    }
  });

  it('merge into the run that one machine makes, file by file', async () => {
    const { code, out } = await merge('merged', 'part-3', 'part-1', 'part-4', 'part-2');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ status: 'complete', cases: 6, parts: 4 });
    const manifest = (name: string) => JSON.parse(readFileSync(join(at(name), 'pixelproof.json'), 'utf8'));
    const [whole, merged] = [manifest('whole'), manifest('merged')];
    expect(merged.root_digest).toBe(whole.root_digest);
    const kept = ({ files }: { files: { path: string; sha256: string; role: string }[] }) =>
      files.filter(({ role }) => role !== 'circumstance').map(({ path, sha256 }) => `${path} ${sha256}`);
    expect(kept(merged)).toEqual(kept(whole));
    expect((await run('verify', at('merged'), '--root', whole.root_digest)).code).toBe(0);
  });

  it('are no bundle by themselves', async () => {
    expect((await run('verify', at('part-1'))).code).toBe(1);
    expect((await scripted('part-1', '--resume', '--shard', '2/4')).err).toMatch(/^shard_mismatch: /);
    expect((await scripted('whole', '--resume', '--shard', '1/4')).err).toMatch(/^shard_unreadable: /);
    // Nothing is left to do, and nothing is done twice.
    const again = await run('png', 'run', '--resume', '--json', '--out', at('part-1'));
    expect(JSON.parse(again.out)).toMatchObject({ index: 1, status: 'complete' });
  });

  it('are refused where one is missing, doubled, of another plan or not a part', async () => {
    const refused = async (...parts: string[]) => {
      const { code, err } = await merge('refused', ...parts);
      expect(code).toBe(2);
      return err;
    };
    expect(await refused('part-1', 'part-2', 'part-4')).toMatch(/^merge_parts: .*\n.*1, 2, 3, 4\n.*1, 2, 4/);
    expect(await refused('part-1', 'part-1', 'part-2', 'part-3')).toMatch(/^merge_parts: /);
    expect(await refused('whole')).toMatch(/^shard_unreadable: /);
    await scripted('other', '--shard', '3/4', '--seed', '7');
    expect(await refused('part-1', 'part-2', 'other', 'part-4')).toMatch(/another plan/);
    await scripted('stamped', '--shard', '3/4', '--stamp', '20260202T020202Z');
    expect(await refused('part-1', 'part-2', 'stamped', 'part-4')).toMatch(/--stamp/);
    cpSync(at('part-3'), at('half'), { recursive: true });
    const journal = join(at('half'), '.journal', 'journal.jsonl');
    const lines = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(journal, `${lines.slice(0, -3).join('\n')}\n`);
    expect(await refused('part-1', 'part-2', 'half', 'part-4')).toMatch(/not finished/);
    writeFileSync(join(at('half'), 'shard.json'), '{"format":"pixelproof-shard/1","index":0}');
    expect(await refused('half')).toMatch(/^shard_unreadable: .*not valid at/);
    writeFileSync(join(at('half'), 'shard.json'), 'no');
    expect(await refused('half')).toMatch(/^shard_unreadable: .*no JSON/);
  });

  it('that were cut off go on, and then merge', async () => {
    cpSync(at('part-2'), at('cut'), { recursive: true });
    const journal = join(at('cut'), '.journal', 'journal.jsonl');
    const lines = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(journal, lines.slice(0, 4).join('\n'));
    expect((await run('png', 'run', '--resume', '--out', at('cut'))).code).toBe(0);
    const { code } = await merge('merged-2', 'part-1', 'cut', 'part-3', 'part-4');
    expect(code).toBe(0);
  });

  it.each(['0/4', '5/4', '1', '1/2000', 'a/b'])('are not named %s', async (text) => {
    expect((await scripted('never', '--shard', text)).code).toBe(2);
  });
});
