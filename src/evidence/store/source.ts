import type { StoredRun } from '../run';
import { missing } from './rules';
import type { RunStore } from './store';

/** A stored run as reports and exports read it: streaming, nothing held. Throws `store_run_missing`. */
export async function storedRun(store: RunStore, run: string): Promise<StoredRun> {
  const header = await store.header(run);
  if (header === null) throw missing(run);
  const { plan, environment } = await store.plan(run);
  return {
    header,
    plan,
    environment,
    runtime: await store.runtime(run),
    cases: (arm) => (arm === undefined ? store.eachCase(run) : store.eachCase(run, arm)),
    exchanges: () => store.eachExchange(run),
    artifacts: () => store.eachArtifact(run),
    artifact: async (sha256) => (await store.artifact(sha256))?.bytes ?? null,
  };
}
