import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ownedRom } from '../../../fixtures/atari/read';
import { pongFixture } from '../../../fixtures/pong-controls/read';
import { isPyObject, type PyObject, pyFloat } from '../../evidence/identity/python-json';
import { parsePythonJson } from '../../evidence/identity/python-json-parse';
import { armsNamed, LOCAL_ARMS, PUBLISHED_ARMS } from './arms';
import { comparisonJson } from './comparison';
import { jsonDocument } from './json';
import { insertCartridge } from './machine';
import { makePlan } from './plan';
import { PUBLISHED_VERSIONS } from './protocol';
import { runComparison } from './run';
import { MemoryFiles } from './tree';

const sha = (data: Uint8Array | string) => createHash('sha256').update(data).digest('hex');
const published = pongFixture<{
  published_files: Record<string, { bytes: number; sha256: string }>;
  episodes_in_schedule_order: { seed: number; arm: string; wall_seconds: number }[];
}>('pong-published.json');
const text = (name: string) =>
  readFileSync(new URL(`../../../fixtures/pong-controls/${name}`, import.meta.url), 'utf8');

const ROM_SHA256 = '41623e3c26148f96cbe77d56512845d224a63c8fe5bf90e38527155e39ec96d3';
const publishedPlan = () =>
  makePlan({
    arms: PUBLISHED_ARMS,
    romSha256: ROM_SHA256,
    versions: PUBLISHED_VERSIONS,
    model: { backend: 'jev', model: 'jev-1.13.0', expectedModel: null },
    sourceRevision: 'c415207e8061762abe280c1832c56df987c022d2',
  });

describe('the published run, without its cartridge', () => {
  it('plan: bytes and hashes', () => {
    const plan = publishedPlan();
    expect(jsonDocument(plan.json)).toBe(text('pong-plan.json'));
    expect(plan.hash).toBe('30c5ca5cc9eba7b1299c4a0ed6c75c948e935dfa326e532d158647d4ba35032e');
    expect(plan.protocol.protocol_hash).toBe(
      '85486a2fb59e7c421e0930f70e7f0b9faa5262f1b6af747e7bb83eab4decc3b7',
    );
  });

  it('comparison: totals, paired differences and costs rebuilt from its episodes, byte for byte', () => {
    const golden = text('pong-comparison.json');
    const { episodes } = parsePythonJson(golden) as { episodes: PyObject[] };
    // The ledger is not published: entries of the published sums, one of them with all seconds and tokens.
    const ledger: PyObject[] = episodes.flatMap(({ api_attempts, http_wall_seconds, usage }) => {
      if (typeof api_attempts !== 'number') return [];
      const rest = { status: 200, elapsed_seconds: pyFloat(0), usage: null };
      return [
        { ...rest, elapsed_seconds: http_wall_seconds ?? null, usage: usage ?? null },
        ...Array.from({ length: api_attempts - 1 }, () => rest),
      ];
    });
    const rebuilt = comparisonJson(publishedPlan(), {
      status: 'complete',
      episodes,
      ledger,
      active: null,
      failure: null,
    });
    expect(jsonDocument(rebuilt)).toBe(golden);
  });
});

const rom = ownedRom('pong');

describe.skipIf(rom === null)('the published run, with its cartridge', () => {
  it('eight local episodes: every file has the published digest', async () => {
    const { machine, sha256, name } = await insertCartridge(rom ?? new Uint8Array());
    expect([name, sha256]).toEqual(['pong', ROM_SHA256]);
    const plan = makePlan({ arms: armsNamed(LOCAL_ARMS), romSha256: sha256, versions: PUBLISHED_VERSIONS });
    const files = new MemoryFiles();
    // The clock hands out the published wall times: two readings an episode.
    const walls = published.episodes_in_schedule_order
      .filter(({ arm }) => LOCAL_ARMS.includes(arm))
      .map(({ wall_seconds }) => wall_seconds);
    let reading = 0;
    const clock = () => {
      reading += 1;
      return reading % 2 === 1 ? 0 : (walls[reading / 2 - 1] ?? 0);
    };
    const end = await runComparison({
      plan,
      machine,
      sha256: sha,
      provider: null,
      files,
      clock,
      signal: new AbortController().signal,
    });
    expect(end.status).toBe('complete');
    let compared = 0;
    for (const [path, { bytes, sha256: expected }] of Object.entries(published.published_files)) {
      if (!path.startsWith('python-')) continue;
      const file = await files.read(path);
      expect([path, file?.length, sha(file ?? '')]).toEqual([path, bytes, expected]);
      compared += 1;
    }
    expect(compared).toBe(16 + 4);
    const golden = parsePythonJson(text('pong-comparison.json'));
    if (!isPyObject(golden)) throw new Error('no comparison');
    const local = (golden.episodes as readonly PyObject[]).filter(({ arm }) =>
      LOCAL_ARMS.includes(String(arm)),
    );
    expect(jsonDocument(end.episodes)).toBe(jsonDocument(local));
  });
});
