import { expect, it } from 'vitest';
import { MemoryStore } from '../../src/evidence/store/memory';
import { importBundle } from '../../src/evidence/verify';
import type { Experiment } from '../../src/runner/experiment';
import { toyExperiment } from '../../src/runner/testing/toy';
import { toyDirectory, toyRun } from '../../src/runner/testing/toy-run';
import { folderBundle } from './folder-bundle';

const EXPERIMENTS: readonly Experiment[] = [toyExperiment];

it('the files of a folder are imported as its ZIP would be', async () => {
  const run = await toyRun();
  const { files } = await toyDirectory(run);
  const given = [...files].map(([path, bytes]) => ({ path, blob: new Blob([bytes]) }));
  const { status, header } = await importBundle(folderBundle(given, 1e6), new MemoryStore(), EXPERIMENTS);
  expect(status).toBe('stored');
  expect(header?.root_digest).toBe(run.header.root_digest);
  const lost = given.filter(({ path }) => path !== 'cases.jsonl');
  const refused = await importBundle(folderBundle(lost, 1e6), new MemoryStore(), EXPERIMENTS);
  expect(refused.status).toBe('refused');
  expect(refused.verification.findings.map(({ code }) => code)).toContain('bundle_file_missing');
});

it('a folder that is too large is not read, and a file that went meanwhile is named', async () => {
  const blob = new Blob(['1234']);
  expect(() => folderBundle([{ path: 'a', blob }], 3)).toThrow(
    expect.objectContaining({ code: 'bundle_too_large' }),
  );
  const gone = Object.assign(new Blob(['{}']), {
    arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')),
  });
  const folder = folderBundle([{ path: 'pixelproof.json', blob: gone }], 10);
  const { verification } = await importBundle(folder, new MemoryStore(), EXPERIMENTS);
  expect(verification.findings.map(({ code }) => code)).toEqual(['file_unreadable']);
});
