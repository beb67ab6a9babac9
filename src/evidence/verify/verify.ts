import type { ResultKind } from '../../providers/provider';
import { recordDigest } from '../bundle/manifest';
import { type BundleInput, type OpenedBundle, openBundle } from '../bundle/open';
import type { Bundle, BundleManifest } from '../bundle/reader';
import { bundleEnvironment, bundleRuntime, isBundleFile } from '../bundle/records';
import { canonicalId } from '../identity/canonical';
import type { Sha256Id } from '../identity/json';
import { rootOf } from '../root';
import { checkArtifacts } from './artifacts';
import { checkExchanges } from './exchanges';
import type { Finding } from './finding';
import { Findings } from './findings';
import { checkForms } from './form';
import { checkListing } from './listing';
import { checkProvider } from './provider';
import { checkCases } from './records';
import type { BundleVerifier } from './verifier';

export interface VerifyOptions {
  /** The container was packed again by other means: a difference in its bytes alone is a warning, not a failure. */
  readonly repacked?: boolean;
  /** A root digest known from elsewhere (a paper, a link) that this bundle must have. */
  readonly expectedRoot?: string;
  /** The same for the record digest, which covers exchanges, runtime and every other file too. */
  readonly expectedRecord?: string;
  readonly onProgress?: (progress: {
    readonly done: number;
    readonly total: number;
    readonly now: string;
  }) => void;
  readonly signal?: AbortSignal;
  /** What a bundle of an experiment that is not among the given ones comes to. Default `failure`. */
  readonly unknownExperiment?: 'failure' | 'warning';
}

/** What a verification says. `ok` is true when there is no failure; warnings are for a person to weigh. */
export interface VerifyResult {
  readonly ok: boolean;
  readonly container: Bundle['container'] | null;
  readonly experiment: string | null;
  readonly kind: ResultKind | null;
  readonly complete: boolean | null;
  readonly counts: {
    readonly files: number;
    /** Files that the bundle names by digest without carrying them. */
    readonly not_inlined: number;
    readonly cases: number;
    readonly exchanges: number;
    readonly artifacts: number;
    readonly pass: number;
    readonly warning: number;
    readonly failure: number;
  };
  /** `expected`: what the manifest says; `got`: what its cases give. Null where it could not be found out. */
  readonly root_digest: { readonly expected: Sha256Id | null; readonly got: Sha256Id | null };
  readonly record_digest: { readonly expected: Sha256Id | null; readonly got: Sha256Id | null };
  /** In the order of the checks; at most 500 of each level, all of them in `counts`. */
  readonly findings: readonly Finding[];
}

/**
 * Verifies a bundle from itself alone: manifest, every file's digest, plan id, root digest, exchanges against cases,
 * artifacts, everything that the experiment can recompute, and last the container's bytes. Never throws for what is
 * in the bundle: whatever is wrong is a finding with a code. Rejects only when the signal is aborted.
 */
export async function verifyBundle(
  input: BundleInput,
  experiments: Iterable<BundleVerifier>,
  options: VerifyOptions = {},
): Promise<VerifyResult> {
  const findings = new Findings();
  const bundle = await findings.attempt('bundle', () => openBundle(input));
  if (bundle === null) return unopened(findings);
  return verifyOpened(bundle, experiments, options, findings);
}

/** The result for what could not be opened, with the finding that says why. */
export function unopened(findings: Findings): VerifyResult {
  return resultOf(findings, null, NOTHING);
}

interface Seen {
  readonly files: number;
  readonly not_inlined: number;
  readonly cases: number;
  readonly exchanges: number;
  readonly artifacts: number;
  readonly root: Sha256Id | null;
  readonly record: Sha256Id | null;
}

const NOTHING: Seen = {
  files: 0,
  not_inlined: 0,
  cases: 0,
  exchanges: 0,
  artifacts: 0,
  root: null,
  record: null,
};

export async function verifyOpened(
  bundle: OpenedBundle,
  experiments: Iterable<BundleVerifier>,
  options: VerifyOptions,
  findings: Findings = new Findings(),
): Promise<VerifyResult> {
  const { manifest } = bundle;
  findings.pass('bundle_manifest', 'pixelproof.json', 'The manifest is complete and unchanged.');
  findings.compare('plan_id', 'pixelproof.json', 'The plan id', manifest.plan_id, canonicalId(manifest.plan));
  const record = await checkRecord(manifest, options, findings);
  const files = await checkFiles(bundle, options, findings);
  options.onProgress?.({ done: manifest.files.length, total: manifest.files.length, now: 'cases' });
  await checkForms(bundle, findings);
  const cases = await findings.attempt('cases.jsonl', () => checkCases(bundle, findings));
  const root = cases === null ? null : checkRoot(manifest, cases, options, findings);
  const exchanges = await findings.attempt('exchanges.jsonl', () => checkExchanges(bundle, findings));
  if (exchanges !== null) findings.pass('exchanges', 'exchanges.jsonl', `${exchanges} exchanges were read.`);
  const artifacts = await findings.attempt('artifacts.jsonl', () => checkArtifacts(bundle, findings));
  await findings.attempt('environment.json', () => bundleEnvironment(bundle));
  await findings.attempt('runtime.json', () => checkRuntime(bundle, cases?.count ?? 0, findings));
  options.signal?.throwIfAborted();
  await checkExperiment(bundle, experiments, options, findings);
  options.signal?.throwIfAborted();
  await checkContainer(bundle, options, findings);
  return resultOf(findings, bundle, {
    ...files,
    cases: cases?.count ?? 0,
    exchanges: exchanges ?? 0,
    artifacts: artifacts ?? 0,
    root,
    record,
  });
}

async function checkRecord(
  manifest: BundleManifest,
  { expectedRecord }: VerifyOptions,
  findings: Findings,
): Promise<Sha256Id> {
  const where = 'pixelproof.json';
  const record = await recordDigest(manifest);
  findings.compare('record_digest', where, 'The record digest', record, manifest.record_digest);
  if (expectedRecord !== undefined) {
    findings.compare('record_digest_expected', where, 'The record digest asked for', expectedRecord, record);
  }
  return record;
}

/** Every run asks what is running before its first question, so a case without a runtime record has lost it. */
async function checkRuntime(bundle: Bundle, cases: number, findings: Findings): Promise<void> {
  const runtime = await bundleRuntime(bundle);
  if (runtime !== null || cases === 0) return;
  findings.fail(
    'runtime_missing',
    'runtime.json',
    'The run has cases, so it recorded what was running; the record is not here.',
    'a runtime record',
    'null',
  );
}

async function checkFiles(bundle: OpenedBundle, options: VerifyOptions, findings: Findings) {
  let not_inlined = 0;
  const { files } = bundle.manifest;
  for (const [done, file] of files.entries()) {
    options.signal?.throwIfAborted();
    options.onProgress?.({ done, total: files.length, now: file.path });
    if (!file.inlined && bundle.container === 'json') not_inlined += 1;
    else await findings.attempt(file.path, () => bundle.read(file.path));
  }
  if (findings.counts.failure === 0) {
    findings.pass(
      'file_digests',
      'pixelproof.json',
      `${files.length - not_inlined} files have their digests.`,
    );
  }
  for (const path of bundle.unlisted) {
    const message = 'The manifest does not list this file, so nothing vouches for it.';
    // A folder is open to its owner's notes; a container that we write holds nothing else.
    if (bundle.container === 'directory') findings.warn('bundle_file_unlisted', path, message);
    else findings.fail('bundle_file_unlisted', path, message);
  }
  return { files: files.length, not_inlined };
}

function checkRoot(
  manifest: BundleManifest,
  cases: { readonly count: number; readonly sha256: Sha256Id },
  options: VerifyOptions,
  findings: Findings,
): Sha256Id {
  const where = 'cases.jsonl';
  const listed = manifest.files.find((file) => file.path === where)?.sha256 ?? 'none';
  // The file must be the canonical lines themselves: its digest is part of the root digest.
  findings.compare('cases_form', where, 'The canonical form of every case', listed, cases.sha256);
  if (!manifest.complete && manifest.case_count > 0 && cases.count === manifest.case_count) {
    findings.fail(
      'complete_mismatch',
      'pixelproof.json complete',
      'The manifest calls the run unfinished, but every planned case is there.',
      'true',
      'false',
    );
  } else if (manifest.complete && cases.count !== manifest.case_count) {
    findings.fail(
      'case_count',
      where,
      'A complete run has every planned case.',
      `${manifest.case_count}`,
      `${cases.count}`,
    );
  } else if (cases.count > manifest.case_count) {
    findings.fail(
      'case_count',
      where,
      'There are more cases than planned.',
      `${manifest.case_count}`,
      `${cases.count}`,
    );
  } else if (!manifest.complete) {
    findings.warn(
      'bundle_partial',
      where,
      `${cases.count} of ${manifest.case_count} cases: the run was not finished.`,
    );
  }
  const { experiment, plan_id, root_digest } = manifest;
  const root = rootOf({ experiment, plan_id, case_count: cases.count, cases_sha256: cases.sha256 });
  findings.compare('root_digest', 'pixelproof.json', 'The root digest', root_digest, root);
  if (options.expectedRoot !== undefined) {
    findings.compare(
      'root_digest_expected',
      'pixelproof.json',
      'The root digest asked for',
      options.expectedRoot,
      root,
    );
  }
  return root;
}

async function checkExperiment(
  bundle: Bundle,
  experiments: Iterable<BundleVerifier>,
  { unknownExperiment }: VerifyOptions,
  findings: Findings,
): Promise<void> {
  const { experiment, complete, plan } = bundle.manifest;
  if (typeof plan.experiment === 'string') {
    findings.compare(
      'experiment_mismatch',
      'pixelproof.json experiment',
      'The experiment',
      plan.experiment,
      experiment,
    );
  }
  const verifier = [...experiments].find(({ id }) => id === experiment);
  if (verifier === undefined) {
    const where = 'pixelproof.json experiment';
    const known = [...experiments].map(({ id }) => id).join(', ');
    const message =
      known === ''
        ? 'Here files, records and digests are checked and no experiment is recomputed. The site and the command line do both.'
        : 'This program does not know the experiment: the files may be whole, but nothing of it could be recomputed.';
    if (unknownExperiment === 'warning') findings.warn('experiment_unknown', where, message);
    else findings.fail('experiment_unknown', where, message, known, experiment);
    return;
  }
  if (!complete && verifier.keepsUnfinishedTree !== true) checkNoTree(bundle, findings);
  checkProvider(bundle.manifest, verifier, findings);
  await findings.attempt(experiment, async () => {
    for await (const finding of verifier.verify(bundle)) findings.add(finding);
  });
  // What was found already would only be told again.
  if (findings.counts.failure > 0) return;
  await findings.attempt('pixelproof.json files', () => checkListing(bundle, verifier, findings));
}

/** What other programs read of the bundle follows from it, so a changed one would tell them something else. */
async function checkCompanions(bundle: OpenedBundle, findings: Findings): Promise<void> {
  for (const { path, offset } of await bundle.companionDifferences()) {
    if (offset === null) continue;
    const message = 'The file must follow from the manifest, and it says something else.';
    findings.fail('companion_mismatch', `${path} byte ${offset}`, message);
  }
}

/** An unfinished run has no summaries yet: a tree beside its cases belongs to another state of it. */
function checkNoTree(bundle: Bundle, findings: Findings): void {
  for (const path of bundle.paths()) {
    if (isBundleFile(path)) continue;
    findings.fail(
      'file_unexpected',
      path,
      'An unfinished run has no output tree, yet this file of one is here.',
      'no such file',
      path,
    );
  }
}

async function checkContainer(
  bundle: OpenedBundle,
  options: VerifyOptions,
  findings: Findings,
): Promise<void> {
  // Only once the contents stand: a damaged file differs in the container too, and that is no second finding.
  if (findings.counts.failure > 0) return;
  const difference = await findings.attempt('container', () => bundle.containerDifference());
  if (difference === 'unknown') {
    const message =
      'The container was laid out by other rules than this build has; its contents were checked.';
    findings.warn('bundle_container_unknown', 'container', message);
    return;
  }
  await findings.attempt('companions', () => checkCompanions(bundle, findings));
  if (findings.counts.failure > 0) return;
  if (difference !== null) {
    const where =
      difference.path === '' ? `byte ${difference.offset}` : `${difference.path} byte ${difference.offset}`;
    const message = `The contents are intact, but the container's bytes differ from byte ${difference.offset} on. A program that packs it anew does that; its files, unpacked, can still be checked.`;
    if (options.repacked === true) findings.warn('bundle_container', where, message);
    else findings.fail('bundle_container', where, message);
  } else {
    findings.pass('bundle_container', 'container', 'The container is byte for byte as it was written.');
  }
}

function resultOf(findings: Findings, bundle: Bundle | null, seen: Seen): VerifyResult {
  const { root, record, ...counts } = seen;
  return {
    ok: findings.counts.failure === 0,
    container: bundle?.container ?? null,
    experiment: bundle?.manifest.experiment ?? null,
    kind: bundle?.manifest.kind ?? null,
    complete: bundle?.manifest.complete ?? null,
    counts: { ...counts, ...findings.counts },
    root_digest: { expected: bundle?.manifest.root_digest ?? null, got: root },
    record_digest: { expected: bundle?.manifest.record_digest ?? null, got: record },
    findings: findings.list,
  };
}
