import { bundleContents, writeZipBundle } from '../../evidence/bundle';
import { writeDirectoryBundle } from '../../evidence/bundle/directory';
import type { StoredRun } from '../../evidence/run';
import { MemoryStore } from '../../evidence/store/memory';
import { storedRun } from '../../evidence/store/source';
import type { Files } from '../../evidence/verify/testing/forge';
import { executeRun, memoryLocks } from '../../runner';
import { memoryDirectory } from '../../runner/testing/toy-run';
import { labEntry, prepareRun } from '../lab';
import type { RunRequest } from '../request';

/** A run of the lab in memory, from plan to end, or until `cancelAt` of its cases are finished. */
async function labRun(request: RunRequest, cancelAt = Number.POSITIVE_INFINITY): Promise<StoredRun> {
  const { experiment, plan, answers } = await prepareRun(request);
  const store = new MemoryStore(() => '2026-01-01T00:00:00.000Z');
  const environment = { program: 'pixelproof', engine: 'test', threads: 2 };
  await store.create({ run: 'smoke', plan, provider: answers.description, environment, origin: 'here' });
  const cancel = new AbortController();
  const { error } = await executeRun({
    store,
    locks: memoryLocks(),
    run: 'smoke',
    experiment,
    plan,
    answers,
    signal: cancel.signal,
    onProgress: ({ done }) => {
      if (done >= cancelAt) cancel.abort();
    },
  });
  if (error !== null) throw error;
  return storedRun(store, 'smoke');
}

function labContents(run: StoredRun) {
  const { experiment } = labEntry(run.plan.experiment);
  return bundleContents(run, (source) => experiment.files(source), experiment.unfinished);
}

/** Its bundle, as the files of a folder. */
export async function labFiles(request: RunRequest): Promise<Files> {
  const directory = memoryDirectory();
  await writeDirectoryBundle(labContents(await labRun(request)), directory);
  return directory.files;
}

/** Its bundle as the bytes of a ZIP; of a run that was cancelled where `cancelAt` says so. */
export async function labZip(request: RunRequest, cancelAt?: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of writeZipBundle(labContents(await labRun(request, cancelAt)))) chunks.push(chunk);
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
