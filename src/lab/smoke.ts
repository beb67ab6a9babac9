import { bundleContents, writeZipBundle } from '../evidence/bundle';
import type { JsonObject } from '../evidence/identity/json';
import { MemoryStore } from '../evidence/store/memory';
import { storedRun } from '../evidence/store/source';
import { verifyBundle } from '../evidence/verify';
import { executeRun, memoryLocks } from '../runner';
import { prepareRun, verifiers } from './lab';
import { pngSmokeChecks } from './png-smoke';
import { pongSmokeChecks } from './pong-smoke';
import { type ReadGolden, signalsSmokeChecks } from './signals-smoke';
import { check, type SmokeCheck } from './smoke-check';
import { overallDigest, type SmokeRoot } from './smoke-overall';
import { SMOKE_OVERALL, SMOKE_RUNS, type SmokeRun } from './smoke-runs';
import { visionSmokeChecks } from './vision-smoke';

/** The check of the digest over the roots of all smoke runs. */
export const OVERALL = 'all smoke runs: overall digest';

/** Takes the bundle of a finished smoke run, a ZIP; the page exports the same but for its circumstances. */
export type KeepBundle = (name: string, zip: Uint8Array<ArrayBuffer>) => Promise<void>;

/**
 * Everything that needs no network, one check at a time: each smoke run from plan to root digest, its export verified
 * from its own bytes alone, and what each experiment compares with its reference figures.
 */
export async function* smokeChecks(
  environment: JsonObject,
  readGolden: ReadGolden,
  paddle: Uint8Array,
  signal: AbortSignal,
  keep: KeepBundle = async () => {},
): AsyncIterable<SmokeCheck> {
  const roots: SmokeRoot[] = [];
  for (const smoke of SMOKE_RUNS) yield* runChecks(smoke, environment, signal, roots, keep);
  yield check(OVERALL, SMOKE_OVERALL, overallDigest(roots));
  yield* pngSmokeChecks(signal);
  yield* signalsSmokeChecks(readGolden, signal);
  yield* pongSmokeChecks(paddle, signal);
  yield* visionSmokeChecks();
}

async function* runChecks(
  smoke: SmokeRun,
  environment: JsonObject,
  signal: AbortSignal,
  roots: SmokeRoot[],
  keep: KeepBundle,
): AsyncIterable<SmokeCheck> {
  const name = `${smoke.request.experiment}, ${smoke.request.provider.id}`;
  const { experiment, plan, answers } = await prepareRun(smoke.request);
  const store = new MemoryStore();
  const run = 'smoke';
  await store.create({ run, plan, provider: answers.description, environment, origin: 'here' });
  const { header, error } = await executeRun({
    store,
    locks: memoryLocks(),
    run,
    experiment,
    plan,
    answers,
    signal,
  });
  signal.throwIfAborted();
  yield check(
    `${name}: status`,
    'complete',
    error === null ? header.status : `${header.status}: ${error.message}`,
  );
  yield check(`${name}: root digest`, smoke.root, header.root_digest);
  const { experiment: id, provider } = smoke.request;
  roots.push({ experiment: id, provider: provider.id, root_digest: header.root_digest ?? header.status });
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const contents = bundleContents(
    await storedRun(store, run),
    (source) => experiment.files(source),
    experiment.unfinished,
  );
  for await (const chunk of writeZipBundle(contents)) chunks.push(chunk);
  const zip = joined(chunks);
  await keep(bundleName(smoke), zip);
  const result = await verifyBundle(zip, verifiers, { signal });
  const failures = result.findings.filter((finding) => finding.level === 'failure');
  yield check(
    `${name}: export verifies from itself alone`,
    'no difference',
    failures.length === 0
      ? 'no difference'
      : failures.map(({ where, message }) => `${where}: ${message}`).join('; '),
  );
}

/** The file name of a smoke run's bundle: no two smoke runs share experiment and provider. */
function bundleName({ request }: SmokeRun): string {
  return `${request.experiment}-${request.provider.id}.zip`;
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
