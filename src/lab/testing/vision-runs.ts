import type { StoredRun } from '../../evidence/run';
import { MemoryStore } from '../../evidence/store/memory';
import { storedRun } from '../../evidence/store/source';
import { demoManifest } from '../../experiments/vision-controls/demo';
import { executeRun, memoryLocks } from '../../runner';
import { prepareRun } from '../lab';

/** Digests of the demo pictures that read true. */
export const demoYes: ReadonlySet<string> = new Set(
  demoManifest()
    .rows.filter(({ visual_family }) => visual_family === 'tide_board')
    .map(({ screenshot }) => `sha256:${screenshot.sha256}`),
);

/** Runs the vision controls to their end, or to where they stop, in memory. */
export async function visionRun(provider: string, parameters: Record<string, string | number>) {
  const { plan, answers, experiment } = await prepareRun({
    experiment: 'vision-controls',
    parameters,
    provider: { id: provider, settings: {} },
  });
  const store = new MemoryStore(() => '2026-01-01T00:00:00.000Z');
  await store.create({ run: 'r', plan, provider: answers.description, environment: {}, origin: 'here' });
  const options = { store, locks: memoryLocks(), run: 'r', experiment, answers } as const;
  const { header, error } = await executeRun({ ...options, signal: new AbortController().signal });
  const source: StoredRun = await storedRun(store, 'r');
  return { header, error, source, experiment };
}
