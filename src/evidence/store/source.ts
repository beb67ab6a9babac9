import { PixelproofError } from '../../errors';
import type { StoredRun } from '../run';
import { missing } from './rules';
import type { RunStore } from './store';

/**
 * A stored run as reports and exports read it: streaming, nothing held but what one moment of a run in progress needs.
 * The run is what it was at the call, however far it goes meanwhile, so what is read at different times belongs
 * together. Throws `store_run_missing`; so does reading, and `store_run_changed`, where records of the moment are gone.
 */
export async function storedRun(store: RunStore, run: string): Promise<StoredRun> {
  const moment = await store.moment(run);
  const { header, plan, environment, runtime, tallies, settled, open } = moment;
  const kept: ReadonlySet<string> = new Set(moment.artifacts);

  /** A run that is deleted while it is read would end early, and look like a shorter one. */
  async function* first<T>(items: AsyncIterable<T>, count: number): AsyncIterable<T> {
    if (count === 0) return;
    let left = count;
    for await (const item of items) {
      yield item;
      left -= 1;
      if (left === 0) return;
    }
    await requireStill();
    throw new PixelproofError('store_run_changed', 'The stored run changed while it was read; do it again.', {
      expected: count,
      got: count - left,
    });
  }

  async function requireStill(): Promise<void> {
    if ((await store.header(run)) === null) throw missing(run);
  }

  return {
    header,
    plan,
    environment,
    runtime,
    cases: (arm) => {
      if (arm === undefined) return first(store.eachCase(run), header.done);
      const ofArm = tallies.reduce((sum, tally) => sum + (tally.arm === arm ? tally.count : 0), 0);
      return first(store.eachCase(run, arm), ofArm);
    },
    async *exchanges() {
      yield* first(store.eachExchange(run), settled);
      for (const { key, index, exchange } of open) yield { key, index, exchange };
    },
    async *artifacts() {
      if (kept.size === 0) return;
      for await (const artifact of store.eachArtifact(run)) if (kept.has(artifact.sha256)) yield artifact;
      await requireStill();
    },
    artifact: async (sha256) => {
      const bytes = (await store.artifact(sha256))?.bytes ?? null;
      if (bytes === null) await requireStill();
      return bytes;
    },
  };
}
