import { PixelproofError } from '../../errors';
import { sha256Large } from '../identity/sha256';
import type { Artifact, RunHeader } from '../run';
import type { FinishedCase, NewRun, RunQuery } from './store';

// What every store enforces alike, so that a memory store in a test refuses what a browser's store refuses.

const RUN_NAME = /^[A-Za-z0-9-]{1,64}$/;

/** The header of a run that was just planned. Throws `store_run_name`. */
export function newHeader(run: NewRun, now: string): RunHeader {
  if (!RUN_NAME.test(run.run)) {
    throw new PixelproofError('store_run_name', 'A run name has 1 to 64 letters, digits and hyphens.', {
      got: run.run,
    });
  }
  return {
    run: run.run,
    experiment: run.plan.experiment,
    plan_id: run.plan.plan_id,
    kind: run.plan.kind,
    status: 'planned',
    done: 0,
    total: run.plan.case_count,
    provider: run.provider,
    created_at: run.created_at ?? now,
    updated_at: now,
    root_digest: null,
    stopped: null,
    origin: run.origin,
    note: null,
  };
}

export function missing(run: string): PixelproofError {
  return new PixelproofError('store_run_missing', 'There is no such run here; it may have been deleted.', {
    got: run,
  });
}

export function exists(run: string): PixelproofError {
  return new PixelproofError('store_run_exists', 'A run of this name is stored already.', { got: run });
}

/** How an import in progress, and one that was cut off, says so. The next import of the same run begins anew. */
export const IMPORT_UNFINISHED = {
  code: 'import_unfinished',
  message: 'This import was cut off; import the bundle again.',
};

/** Its exchanges come before their cases, so half an import is no run. Throws `import_unfinished`. */
export function requireImported({ run, stopped }: RunHeader): void {
  if (stopped?.code !== IMPORT_UNFINISHED.code) return;
  throw new PixelproofError(
    IMPORT_UNFINISHED.code,
    'Only a part of this run was imported. Wait for its import to end, or import the bundle again.',
    { got: run },
  );
}

/** Throws `store_run_sealed`. */
export function requireOpen(header: RunHeader): void {
  if (header.status === 'complete') {
    throw new PixelproofError('store_run_sealed', 'The run is complete and cannot change any more.', {
      got: header.run,
    });
  }
}

/** Throws `store_seal_early`. */
export function requireAllCases(header: RunHeader): void {
  requireOpen(header);
  if (header.done !== header.total) {
    throw new PixelproofError('store_seal_early', 'A run is sealed only when every planned case is in it.', {
      expected: header.total,
      got: header.done,
    });
  }
}

/** Throws `store_case_order`. */
export function requireNext(header: RunHeader, cases: readonly FinishedCase[]): void {
  requireOpen(header);
  cases.forEach(({ position }, index) => {
    const expected = header.done + index;
    if (position !== expected || position >= header.total) {
      throw new PixelproofError('store_case_order', 'Cases are committed in plan order, each once.', {
        expected,
        got: position,
      });
    }
  });
}

/** Hashes before any transaction opens: an IndexedDB transaction closes itself while a digest is awaited. */
export async function requireDigests(cases: readonly FinishedCase[]): Promise<void> {
  for (const { artifacts } of cases) await requireArtifactDigests(artifacts);
}

/** Throws `store_artifact_digest`. */
export async function requireArtifactDigests(artifacts: readonly Artifact[]): Promise<void> {
  for (const { sha256, bytes } of artifacts) {
    const got = await sha256Large(bytes);
    if (got === sha256) continue;
    throw new PixelproofError('store_artifact_digest', 'An artifact is stored under its own digest only.', {
      expected: sha256,
      got,
    });
  }
}

export function matches(header: RunHeader, query: RunQuery): boolean {
  if (query.experiment !== undefined && header.experiment !== query.experiment) return false;
  if (query.kind !== undefined && header.kind !== query.kind) return false;
  if (query.status !== undefined && header.status !== query.status) return false;
  if (query.text === undefined || query.text.trim() === '') return true;
  const { run, experiment, plan_id, root_digest, provider, note } = header;
  const hay = [
    run,
    experiment,
    plan_id,
    root_digest ?? '',
    provider.label,
    provider.model,
    JSON.stringify(note),
  ];
  return hay.join('\n').toLowerCase().includes(query.text.trim().toLowerCase());
}
