import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { arch, cpus, platform } from 'node:os';
import { join } from 'node:path';
import { version } from '../package.json';
import { PixelproofError } from '../src/errors';
import { bundleContents, bundleRun, openBundle, writeDirectoryBundle } from '../src/evidence/bundle';
import type { JsonObject } from '../src/evidence/identity/json';
import type { RunHeader, RunSource } from '../src/evidence/run';
import { storedRun } from '../src/evidence/store/source';
import type { RunStore } from '../src/evidence/store/store';
import { labEntry, type PreparedRun, prepareResume } from '../src/lab/lab';
import { wasmFeatures } from '../src/lab/self-check/wasm-features';
import { type ExchangeRecord, UNFINISHED } from '../src/providers/provider';
import { executeRun, memoryLocks } from '../src/runner';
import type { Progress } from '../src/runner/experiment';
import { type Kept, requireKept } from './fitting';
import { folderBundle, JOURNAL } from './folder';
import { JournalStore } from './journal-store';

export interface RunInFolder {
  readonly out: string;
  /** Null on a resume that takes everything from the stored plan. */
  readonly prepared: PreparedRun | null;
  /** Limits that a person typed. */
  readonly kept: Kept;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface RunResult {
  readonly status: RunHeader['status'];
  readonly plan_id: string;
  readonly root_digest: string | null;
  readonly done: number;
  readonly total: number;
  readonly error: PixelproofError | null;
  /** The experiment's report. */
  readonly report: JsonObject;
  /** How many calls are in the exchange record, failed ones included. */
  readonly calls: number;
  /** How many of them were begun and never ended: the program was killed during the call. */
  readonly unfinished_calls: number;
  /** Calls among them that gave an answer. */
  readonly answered: number;
  /** The latest call that failed as the run did; null where none is in the record. */
  readonly refusal: ExchangeRecord | null;
}

/** Where a run of the command line was made, and what its WebAssembly can do; part of no identity. */
export function environmentRecord(): JsonObject {
  const { simd, threads } = wasmFeatures();
  return {
    program: `pixelproof ${version}`,
    platform: `${platform()} ${arch()}`,
    node: process.versions.node,
    cores: cpus().length,
    wasm_simd: simd,
    wasm_threads: threads,
  };
}

/**
 * Runs a plan in a prepared folder, or goes on with the run that lies there. The folder is a bundle afterwards: of a
 * complete run with its output tree, of an unfinished one with what there is so far, beside the journal that resumes
 * it. Throws as `executeRun` and the bundle writer do.
 */
export async function runInFolder({
  out,
  prepared: asked,
  kept,
  signal,
  onProgress,
}: RunInFolder): Promise<RunResult> {
  const journal = join(out, JOURNAL);
  if (!existsSync(journal) && existsSync(join(out, 'pixelproof.json'))) return finishedRun(out, asked);
  const store = await JournalStore.open(journal);
  try {
    const { run, prepared } = await admit(store, asked, kept);
    const { header, error } = await executeRun({
      store,
      locks: memoryLocks(),
      run,
      experiment: prepared.experiment,
      plan: prepared.plan,
      answers: prepared.answers,
      signal,
      onProgress,
      clock: () => performance.now(),
    });
    const source = await storedRun(store, run);
    const result = await resultOf(header, error, source);
    const contents = bundleContents(source, (each) => prepared.experiment.files(each));
    // What an unfinished bundle lists by digest stands in the output tree of a finished one.
    await rm(join(out, 'artifacts'), { recursive: true, force: true });
    await writeDirectoryBundle(contents, folderBundle(out));
    if (header.status === 'complete') {
      store.close();
      await rm(journal, { recursive: true });
    }
    return result;
  } finally {
    store.close();
  }
}

async function admit(
  store: RunStore,
  asked: PreparedRun | null,
  kept: Kept,
): Promise<{ run: string; prepared: PreparedRun }> {
  const { items } = await store.list({ offset: 0, limit: 1 });
  const stored = items[0];
  if (stored === undefined) {
    if (asked === null)
      throw new PixelproofError('output_missing', 'The journal holds no run to go on with.');
    const prepared = asked;
    const run = `${prepared.plan.experiment}-${randomUUID()}`;
    await store.create({
      run,
      plan: prepared.plan,
      provider: prepared.answers.description,
      environment: environmentRecord(),
      origin: 'here',
    });
    return { run, prepared };
  }
  const { plan } = await store.plan(stored.run);
  if (asked !== null) requireSamePlan(plan.plan_id, asked.plan.plan_id);
  requireKept(plan, kept);
  return { run: stored.run, prepared: await prepareResume(plan, stored.provider) };
}

/** A run that is complete already: nothing is asked, nothing is written again. */
async function finishedRun(out: string, asked: PreparedRun | null): Promise<RunResult> {
  const bundle = await openBundle(folderBundle(out));
  const { plan_id, root_digest, case_count } = bundle.manifest;
  if (asked !== null) requireSamePlan(plan_id, asked.plan.plan_id);
  const header = { status: 'complete', plan_id, root_digest, done: case_count, total: case_count } as const;
  return resultOf(header, null, await bundleRun(bundle));
}

async function resultOf(
  {
    status,
    plan_id,
    root_digest,
    done,
    total,
  }: Omit<RunResult, 'error' | 'report' | 'calls' | 'unfinished_calls' | 'answered' | 'refusal'>,
  error: PixelproofError | null,
  source: RunSource,
): Promise<RunResult> {
  const report = await labEntry(source.plan.experiment).report(source, {});
  let [calls, unfinished_calls, answered] = [0, 0, 0];
  let refusal: ExchangeRecord | null = null;
  for await (const { exchange } of source.exchanges()) {
    calls += 1;
    if (exchange.cause?.code === UNFINISHED.code) unfinished_calls += 1;
    if (exchange.cause === null) answered += 1;
    else if (exchange.cause.code === error?.code) refusal = exchange;
  }
  const counts = { calls, unfinished_calls, answered };
  return { status, plan_id, root_digest, done, total, error, report, ...counts, refusal };
}

function requireSamePlan(stored: string, asked: string): void {
  if (stored === asked) return;
  throw new PixelproofError(
    'run_plan_mismatch',
    'The options ask for another plan than the run in this folder has.',
    {
      expected: stored,
      got: asked,
    },
  );
}
