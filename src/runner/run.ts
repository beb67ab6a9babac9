import { PixelproofError } from '../errors';
import { canonicalId } from '../evidence/identity/canonical';
import { rootDigest } from '../evidence/root';
import type { CaseKey, CaseRecord, Plan, RunHeader } from '../evidence/run';
import { requireImported } from '../evidence/store/rules';
import type { RunStore } from '../evidence/store/store';
import type { AnswerSource } from './answers';
import type { Experiment, Progress } from './experiment';
import { journalledAsk } from './journal';
import type { RunLocks } from './lock';
import { requireReadable } from './readable';

export interface RunOptions {
  readonly store: RunStore;
  readonly locks: RunLocks;
  readonly run: string;
  readonly experiment: Experiment;
  readonly answers: AnswerSource;
  readonly signal: AbortSignal;
  /** The plan that the caller means to run. Refused with `run_plan_mismatch` where another one is stored. */
  readonly plan?: Plan;
  readonly onProgress?: (progress: Progress) => void;
  /** Milliseconds from any start, monotonic. */
  readonly clock?: () => number;
}

/** How a session of a run ended. `error` is what stopped an incomplete run, with its cause for a developer. */
export interface RunEnd {
  readonly header: RunHeader;
  readonly error: PixelproofError | null;
}

/**
 * Runs a stored plan from where it stands: starts it, or resumes it after a cancel, a failure or a killed tab.
 * For each case in plan order: materialise, ask, judge, commit; then the root digest seals the run. Resolves when
 * the run is complete, cancelled or incomplete.
 *
 * Throws `run_locked` while another runner has the run, `store_run_missing`, `run_plan_mismatch`,
 * `run_experiment_mismatch`, `run_provider_mismatch`, `run_case_count`, `import_unfinished`: nothing has changed then.
 * Throws a store error only where the store could not even note why the run stopped.
 */
export async function executeRun(options: RunOptions): Promise<RunEnd> {
  const { store, locks, run } = options;
  const release = await locks.acquire(run);
  if (release === null) {
    throw new PixelproofError('run_locked', 'This run is being worked on in another tab or process.', {
      got: run,
    });
  }
  try {
    const header = await store.header(run);
    if (header === null)
      throw new PixelproofError('store_run_missing', 'There is no such run here.', { got: run });
    requireImported(header);
    const { plan } = await store.plan(run);
    const keys = admit(options, header, plan);
    if (header.status === 'complete') return { header, error: null };
    return await session(options, plan, keys);
  } finally {
    release();
  }
}

/** Refuses what does not belong together, before anything is written. Returns the cases in plan order. */
function admit(options: RunOptions, header: RunHeader, plan: Plan): readonly CaseKey[] {
  const { experiment, answers } = options;
  if (experiment.id !== plan.experiment) {
    throw new PixelproofError('run_experiment_mismatch', 'The stored plan is for another experiment.', {
      expected: plan.experiment,
      got: experiment.id,
    });
  }
  const wanted = [canonicalId(plan.frozen), header.plan_id, options.plan?.plan_id ?? plan.plan_id];
  const other = wanted.find((id) => id !== plan.plan_id);
  if (other !== undefined) {
    throw new PixelproofError(
      'run_plan_mismatch',
      'The plan is not the one that this run was started with; start a new run for another plan.',
      { expected: plan.plan_id, got: other },
    );
  }
  const asked = canonicalId({ ...answers.description });
  if (asked !== canonicalId({ ...header.provider })) {
    throw new PixelproofError(
      'run_provider_mismatch',
      'The run was started with another provider or other settings; start a new run for these.',
      { expected: { ...header.provider }, got: { ...answers.description } },
    );
  }
  const keys = [...experiment.cases(plan)];
  if (keys.length !== plan.case_count) {
    throw new PixelproofError('run_case_count', 'The plan lists another number of cases than it says.', {
      expected: plan.case_count,
      got: keys.length,
    });
  }
  return keys;
}

async function session(options: RunOptions, plan: Plan, keys: readonly CaseKey[]): Promise<RunEnd> {
  const { store, run, signal } = options;
  try {
    await store.flush(run);
    await store.update(run, { status: 'running', stopped: null });
    await allCases(options, plan, keys);
    const root = await rootDigest(plan, store.eachCase(run));
    return { header: await store.seal(run, root), error: null };
  } catch (cause) {
    if (signal.aborted) return { header: await stop(store, run, 'cancelled', null), error: null };
    const error =
      cause instanceof PixelproofError
        ? cause
        : new PixelproofError(
            'run_internal',
            `The run stopped on a fault of this program: ${String(cause)}`,
            {
              cause,
            },
          );
    return { header: await stop(store, run, 'incomplete', error), error };
  } finally {
    await options.answers.close?.();
  }
}

async function stop(
  store: RunStore,
  run: string,
  status: 'cancelled' | 'incomplete',
  error: PixelproofError | null,
): Promise<RunHeader> {
  const stopped = error === null ? null : { code: error.code, message: error.message };
  try {
    return await store.update(run, { status, stopped });
  } catch (cause) {
    // On a full disk the store keeps the change in memory; what it shows then is what is known.
    const header =
      cause instanceof PixelproofError && cause.code === 'store_quota' ? await store.header(run) : null;
    if (header === null) throw cause;
    return header;
  }
}

async function allCases(options: RunOptions, plan: Plan, keys: readonly CaseKey[]): Promise<void> {
  const { store, run, experiment, answers, signal } = options;
  const done = (await store.header(run))?.done ?? 0;
  const tell = teller(options, keys, done);
  if (done < keys.length) await confirmRuntime(options);
  for (let position = done; position < keys.length; position += 1) {
    const key = keys[position];
    if (key === undefined) break;
    signal.throwIfAborted();
    tell(position, 'rendering');
    const material = await experiment.materialise(plan, key);
    signal.throwIfAborted();
    tell(position, 'asking');
    let failure: PixelproofError | null = null;
    const onFailure = (error: PixelproofError) => {
      failure ??= error;
    };
    const ask = await journalledAsk({ store, run, key, position, answers, signal, onFailure });
    const answer = await experiment.ask(plan, key, material, ask);
    // An experiment must not turn a failure of plumbing into a case by catching it.
    if (failure !== null) throw failure;
    tell(position, 'judging');
    const { record, artifacts } = await experiment.judge(plan, key, material, answer);
    requireReadable(record, key);
    await store.commit(run, [{ position, record, artifacts }]);
    tell(position + 1, 'finished', record);
  }
}

/** Asks what is running, once a session. Other weights half-way would make one run of two models. */
async function confirmRuntime({ store, run, answers, signal }: RunOptions): Promise<void> {
  const before = await store.runtime(run);
  const now = await answers.start(signal);
  if (before === null) {
    await store.setRuntime(run, now);
    return;
  }
  if (before.model_digest !== now.model_digest) {
    throw new PixelproofError(
      'run_runtime_changed',
      'The model that answers now is not the one that this run was started with.',
      { expected: before.model_digest ?? 'none', got: now.model_digest ?? 'none' },
    );
  }
}

/** Cases after which a time left is worth saying. */
const ESTIMATE_FROM = 3;

function teller(options: RunOptions, keys: readonly CaseKey[], first: number) {
  const clock = options.clock ?? (() => performance.now());
  const started = clock();
  const perArm = new Map<string, number>();
  for (const { arm } of keys) perArm.set(arm, (perArm.get(arm) ?? 0) + 1);
  let latest: CaseRecord | null = null;
  return (done: number, step: string, record?: CaseRecord): void => {
    if (options.onProgress === undefined) return;
    latest = record ?? latest;
    const key = keys[step === 'finished' ? done - 1 : done];
    const finished = done - first;
    const left_ms =
      finished < ESTIMATE_FROM ? null : Math.round(((clock() - started) / finished) * (keys.length - done));
    options.onProgress({
      done,
      total: keys.length,
      now:
        key === undefined
          ? step
          : `${key.arm}, case ${key.ordinal + 1} of ${perArm.get(key.arm) ?? 0}: ${step}`,
      left_ms,
      latest,
    });
  };
}
