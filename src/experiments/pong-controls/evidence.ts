import type { BundleFile } from '../../evidence/bundle/file';
import { canonicalId } from '../../evidence/identity/canonical';
import type { Json, JsonObject } from '../../evidence/identity/json';
import { isPyObject, type PyObject, pyToPlain } from '../../evidence/identity/python-json';
import { parsePythonJson } from '../../evidence/identity/python-json-parse';
import { sha256, sha256Large } from '../../evidence/identity/sha256';
import type { ResultKind } from '../../providers/provider';
import type { CaseKey, CaseRecord, JournalledExchange, Plan, RunSource } from '../../runner/experiment';
import { comparisonJson } from './comparison';
import { manifestJson } from './episode';
import { exchangeRecord } from './exchange-record';
import { jsonDocument, numeric } from './json';
import type { ComparisonPlan, Scheduled } from './plan';
import { planFromJson } from './plan-read';
import { Recorded } from './recorded';
import { episodeFolder, type RunTree } from './tree';

export const EXPERIMENT_ID = 'pong-controls';

/** A plan with its place in the evidence: what enters the root digest is the record of `plan.json`. */
export function evidencePlan(plan: ComparisonPlan, kind: ResultKind): Plan {
  // The text too: its order of keys and kinds of numbers are part of plan.json, and canonical JSON keeps neither.
  const frozen = {
    experiment: EXPERIMENT_ID,
    plan: pyToPlain(plan.json),
    plan_text: jsonDocument(plan.json),
    plan_hash: plan.hash,
  };
  return {
    experiment: EXPERIMENT_ID,
    plan_id: canonicalId(frozen),
    frozen,
    circumstances: {},
    kind,
    case_count: plan.schedule.length,
  };
}

/**
 * The case of an episode. The schedule goes seed by seed and so do the cases: what the evidence calls an arm is the seed,
 * and the ordinal is the place within it. The policy's name is in the evidence itself.
 */
export function caseKey(plan: ComparisonPlan, at: Scheduled): CaseKey {
  const ordinal = plan.schedule.filter(({ seed }) => seed === at.seed).findIndex(({ arm }) => arm === at.arm);
  return { arm: `seed-${at.seed}`, ordinal };
}

/** Files of an episode that only the episode itself has; everything else follows from plan and case. */
const KEPT = [
  ['frames.jsonl', 'application/jsonl'],
  ['transitions.jsonl', 'application/jsonl'],
  ['model-exchanges.jsonl', 'application/jsonl'],
  ['last-frame.png', 'image/png'],
  ['replay.apng', 'image/apng'],
] as const;

/** Seconds of a call differ every time; the rest of a decision does not. */
const ELAPSED = /"elapsed_seconds": [0-9.e+-]+, /g;

/** The finished episode that lies in a tree, as a case. Throws `pong_record`. */
export async function caseOf(tree: RunTree, plan: ComparisonPlan, at: Scheduled): Promise<CaseRecord> {
  const folder = episodeFolder(at.arm, at.seed);
  const files = new Recorded(tree);
  const summary = await files.document(`${folder}/summary.json`);
  const kept: Record<string, Json> = {};
  for (const [name, media_type] of KEPT) {
    const bytes = await tree.read(`${folder}/${name}`);
    if (bytes !== null) kept[name] = { sha256: await sha256Large(bytes), media_type, bytes: bytes.length };
  }
  const transitions = await files.text(`${folder}/transitions.jsonl`);
  const { reward, decisions, raw_frames, points_scored, points_lost, reset_frames, end_reason } = summary;
  return {
    ...caseKey(plan, at),
    outcome: String(end_reason),
    evidence: {
      seed: at.seed,
      arm: at.arm,
      policy: plan.policies.get(at.arm) ?? '',
      reward: numeric(reward as never),
      decisions: Number(decisions),
      raw_frames: Number(raw_frames),
      points_scored: Number(points_scored),
      points_lost: Number(points_lost),
      reset_frames: Number(reset_frames),
      frames_sha256: (kept['frames.jsonl'] as JsonObject).sha256 ?? null,
      // Of the file without the seconds of its calls; for a coded rule that is the file itself.
      decisions_sha256: sha256(transitions.replace(ELAPSED, '')),
    },
    detail: {
      summary: await files.text(`${folder}/summary.json`),
      evaluation: await files.text(`${folder}/evaluation.json`),
      ledger: tree.paths.includes(`${folder}/api-ledger.json`)
        ? await files.text(`${folder}/api-ledger.json`)
        : null,
      files: kept,
    },
  };
}

/** The attempts of an episode in the shared form: the question's index is the decision. */
export async function* exchangesOf(
  tree: RunTree,
  plan: ComparisonPlan,
  at: Scheduled,
): AsyncGenerator<JournalledExchange> {
  const key = caseKey(plan, at);
  const files = new Recorded(tree);
  let [index, attempt] = [0, 0];
  for await (const { record } of files.lines(`${episodeFolder(at.arm, at.seed)}/model-exchanges.jsonl`)) {
    attempt += 1;
    const exchange = exchangeRecord(record, attempt);
    yield { key, index, exchange };
    if (exchange.cause !== null) continue;
    index += 1;
    attempt = 0;
  }
}

const utf8 = new TextEncoder();

/** The output tree of a finished run, byte for byte as the run wrote it, from its cases and kept files alone. */
export async function* outputFiles(source: RunSource): AsyncGenerator<BundleFile> {
  const plan = planOf(source.plan);
  yield text('plan.json', 'evidence', jsonDocument(plan.json));
  const evaluations: PyObject[] = [];
  const ledger: PyObject[] = [];
  const arms = new Map(plan.arms.map((arm) => [arm.id, arm]));
  for await (const record of source.cases()) {
    const at = { seed: Number(record.evidence.seed), arm: String(record.evidence.arm) };
    const folder = episodeFolder(at.arm, at.seed);
    const arm = arms.get(at.arm);
    const { summary, evaluation, ledger: entries, files } = record.detail;
    const program = arm?.kind === 'model' ? arm.program : null;
    const manifest = manifestJson(
      { name: plan.policies.get(at.arm) ?? '', program },
      { ...plan, seed: at.seed, split: 'development' },
    );
    yield text(`${folder}/manifest.json`, 'evidence', jsonDocument(manifest));
    for (const [name, media_type] of KEPT) {
      const kept = (files as JsonObject)[name];
      if (kept === undefined) continue;
      const digest = String((kept as JsonObject).sha256);
      const timed = program !== null && name !== 'frames.jsonl';
      const role = name.endsWith('png') ? 'image' : timed ? 'circumstance' : 'evidence';
      yield { path: `${folder}/${name}`, media_type, role, content: () => artifact(source, digest) };
    }
    if (typeof entries === 'string') {
      yield text(`${folder}/api-ledger.json`, 'circumstance', entries);
      ledger.push(...(parsePythonJson(entries) as readonly PyObject[]));
    }
    yield text(`${folder}/summary.json`, 'circumstance', String(summary));
    yield text(`${folder}/evaluation.json`, 'circumstance', String(evaluation));
    evaluations.push(parsePythonJson(String(evaluation)) as PyObject);
  }
  const state = { status: 'complete', episodes: evaluations, ledger, active: null, failure: null } as const;
  yield text('comparison.json', 'circumstance', jsonDocument(comparisonJson(plan, state)));
  yield text('api-ledger.json', 'circumstance', jsonDocument(ledger));
}

async function* artifact(source: RunSource, digest: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const bytes = await source.artifact(digest);
  if (bytes !== null) yield bytes;
}

function text(path: string, role: BundleFile['role'], content: string): BundleFile {
  return { path, role, media_type: 'application/json', content: () => [utf8.encode(content)] };
}

/** The comparison's plan in a plan of the evidence. Throws `pong_record` and the codes of `makePlan`. */
export function planOf({ frozen }: Pick<Plan, 'frozen'>): ComparisonPlan {
  const json = parsePythonJson(String(frozen.plan_text));
  return planFromJson(isPyObject(json) ? json : {});
}

/** What a finished run says, for a page: the comparison as plain JSON. */
export async function reportOf(source: RunSource): Promise<JsonObject> {
  for await (const file of outputFiles(source)) {
    if (file.path !== 'comparison.json') continue;
    for await (const bytes of file.content()) {
      const comparison = JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;
      return { kind: source.plan.kind, comparison };
    }
  }
  return { kind: source.plan.kind, comparison: null };
}
