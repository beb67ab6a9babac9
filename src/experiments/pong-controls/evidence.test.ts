import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { paddleRom } from '../../../fixtures/cartridge/read';
import { bundleContents, writeZipBundle } from '../../evidence/bundle';
import { MemoryStore } from '../../evidence/store/memory';
import { storedRun } from '../../evidence/store/source';
import { importBundle, verifyBundle as verifyAny } from '../../evidence/verify';
import { checkArchive, openArchive, rooted } from './archive';
import { armsNamed, LOCAL_ARMS } from './arms';
import { EXPERIMENT_ID, outputFiles, reportOf } from './evidence';
import { insertCartridge } from './machine';
import { makePlan } from './plan';
import { modelPolicy, rulePolicy } from './policy';
import { ORIGINAL } from './programs';
import { RULE_4PX } from './rule';
import { runComparison } from './run';
import { LOCAL_PLAYERS, treeRun } from './stored';
import { MemoryFiles } from './tree';
import { verifyBundle } from './verify';

const sha = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
const cartridge = await insertCartridge(paddleRom);
const code = (name: string) => expect.objectContaining({ code: name });

const files = new MemoryFiles();
const plan = makePlan({
  arms: armsNamed(LOCAL_ARMS),
  seeds: [36, 47],
  frames: 160,
  romSha256: cartridge.sha256,
  versions: {},
});
await runComparison({
  plan,
  machine: cartridge.machine,
  sha256: sha,
  provider: null,
  files,
  clock: () => 0,
  signal: new AbortController().signal,
});
const run = await treeRun(files, plan, {
  run: 'pong-test',
  kind: 'measured',
  provider: LOCAL_PLAYERS,
  environment: {},
  created_at: '2026-01-01T00:00:00.000Z',
  complete: true,
  stopped: null,
});
const zipOf = async (source: Parameters<typeof bundleContents>[0]) => {
  const parts: Uint8Array[] = [];
  for await (const part of writeZipBundle(bundleContents(source, outputFiles))) parts.push(part);
  return new Uint8Array(Buffer.concat(parts));
};

describe('evidence', () => {
  const experiments = [{ id: EXPERIMENT_ID, keepsUnfinishedTree: true, verify: verifyBundle }];
  it('a run is exported, verified, taken up by a store and exported again as the same bytes', async () => {
    const zip = await zipOf(run);
    const result = await verifyAny(zip, experiments);
    expect(result.findings.filter(({ level }) => level !== 'pass')).toEqual([]);
    expect(result.counts.cases).toBe(4);
    const store = new MemoryStore();
    const { status } = await importBundle(zip, store, experiments);
    expect(status).toBe('stored');
    const stored = await storedRun(store, 'pong-test');
    expect(await zipOf(stored)).toEqual(zip);
    expect(await reportOf(stored)).toMatchObject({ kind: 'measured', comparison: { status: 'complete' } });
  });

  it('the files of the export are those of the run', async () => {
    const tree = await openArchive(await zipOf(run));
    for (const path of files.paths)
      expect([path, await tree.read(path)]).toEqual([path, await files.read(path)]);
    expect(rooted(tree).kind).toBe('run');
    expect(() => rooted({ paths: ['a'], read: async () => null })).toThrow(code('pong_record'));
  });

  it('an archive is held against its manifest', async () => {
    const zip = await zipOf(run);
    const tree = await openArchive(zip);
    const listed = await Promise.all(
      tree.paths.map(async (path) => {
        const bytes = (await tree.read(path)) ?? new Uint8Array();
        return { path, bytes: bytes.length, sha256: sha(bytes) };
      }),
    );
    const total = listed.reduce((sum, { bytes }) => sum + bytes, 0);
    const manifest = {
      kind: 'experiment-archive-v1',
      archive: 'a.zip',
      sha256: sha(zip),
      file_count: listed.length,
      uncompressed_bytes: total,
      files: listed,
    };
    const check = async (value: unknown) => {
      const levels: string[] = [];
      for await (const { level, code, where } of checkArchive(value, zip, tree)) {
        levels.push(`${level} ${where}`);
        if (level === 'failure') expect(code).toBe('archive_mismatch');
      }
      return levels;
    };
    expect(await check(manifest)).toEqual(['pass archive']);
    expect(await check({})).toEqual(['failure manifest']);
    expect(await check({ ...manifest, sha256: '0' })).toEqual(['failure archive']);
    const [first, ...rest] = listed;
    expect(await check({ ...manifest, files: [{ ...first, sha256: '0' }, ...rest] })).toEqual([
      `failure ${first?.path}`,
    ]);
    expect(await check({ ...manifest, file_count: rest.length, files: rest })).toEqual([
      `failure ${first?.path}`,
      'failure manifest',
    ]);
  });
});

describe('who may be asked', () => {
  it('a provider that reads pictures only is refused', () => {
    const provider = {
      description: LOCAL_PLAYERS,
      capabilities: ['image-text-to-text'] as const,
      start: async () => ({ runtime_name: '', runtime_version: null, model_digest: null, details: {} }),
    };
    const options = {
      backend: { id: 'jev' },
      provider,
      program: ORIGINAL,
      model: 'm',
      expectedModel: null,
      budget: null,
    };
    expect(() => modelPolicy(options as never)).toThrow(code('answers_no_states'));
    expect(rulePolicy(RULE_4PX).name).toBe('track-ball-center-4px-v1');
  });
  it('a provider that ends without an answer and without a cause has not answered', async () => {
    const { policy } = silentPolicy();
    const log = { ledger: [], exchange: async () => undefined };
    const chosen = policy.choose({}, log as never, new AbortController().signal);
    await expect(chosen).rejects.toMatchObject({ code: 'provider_unanswered' });
  });
  it('a model arm without a model is no plan', () => {
    const request = { arms: armsNamed(['jev-original']), romSha256: '', versions: {} };
    expect(() => makePlan(request)).toThrow(code('plan_model'));
    expect(() =>
      makePlan({ ...request, model: { backend: 'jev', model: 'm', expectedModel: null, maxApiCalls: 0 } }),
    ).toThrow(code('plan_budget'));
  });
});

function silentPolicy() {
  const provider = {
    description: LOCAL_PLAYERS,
    capabilities: ['state-to-choices'],
    start: () => Promise.reject(new Error('not asked')),
    decide: async () => ({ status: 200, seconds: 0, response: null, cause: null }),
  };
  const budget = { reserve: () => 1 };
  const backend = { id: 'jev', request: () => ({}), decision: (response: unknown) => response };
  const options = { backend, provider, program: ORIGINAL, model: 'm', expectedModel: null, budget };
  return { policy: modelPolicy(options as never) };
}
