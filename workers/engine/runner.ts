import { PixelproofError } from '../../src/errors';
import {
  type BundleContents,
  bundleContents,
  containerBegun,
  HEAD_BYTES,
  recordDigestOf,
  writeJsonBundle,
  writeZipBundle,
} from '../../src/evidence/bundle';
import { compareRuns } from '../../src/evidence/compare';
import type { JsonObject } from '../../src/evidence/identity/json';
import { MemoryStore } from '../../src/evidence/store/memory';
import { storedRun } from '../../src/evidence/store/source';
import type { RunStore } from '../../src/evidence/store/store';
import { importBundle, type VerifyResult, verifyBundle } from '../../src/evidence/verify';
import { lendSignals } from '../../src/lab/image-signals';
import { lendVlm } from '../../src/lab/in-page';
import { lendKeys } from '../../src/lab/keys';
import { labEntry, type PreparedRun, prepareResume, prepareRun, verifiers } from '../../src/lab/lab';
import { lendModels } from '../../src/lab/models';
import { lendVision } from '../../src/lab/vision-controls';
import { download } from '../../src/providers/in-page/vlm/download';
import { executeRun, webLocks } from '../../src/runner';
import type { CaseKey, Progress, RunHeader } from '../../src/runner/experiment';
import type { RunnerApi, VerifyResult as VerifyView } from '../api';
import { environmentRecord } from './environment';
import { folderBundle } from './folder-bundle';
import { KeptStore } from './kept-store';
import { serveStore } from './lent-store';
import { bundleAddress, fetchBundle, noteOpened, openedBefore } from './linked-bundle';
import { pageModelHost } from './model-host';
import { modelStore, removeModel, storedModels } from './model-store';
import { ownModels } from './own-models';
import { signalEngine } from './signal-engines';
import { throttled } from './throttle';
import { visionResult } from './vision-result';
import { lendFolder, pageVlmHost } from './vlm-host';

const kept = new KeptStore();
const store = (): Promise<RunStore> => kept.open();
const locks = webLocks(navigator.locks);
/** Runs of this worker that are under way: what ends them, and when they have ended. */
const running = new Map<string, UnderWay>();

interface UnderWay {
  readonly cancel: AbortController;
  readonly end: Promise<void>;
  deleted: boolean;
}

/** Files of this tab that a run's plan names. Blobs are handles: their bytes are read when their turn comes. */
const lent = new Map<string, Blob>();
const keys = new Map<string, string>();
lendSignals({ picture, engine: signalEngine });
lendVision({ picture });
lendKeys((provider) => keys.get(provider) ?? null);
lendModels({ ...pageModelHost, own: ownModels.get });
lendVlm(pageVlmHost);
let downloading: AbortController | null = null;

async function picture(sha256: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const blob = lent.get(sha256);
  if (blob !== undefined) return new Uint8Array(await blob.arrayBuffer());
  return (await (await store()).artifact(sha256))?.bytes ?? null;
}

/** The journal keeps attempts by the place of their case in the plan. */
async function exchangesOf(from: RunStore, run: string, { arm, ordinal }: CaseKey) {
  const { plan } = await from.plan(run);
  let position = 0;
  for (const key of labEntry(plan.experiment).experiment.cases(plan)) {
    if (key.arm === arm && key.ordinal === ordinal) break;
    position += 1;
  }
  const exchanges = await from.exchangesAt(run, position);
  return exchanges.map(({ exchange }) => exchange);
}

async function execute(
  run: string,
  prepare: () => Promise<PreparedRun>,
  onProgress: (progress: Progress) => void,
): Promise<RunHeader | null> {
  const cancel = new AbortController();
  let ended = () => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  // Before anything is awaited: a cancel may come while the run is still being made ready.
  const underWay: UnderWay = { cancel, end, deleted: false };
  running.set(run, underWay);
  const progress = throttled(onProgress);
  try {
    const { experiment, plan, answers } = await prepare();
    const { header } = await executeRun({
      store: await store(),
      locks,
      run,
      experiment,
      plan,
      answers,
      signal: cancel.signal,
      onProgress: progress.report,
      clock: () => performance.now(),
    });
    return underWay.deleted ? null : header;
  } finally {
    progress.flush();
    running.delete(run);
    ended();
  }
}

export const api: RunnerApi = {
  async onStoreEvent(listener) {
    kept.onEvent(listener);
  },

  async keepNothing() {
    kept.inMemory(new MemoryStore(), true);
  },

  async lendStore(port) {
    serveStore(store, port);
  },

  everyRun: () => kept.everyRun(),

  async letGo() {
    downloading?.abort();
    for (const { cancel } of running.values())
      cancel.abort(new DOMException('The site is reset.', 'AbortError'));
    await Promise.all([...running.values()].map(({ end }) => end));
    await kept.close();
  },

  async start(request, onHeader, onProgress) {
    const prepared = await prepareRun(request);
    const { plan, answers } = prepared;
    const run = `${plan.experiment}-${crypto.randomUUID()}`;
    const header = await (await store()).create({
      run,
      plan,
      provider: answers.description,
      environment: await environmentRecord(),
      origin: 'here',
    });
    onHeader(header);
    return execute(run, async () => prepared, onProgress);
  },

  async lendPictures(files) {
    for (const { sha256, blob } of files) lent.set(sha256, blob);
  },

  async lendKey(provider, key) {
    if (key === null) keys.delete(provider);
    else keys.set(provider, key);
  },

  lendModel: ownModels.take,
  async lendModelFolder(name, folder) {
    lendFolder(name, folder);
  },

  async downloadModel(model, onProgress) {
    downloading?.abort();
    const cancel = new AbortController();
    downloading = cancel;
    const progress = throttled(onProgress);
    try {
      // The first word of a file is never held back: a slow one would be shown under the name of the one before.
      await download(model, modelStore, cancel.signal, (now) =>
        now.bytes === 0 ? onProgress(now) : progress.report(now),
      );
      return true;
    } catch (error) {
      if (cancel.signal.aborted) return false;
      throw error;
    } finally {
      progress.flush();
    }
  },

  async cancelDownload() {
    downloading?.abort();
  },

  storedModels,
  removeModel,

  async visionResult(run) {
    return visionResult(await storedRun(await store(), run));
  },

  async resume(run, onProgress) {
    const prepare = async (): Promise<PreparedRun> => {
      const from = await store();
      const header = await requireRun(from, run);
      const { plan } = await from.plan(run);
      return prepareResume(plan, header.provider);
    };
    return execute(run, prepare, onProgress);
  },

  async cancel(run) {
    running.get(run)?.cancel.abort(new DOMException('Cancelled.', 'AbortError'));
  },

  async runs(query) {
    const { total, items } = await (await store()).list(query);
    return { total, runs: items };
  },

  async header(run) {
    return (await store()).header(run);
  },

  async plan(run) {
    const { plan } = await (await store()).plan(run);
    return {
      plan_id: plan.plan_id,
      frozen: plan.frozen,
      circumstances: plan.circumstances,
      case_count: plan.case_count,
    };
  },

  async cases(run, query) {
    const { total, items } = await (await store()).cases(run, query);
    return { total, cases: items };
  },

  async caseOf(run, arm, ordinal) {
    const from = await store();
    const record = await from.case(run, { arm, ordinal });
    if (record === null) {
      throw new PixelproofError('case_missing', 'This case is not in the run, or not yet.', {
        got: `${arm} ${ordinal}`,
      });
    }
    return { record, exchanges: await exchangesOf(from, run, { arm, ordinal }) };
  },

  async exchangesOf(run, arm, ordinal) {
    return exchangesOf(await store(), run, { arm, ordinal });
  },

  async report(run) {
    const source = await storedRun(await store(), run);
    const note = isObject(source.header.note) ? source.header.note : {};
    return labEntry(source.plan.experiment).report(source, note);
  },

  async annotate(run, note) {
    return (await store()).update(run, { note });
  },

  async artifact(sha256) {
    return (await (await store()).artifact(sha256))?.bytes ?? null;
  },

  async recordDigest(run) {
    return recordDigestOf(await contentsOf(run));
  },

  async compare(a, b) {
    const [left, right] = await Promise.all([comparedRun(a), comparedRun(b)]);
    return compareRuns(left, right);
  },

  async exportRun(run, format, inlineImages) {
    const contents = await contentsOf(run);
    const chunks = format === 'zip' ? writeZipBundle(contents) : writeJsonBundle(contents, { inlineImages });
    // A Blob of parts: the browser may keep them on disk, and no export is ever one string.
    let blob = new Blob([], { type: format === 'zip' ? 'application/zip' : 'application/json' });
    let parts: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    for await (const chunk of chunks) {
      parts.push(chunk);
      size += chunk.length;
      if (size < BLOB_PART) continue;
      blob = new Blob([blob, ...parts], { type: blob.type });
      parts = [];
      size = 0;
    }
    return new Blob([blob, ...parts], { type: blob.type });
  },

  async exportTable(run) {
    const { parquetTable } = await import('../../src/evidence/table/parquet');
    const { header, cases } = await storedRun(await store(), run);
    const { experiment, plan_id, kind } = header;
    const about = { experiment, plan_id, kind, root_digest: header.root_digest ?? 'unfinished' };
    const bytes = await parquetTable(() => cases(), about);
    return new Blob([bytes], { type: 'application/vnd.apache.parquet' });
  },

  async verify(file) {
    return view(await verifyBundle(await bytesOf(file), verifiers));
  },

  async importRun(source) {
    const input = source instanceof Blob ? await bytesOf(source) : folderBundle(source, MAX_IMPORT_BYTES);
    const { status, verification, header } = await importBundle(input, await store(), verifiers);
    return { result: view(verification), header, already: status === 'already_stored' };
  },

  async importLinked(path, site) {
    const address = bundleAddress(path, site);
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      bytes = await fetchBundle(address, MAX_IMPORT_BYTES);
    } catch (error) {
      const before = isUnreachable(error) ? await openedBefore(address) : null;
      const header = before === null ? null : await (await store()).header(before);
      if (header === null) throw error;
      return { result: null, header, already: true };
    }
    const { status, verification, header } = await importBundle(bytes, await store(), verifiers);
    if (header !== null && !kept.keepsNothing) await noteOpened(address, header.run);
    return { result: view(verification), header, already: status === 'already_stored' };
  },

  async remove(run) {
    // What runs here ends first, so that nothing is written into a run that is gone.
    const here = running.get(run);
    if (here !== undefined) {
      here.deleted = true;
      here.cancel.abort(new DOMException('The run was deleted.', 'AbortError'));
      await here.end;
    }
    const release = await locks.acquire(run);
    if (release === null) {
      throw new PixelproofError(
        'run_locked',
        'This run is going on in another tab or in another part of this page; cancel it there, then delete it.',
        { got: run },
      );
    }
    try {
      await (await store()).remove(run);
    } finally {
      release();
    }
  },

  async usage() {
    const { bytes, quota, memory_only } = await (await store()).usage();
    const persisted = (await navigator.storage?.persisted?.()) ?? null;
    return { bytes, quota, persisted, memoryOnly: memory_only };
  },
};

function isUnreachable(error: unknown): boolean {
  return error instanceof PixelproofError && error.code === 'link_unreachable';
}

async function comparedRun(run: string) {
  const source = await storedRun(await store(), run);
  const { provider, root_digest } = source.header;
  const record_digest = root_digest === null ? null : await recordDigestOf(await contentsOf(run));
  return { source, provider, root_digest, record_digest };
}

async function contentsOf(run: string): Promise<BundleContents> {
  const source = await storedRun(await store(), run);
  const { experiment } = labEntry(source.plan.experiment);
  return bundleContents(source, (each) => experiment.files(each), experiment.unfinished);
}

/** Chunks are gathered to this size before they become part of a Blob. */
const BLOB_PART = 8 * 1024 * 1024;
/** The largest file that is opened: a bundle is read whole. */
const MAX_IMPORT_BYTES = 1024 * 1024 * 1024;

async function bytesOf(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > MAX_IMPORT_BYTES) {
    throw new PixelproofError(
      'bundle_too_large',
      'The file is too large to open here; use the command line.',
      {
        expected: `at most ${MAX_IMPORT_BYTES} bytes`,
        got: file.size,
      },
    );
  }
  // What is neither ZIP nor JSON is refused by its first bytes, however large it is.
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  return containerBegun(head) === null ? head : new Uint8Array(await file.arrayBuffer());
}

async function requireRun(from: RunStore, run: string): Promise<RunHeader> {
  const header = await from.header(run);
  if (header === null)
    throw new PixelproofError('store_run_missing', 'There is no such run here.', { got: run });
  return header;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function view({ ok, experiment, counts, root_digest, record_digest, findings }: VerifyResult): VerifyView {
  return {
    ok,
    experiment,
    files: counts.files,
    checks: counts.pass,
    root_digest: root_digest.got,
    record_digest: record_digest.got,
    findings,
  };
}
