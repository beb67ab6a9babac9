import { PixelproofError } from '../../errors';
import { type BundleInput, type OpenedBundle, openBundle } from '../bundle/open';
import {
  bundleArtifacts,
  bundleCases,
  bundleEnvironment,
  bundleExchanges,
  bundlePlan,
  bundleRuntime,
} from '../bundle/records';
import { canonicalJson } from '../identity/canonical';
import { caseLine } from '../root';
import type { Artifact, CaseKey, CaseRecord, RunHeader } from '../run';
import { IMPORT_UNFINISHED } from '../store/rules';
import { storedRun } from '../store/source';
import { BATCH, type EndedAttempt, type FinishedCase, type RunStore } from '../store/store';
import { Findings } from './findings';
import { recordDifference } from './same-record';
import type { BundleVerifier, LeftBehind } from './verifier';
import { unopened, type VerifyOptions, type VerifyResult, verifyOpened } from './verify';

export interface ImportResult {
  /** `refused`: it does not verify, and nothing was stored. */
  readonly status: 'stored' | 'already_stored' | 'refused';
  readonly verification: VerifyResult;
  readonly header: RunHeader | null;
}

/**
 * Verifies a bundle and stores it. Whatever happens, nothing that was stored before is lost: the same record again, in
 * whatever container, is `already_stored`. Throws `import_conflict` where another run of that name, or the same run with
 * other circumstances, is stored, and as the store does (`store_quota`: the part of this import that was written is
 * removed again).
 */
export async function importBundle(
  input: BundleInput,
  store: RunStore,
  experiments: Iterable<BundleVerifier>,
  options: VerifyOptions = {},
): Promise<ImportResult> {
  const findings = new Findings();
  const known = [...experiments];
  const bundle = await findings.attempt('bundle', () => openBundle(input));
  if (bundle === null) return { status: 'refused', verification: unopened(findings), header: null };
  const verification = await verifyOpened(bundle, known, options);
  if (!verification.ok) return { status: 'refused', verification, header: null };
  const { run } = await bundleEnvironment(bundle);
  const before = await store.header(run);
  if (before !== null && before.stopped?.code === IMPORT_UNFINISHED.code) await store.remove(run);
  else if (before !== null)
    return {
      status: 'already_stored',
      verification,
      header: await requireSame(bundle, before, store, known),
    };
  const own = known.find(({ id }) => id === bundle.manifest.experiment);
  try {
    const left = bundle.manifest.complete ? null : ((await own?.left?.(bundle)) ?? null);
    return {
      status: 'stored',
      verification,
      header: await write(bundle, store, verification, left, options.signal),
    };
  } catch (error) {
    await store.remove(run).catch(() => {});
    throw error;
  }
}

/** The stored run may know more than the bundle (it was resumed since), but never something else. */
async function requireSame(
  bundle: OpenedBundle,
  header: RunHeader,
  store: RunStore,
  experiments: readonly BundleVerifier[],
): Promise<RunHeader> {
  const { plan_id, root_digest, complete } = bundle.manifest;
  const conflict = (expected: string, got: string) =>
    new PixelproofError(
      'import_conflict',
      'Another record of a run of this name is stored here; delete it first if the bundle shall take its place.',
      { expected, got },
    );
  if (plan_id !== header.plan_id) throw conflict(header.plan_id, plan_id);
  if (complete && header.root_digest !== root_digest)
    throw conflict(header.root_digest ?? header.status, root_digest);
  if (complete) {
    const own = experiments.find(({ id }) => id === header.experiment);
    const other = await recordDifference(bundle, await storedRun(store, header.run), own);
    if (other !== null) throw conflict(other.expected, other.got);
  } else {
    const stored = store.eachCase(header.run)[Symbol.asyncIterator]();
    for await (const record of bundleCases(bundle)) {
      const next = await stored.next();
      const same = next.done !== true && wholeCase(next.value) === wholeCase(record);
      if (!same) throw conflict(header.status, 'another unfinished state of it');
    }
  }
  return header;
}

const wholeCase = (record: CaseRecord): string => caseLine(record) + canonicalJson(record.detail);

async function write(
  bundle: OpenedBundle,
  store: RunStore,
  { counts }: VerifyResult,
  left: LeftBehind | null,
  signal: AbortSignal | undefined,
): Promise<RunHeader> {
  const { run, created_at, circumstances, environment } = await bundleEnvironment(bundle);
  const { provider, complete, root_digest } = bundle.manifest;
  const plan = bundlePlan(bundle, circumstances);
  await store.create({ run, plan, provider, environment, origin: 'imported', created_at });
  await store.update(run, { status: 'incomplete', stopped: IMPORT_UNFINISHED });
  const runtime = await bundleRuntime(bundle);
  if (runtime !== null) await store.setRuntime(run, runtime);
  await writeExchanges(bundle, store, run);
  // The bundle does not say which case an artifact came with, and the store does not ask: they are spread evenly.
  const share = Math.ceil(counts.artifacts / Math.max(1, counts.cases));
  const artifacts = artifactsOf(bundle);
  await writeCases(bundle, store, run, artifacts, share, signal);
  // What a stopped case left has no case to go with.
  for await (const artifact of artifacts) await store.keep(run, [artifact]);
  for (const { path, sha256, media_type, inlined } of left?.files ?? [])
    if (inlined) await store.keep(run, [{ sha256, media_type, bytes: await bundle.read(path) }]);
  if (complete) return store.seal(run, root_digest);
  const stopped =
    left === null
      ? { code: 'import_partial', message: 'The imported run was not finished; it can be resumed.' }
      : {
          code: 'import_ended',
          message: 'The imported run was stopped before its end, and its protocol does not let it go on.',
        };
  return store.update(run, {
    status: 'incomplete',
    stopped,
    ...(left === null ? {} : { note: left.note }),
  });
}

async function writeExchanges(bundle: OpenedBundle, store: RunStore, run: string): Promise<void> {
  const cases = bundleCases(bundle)[Symbol.asyncIterator]();
  let position = -1;
  let at: CaseKey | null = null;
  let batch: EndedAttempt[] = [];
  for await (const attempt of bundleExchanges(bundle)) {
    // Both are in plan order; what belongs to no case is the open question of an unfinished run, after the last.
    while (at === null || at.arm !== attempt.key.arm || at.ordinal !== attempt.key.ordinal) {
      const next: IteratorResult<CaseKey, unknown> = await cases.next();
      position += 1;
      at = next.done === true ? attempt.key : next.value;
    }
    batch.push({ ...attempt, position });
    if (batch.length < BATCH) continue;
    await store.journal(run, batch);
    batch = [];
  }
  if (batch.length > 0) await store.journal(run, batch);
}

/** Artifacts of a batch go with its cases in one transaction; a batch ends early when its pictures grow large. */
const BATCH_BYTES = 16 * 1024 * 1024;

async function writeCases(
  bundle: OpenedBundle,
  store: RunStore,
  run: string,
  waiting: AsyncIterator<Artifact, unknown>,
  share: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  let batch: FinishedCase[] = [];
  let position = 0;
  let bytes = 0;
  for await (const record of bundleCases(bundle)) {
    const artifacts: Artifact[] = [];
    while (artifacts.length < share) {
      const next = await waiting.next();
      if (next.done === true) break;
      artifacts.push(next.value);
      bytes += next.value.bytes.length;
    }
    batch.push({ position, record, artifacts });
    position += 1;
    if (batch.length < BATCH && bytes < BATCH_BYTES) continue;
    signal?.throwIfAborted();
    await store.commit(run, batch);
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) await store.commit(run, batch);
}

/** The artifacts whose bytes the bundle carries. */
async function* artifactsOf(bundle: OpenedBundle): AsyncGenerator<Artifact> {
  const paths = new Map(
    bundle.manifest.files.filter((file) => file.inlined).map((file) => [file.sha256, file.path]),
  );
  for await (const { sha256, media_type } of bundleArtifacts(bundle)) {
    const path = paths.get(sha256);
    if (path !== undefined) yield { sha256, media_type, bytes: await bundle.read(path) };
  }
}
