import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import * as v from 'valibot';
import { PixelproofError } from '../src/errors';
import type { CaseKey, Plan } from '../src/evidence/run';
import { type PreparedRun, prepareResume } from '../src/lab/lab';
import { executeRun, memoryLocks } from '../src/runner';
import type { Experiment, Progress } from '../src/runner/experiment';
import { type Kept, requireKept } from './fitting';
import { JOURNAL } from './folder';
import { JournalStore } from './journal-store';
import { environmentRecord } from './run';

/** Part `index` of `count`, from 1: the cases of a plan that one machine runs. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** What marks a folder as a part of a run: no bundle, and nothing a report can be made of. */
export const SHARD_FILE = 'shard.json';
const SHARD_FORMAT = 'pixelproof-shard/1';
/** More machines than that share no run: every part repeats the start-up. */
const MOST = 1024;

export const SHARD_FORM = v.strictObject({
  format: v.literal(SHARD_FORMAT),
  plan_id: v.string(),
  index: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  count: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(MOST)),
});
export type ShardFile = v.InferOutput<typeof SHARD_FORM>;

/** Reads `2/8`. */
export function shardOption(text: string): Shard {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (shard.index >= 1 && shard.index <= shard.count && shard.count <= MOST) return shard;
  throw new InvalidArgumentError(`It must be i/n with 1 <= i <= n <= ${MOST}, for example 2/8.`);
}

/** The positions of a part, `[from, to)`: neighbours in plan order, so that parts share as few renders as can be. */
export function positionsOf({ index, count }: Shard, cases: number): readonly [number, number] {
  return [Math.floor(((index - 1) * cases) / count), Math.floor((index * cases) / count)];
}

/** Throws `shard_unreadable`. */
export function readShardFile(folder: string): ShardFile {
  const path = join(folder, SHARD_FILE);
  const fault = (message: string, got: string, cause?: unknown) =>
    new PixelproofError('shard_unreadable', message, { expected: `a folder made with --shard`, got, cause });
  if (!existsSync(path)) throw fault(`There is no ${SHARD_FILE} in ${folder}.`, folder);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw fault(`${path} is no JSON.`, path, cause);
  }
  const parsed = v.safeParse(SHARD_FORM, value);
  if (parsed.success) return parsed.output;
  throw fault(`${path} is not valid at ${v.getDotPath(parsed.issues[0]) ?? 'its top'}.`, path);
}

export interface ShardResult extends Shard {
  readonly status: string;
  readonly plan_id: string;
  readonly done: number;
  readonly total: number;
  readonly error: PixelproofError | null;
}

/**
 * Runs one part of a plan into a prepared folder, or goes on with the part that lies there; `pixelproof merge` makes a
 * run of all parts. Throws as `executeRun`, and `shard_mismatch` where the folder has another part or another plan.
 */
export async function runShard(
  out: string,
  asked: PreparedRun | null,
  wanted: Shard | null,
  kept: Kept,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<ShardResult> {
  const store = await JournalStore.open(join(out, JOURNAL));
  try {
    const { items } = await store.list({ offset: 0, limit: 1 });
    const stored = items[0];
    const shard = wanted ?? readShardFile(out);
    let prepared = asked;
    if (stored !== undefined) {
      requireSame(readShardFile(out), shard, asked?.plan ?? null);
      const { plan: begun } = await store.plan(stored.run);
      requireKept(begun, kept);
      prepared = await prepareResume(begun, stored.provider);
    }
    if (prepared === null) throw new PixelproofError('output_missing', `There is no part in ${out}.`);
    const part = partOf(prepared.experiment, shard);
    const plan: Plan = { ...prepared.plan, case_count: [...part.cases(prepared.plan)].length };
    const run = stored?.run ?? `${plan.experiment}-${randomUUID()}`;
    if (stored === undefined) {
      const { index, count } = shard;
      const file: ShardFile = { format: SHARD_FORMAT, plan_id: plan.plan_id, index, count };
      await writeFile(join(out, SHARD_FILE), `${JSON.stringify(file)}\n`);
      const environment = environmentRecord();
      const provider = prepared.answers.description;
      await store.create({ run, plan, provider, environment, origin: 'here' });
    }
    const { header, error } = await executeRun({
      store,
      locks: memoryLocks(),
      run,
      experiment: part,
      plan,
      answers: prepared.answers,
      signal,
      onProgress,
      clock: () => performance.now(),
    });
    const { status, plan_id, done, total } = header;
    // Of a part that goes on, the shard is its whole file.
    const { index, count } = shard;
    return { index, count, status, plan_id, done, total, error };
  } finally {
    store.close();
  }
}

/** The experiment with the cases of one part. Its ordinals stay those of the whole plan. */
function partOf(experiment: Experiment, shard: Shard): Experiment {
  return {
    ...experiment,
    cases: (plan): readonly CaseKey[] => {
      const keys = [...experiment.cases(plan)];
      return keys.slice(...positionsOf(shard, keys.length));
    },
  };
}

function requireSame(stored: ShardFile, { index, count }: Shard, plan: Plan | null): void {
  const there = `part ${stored.index}/${stored.count} of ${stored.plan_id}`;
  const asked = `part ${index}/${count} of ${plan?.plan_id ?? stored.plan_id}`;
  if (there === asked) return;
  throw new PixelproofError('shard_mismatch', 'The folder has another part, or a part of another plan.', {
    expected: there,
    got: asked,
  });
}
