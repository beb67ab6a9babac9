import { expect, test } from 'vitest';
import { bundleContents, writeZipBundle } from '../../evidence/bundle';
import type { JsonObject } from '../../evidence/identity/json';
import { MemoryStore } from '../../evidence/store/memory';
import { storedRun } from '../../evidence/store/source';
import { verifyBundle } from '../../evidence/verify';
import { executeRun, memoryLocks } from '../../runner';
import { prepareRun, verifiers } from '../lab';
import { SMOKE_RUNS } from '../smoke-runs';

// Where a run was made is told beside it and is part of no identity.

const BROWSER: JsonObject = {
  program: 'pixelproof 0.1.0',
  platform: 'browser',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64)',
  cores: 2,
  cross_origin_isolated: false,
  wasm_simd: true,
  wasm_threads: true,
  webgpu: { state: 'adapter', vendor: 'google', architecture: 'swiftshader' },
  storage_persistent: false,
};
const OTHER: JsonObject = {
  ...BROWSER,
  user_agent: 'another',
  cores: 64,
  cross_origin_isolated: true,
  webgpu: { state: 'none', vendor: null, architecture: null },
  storage_persistent: null,
};
const NODE: JsonObject = { program: 'pixelproof 0.1.0', platform: 'linux x64', node: '20', wasm_simd: false };

async function bundleOf(environment: JsonObject) {
  const smoke = SMOKE_RUNS.find(({ request }) => request.experiment === 'vision-controls');
  if (smoke === undefined) throw new Error('no smoke run of the vision controls');
  const { experiment, plan, answers } = await prepareRun(smoke.request);
  const store = new MemoryStore(() => '2026-01-01T00:00:00.000Z');
  await store.create({ run: 'run', plan, provider: answers.description, environment, origin: 'here' });
  const signal = new AbortController().signal;
  const { header } = await executeRun({
    store,
    locks: memoryLocks(),
    run: 'run',
    experiment,
    plan,
    answers,
    signal,
  });
  const source = await storedRun(store, 'run');
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeZipBundle(bundleContents(source, (each) => experiment.files(each))))
    chunks.push(chunk);
  const bytes = new Uint8Array(Buffer.concat(chunks));
  const { findings, root_digest } = await verifyBundle(bytes, verifiers, { signal });
  return { header, findings, root_digest, bytes, root: smoke.root };
}

test('three environments: one root digest, and every bundle verifies with its own', async () => {
  const bundles = [await bundleOf(BROWSER), await bundleOf(OTHER), await bundleOf(NODE)];
  for (const { header, findings, root_digest, root } of bundles) {
    expect(header.root_digest).toBe(root);
    expect(root_digest).toEqual({ expected: root, got: root });
    expect(findings.filter(({ level }) => level === 'failure')).toEqual([]);
  }
  // They are not the same file: the environment is in it.
  expect(Buffer.compare(bundles[0]?.bytes ?? Buffer.alloc(0), bundles[1]?.bytes ?? Buffer.alloc(0))).not.toBe(
    0,
  );
});
