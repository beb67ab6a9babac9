import { bundleContents } from '../../evidence/bundle/contents';
import type { BundleDirectory } from '../../evidence/bundle/directory';
import { writeDirectoryBundle } from '../../evidence/bundle/directory';
import { writeJsonBundle } from '../../evidence/bundle/json-writer';
import { writeZipBundle } from '../../evidence/bundle/zip-writer';
import type { StoredRun } from '../../evidence/run';
import { MemoryStore } from '../../evidence/store/memory';
import { storedRun } from '../../evidence/store/source';
import type { RunStore } from '../../evidence/store/store';
import type { Experiment } from '../experiment';
import { executeRun, liveAnswers, memoryLocks } from '../index';
import { toyExperiment, toyLive, toyPlan, toyProvider } from './toy';

/** A finished toy run with a fixed clock: its bundles are the same bytes each time. For tests only. */
export async function toyRun(
  cases = 2,
  store: RunStore = new MemoryStore(() => '2026-01-01T00:00:00.000Z'),
): Promise<StoredRun> {
  const plan = await toyPlan(cases);
  await store.create({
    run: 'toy-run',
    plan,
    provider: toyProvider,
    environment: { browser: 'none' },
    origin: 'here',
  });
  await executeRun({
    store,
    locks: memoryLocks(),
    run: 'toy-run',
    experiment: toyExperiment,
    answers: liveAnswers(toyLive()),
    signal: new AbortController().signal,
  });
  return storedRun(store, 'toy-run');
}

/** As the page sees it: one experiment among others. */
const experiment: Experiment = toyExperiment;

const contentsOf = (run: StoredRun) => bundleContents(run, (source) => experiment.files(source));

export function toyZip(run: StoredRun): Promise<Uint8Array<ArrayBuffer>> {
  return collected(writeZipBundle(contentsOf(run)));
}

export function toyJson(run: StoredRun, inlineImages: boolean): Promise<Uint8Array<ArrayBuffer>> {
  return collected(writeJsonBundle(contentsOf(run), { inlineImages }));
}

export async function toyDirectory(
  run: StoredRun,
): Promise<BundleDirectory & { files: Map<string, Uint8Array<ArrayBuffer>> }> {
  const directory = memoryDirectory();
  await writeDirectoryBundle(contentsOf(run), directory);
  return directory;
}

export function memoryDirectory(): BundleDirectory & { files: Map<string, Uint8Array<ArrayBuffer>> } {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  return {
    files,
    list: async () => [...files.keys()],
    read: async (path) => files.get(path) ?? new Uint8Array(0),
    write: async (path, content) => {
      files.set(path, await collected(content));
    },
  };
}

export async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    size += chunk.length;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
