import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { PixelproofError } from '../src/errors';
import { bundleContents, writeDirectoryBundle } from '../src/evidence/bundle';
import { canonicalId } from '../src/evidence/identity/canonical';
import type { Json, JsonObject } from '../src/evidence/identity/json';
import { rootDigest } from '../src/evidence/root';
import type { Artifact, Plan, RunHeader } from '../src/evidence/run';
import { MemoryStore } from '../src/evidence/store/memory';
import { storedRun } from '../src/evidence/store/source';
import { labEntry } from '../src/lab/lab';
import { folderBundle, JOURNAL, prepareOutput } from './folder';
import { JournalStore } from './journal-store';
import { printJson, tell } from './output';
import { environmentRecord } from './run';
import type { Session } from './session';
import { positionsOf, readShardFile, type ShardFile } from './shard';

interface Options {
  readonly out: string;
  readonly force: boolean;
  readonly json: boolean;
}

export function addMergeCommand(program: Command, session: Session): void {
  program
    .command('merge')
    .description('make one run of the parts that --shard made, in any order')
    .argument('<folder...>', 'every part of one plan')
    .requiredOption('--out <dir>', 'output folder')
    .option('--force', 'replace the run in --out', false)
    .option('--json', 'print the result as JSON', false)
    .action(async (folders: string[], { out, force, json }: Options) => {
      const parts = await openParts(folders);
      try {
        requireOnePlan(parts);
        await prepareOutput(out, { resume: false, force });
        const header = await merge(parts, out, session.signal);
        const { plan_id, root_digest, done } = header;
        const result = { out, status: header.status, plan_id, root_digest, cases: done, parts: parts.length };
        if (json) printJson(result);
        else tell(`${out}: complete, ${done} cases of ${parts.length} parts`, `root digest ${root_digest}`);
      } finally {
        for (const { store } of parts) store.close();
      }
    });
}

interface Part {
  readonly folder: string;
  readonly file: ShardFile;
  readonly store: JournalStore;
  readonly header: RunHeader;
  readonly plan: Plan;
  readonly environment: JsonObject;
}

/** In order of their index. Throws `shard_unreadable` and as `JournalStore.open`. */
async function openParts(folders: readonly string[]): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (const folder of folders) {
    const file = readShardFile(folder);
    const journal = join(folder, JOURNAL);
    const store = existsSync(journal) ? await JournalStore.open(journal) : null;
    const header = (await store?.list({ offset: 0, limit: 1 }))?.items[0];
    if (store === null || header === undefined) {
      throw new PixelproofError('shard_unreadable', `The part in ${folder} has no journal.`, {
        expected: journal,
        got: 'none',
      });
    }
    parts.push({ folder, file, store, header, ...(await store.plan(header.run)) });
  }
  return parts.sort((a, b) => a.file.index - b.file.index);
}

/** Throws `merge_parts` naming the first thing that does not belong together. */
function requireOnePlan(parts: readonly Part[]): void {
  const refuse = (message: string, expected: Json, got: Json): never => {
    throw new PixelproofError('merge_parts', message, { expected, got });
  };
  const [first] = parts;
  if (first === undefined) throw new PixelproofError('merge_parts', 'Name the folders of the parts.');
  for (const { folder, file, header, plan } of parts) {
    const id = canonicalId(plan.frozen);
    if (file.plan_id !== id) refuse(`${folder} is not the part that it says.`, file.plan_id, id);
    if (id !== first.plan.plan_id) refuse(`${folder} is a part of another plan.`, first.plan.plan_id, id);
    if (file.count !== first.file.count)
      refuse(`${folder} is a part of another division.`, first.file.count, file.count);
    if (header.status !== 'complete')
      refuse(`The part in ${folder} is not finished; go on with --resume.`, header.total, header.done);
    if (canonicalId({ ...header.provider }) !== canonicalId({ ...first.header.provider }))
      refuse(`${folder} asked another provider.`, { ...first.header.provider }, { ...header.provider });
    // A time stamp is one: without --stamp each part of a live run has its own.
    if (canonicalId(plan.circumstances) !== canonicalId(first.plan.circumstances))
      refuse(
        `${folder} was run under other circumstances (give every part the same --stamp).`,
        first.plan.circumstances,
        plan.circumstances,
      );
  }
  const given = parts.map(({ file }) => file.index);
  const all = Array.from({ length: first.file.count }, (_, at) => at + 1);
  if (given.join() !== all.join()) refuse('Every part is needed once.', all.join(', '), given.join(', '));
}

async function merge(parts: readonly Part[], out: string, signal: AbortSignal): Promise<RunHeader> {
  const [first] = parts as readonly [Part, ...Part[]];
  const { experiment } = labEntry(first.plan.experiment);
  const keys = [...experiment.cases(first.plan)];
  const plan: Plan = { ...first.plan, case_count: keys.length };
  const store = new MemoryStore();
  const run = first.header.run;
  const created_at = parts.map(({ header }) => header.created_at).sort()[0];
  await store.create({
    run,
    plan,
    provider: first.header.provider,
    environment: { ...environmentRecord(), parts: parts.map(({ environment }) => environment) },
    origin: 'here',
    ...(created_at === undefined ? {} : { created_at }),
  });
  await store.setRuntime(run, await oneRuntime(parts));
  for (const part of parts) {
    signal.throwIfAborted();
    await copyPart(part, store, run, positionsOf(part.file, keys.length)[0]);
  }
  await store.seal(run, await rootDigest(plan, store.eachCase(run)));
  const source = await storedRun(store, run);
  await rm(join(out, 'artifacts'), { recursive: true, force: true });
  await writeDirectoryBundle(
    bundleContents(source, (each) => experiment.files(each)),
    folderBundle(out),
  );
  return source.header;
}

/** Parts that ran nothing have no runtime record. Throws `merge_parts` where two parts met other weights. */
async function oneRuntime(parts: readonly Part[]) {
  const met = (await Promise.all(parts.map(({ store, header }) => store.runtime(header.run)))).filter(
    (runtime) => runtime !== null,
  );
  const [first] = met;
  if (first === undefined) throw new PixelproofError('merge_parts', 'No part has a runtime record.');
  const other = met.find((runtime) => runtime.model_digest !== first.model_digest);
  if (other === undefined) return first;
  throw new PixelproofError('merge_parts', 'The parts were answered by different models.', {
    expected: first.model_digest ?? 'none',
    got: other.model_digest ?? 'none',
  });
}

async function copyPart(part: Part, to: MemoryStore, run: string, from: number): Promise<void> {
  const { store, header } = part;
  let position = from;
  for await (const record of store.eachCase(header.run)) {
    const exchanges = await store.exchangesAt(header.run, position - from);
    await to.journal(
      run,
      exchanges.map(({ key, index, exchange }) => ({ key, index, exchange, position })),
    );
    await to.commit(run, [{ position, record, artifacts: [] }]);
    position += 1;
  }
  for await (const { sha256 } of store.eachArtifact(header.run)) {
    const artifact: Artifact | null = await store.artifact(sha256);
    if (artifact !== null) await to.keep(run, [artifact]);
  }
}
