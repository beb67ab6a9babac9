import { PixelproofError } from '../../../src/errors';
import {
  type BundleContents,
  bundleContents,
  containerBegun,
  HEAD_BYTES,
  recordDigestOf,
  writeJsonBundle,
  writeZipBundle,
} from '../../../src/evidence/bundle';
import { compareRuns } from '../../../src/evidence/compare';
import type { JsonObject } from '../../../src/evidence/identity/json';
import { storedRun } from '../../../src/evidence/store/source';
import type { RunStore } from '../../../src/evidence/store/store';
import { importBundle, type VerifyResult, verifyBundle } from '../../../src/evidence/verify';
import { labEntry, verifiers } from '../../../src/lab/lab';
import type { CaseKey } from '../../../src/runner/experiment';
import type { RunnerApi, VerifyResult as VerifyView } from '../../api';
import { folderBundle } from '../folder-bundle';
import { bundleAddress, fetchBundle, noteOpened, openedBefore } from '../linked-bundle';
import { visionResult } from '../vision-result';
import { kept, store } from './kept';

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

/** Reads what is stored, hands it out and takes it in. */
export const evidenceAccess = {
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
    const { parquetTable } = await import('../../../src/evidence/table/parquet');
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

  async visionResult(run) {
    return visionResult(await storedRun(await store(), run));
  },
} satisfies Partial<RunnerApi>;

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
