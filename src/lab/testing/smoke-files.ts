import { bundleContents } from '../../evidence/bundle';
import { writeDirectoryBundle } from '../../evidence/bundle/directory';
import type { StoredRun } from '../../evidence/run';
import { MemoryStore } from '../../evidence/store/memory';
import { storedRun } from '../../evidence/store/source';
import type { Files } from '../../evidence/verify/testing/forge';
import { executeRun, memoryLocks } from '../../runner';
import { memoryDirectory } from '../../runner/testing/toy-run';
import { labEntry, prepareRun } from '../lab';
import type { RunRequest } from '../request';

/** A run of the lab from plan to end, in memory. */
async function labRun(request: RunRequest): Promise<StoredRun> {
  const { experiment, plan, answers } = await prepareRun(request);
  const store = new MemoryStore(() => '2026-01-01T00:00:00.000Z');
  const environment = { program: 'pixelproof', engine: 'test', threads: 2 };
  await store.create({ run: 'smoke', plan, provider: answers.description, environment, origin: 'here' });
  const signal = new AbortController().signal;
  const { error } = await executeRun({
    store,
    locks: memoryLocks(),
    run: 'smoke',
    experiment,
    plan,
    answers,
    signal,
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
