import type { Bundle } from '../../../evidence/bundle/reader';
import { bundleArtifacts, bundleRun } from '../../../evidence/bundle/records';
import { canonicalId } from '../../../evidence/identity/canonical';
import type { JsonObject } from '../../../evidence/identity/json';
import { brief, differingKeys, sides } from '../../../evidence/verify/compared';
import {
  circumstanceFindings,
  type Finding,
  failure,
  pass,
  unreadable,
} from '../../../evidence/verify/finding';
import type { ResultKind } from '../../../providers/provider';
import type { CaseRecord, RunSource } from '../../../runner/experiment';
import { type PngPlan, planCases, recircumstance, refreeze } from '../plan';
import { verifyCase } from './case';
import { verifyExchanges } from './exchanges';
import { verifyRuntime } from './runtime';
import { verifyTree } from './tree';

/**
 * Recomputes a bundle from itself: the plan from its choices; each case by rendering its pictures, hashing every step,
 * reading the kept reply again and asking the policy again; then the whole output tree from those cases. One finding
 * for each difference, and one `pass` for each part that held.
 */
export async function* verifyBundle(bundle: Bundle): AsyncIterable<Finding> {
  const source = (await bundleRun(bundle)) as RunSource<PngPlan>;
  const plan = yield* verifyPlan(bundle, source);
  if (plan === null) return;
  yield* verifyProvider(bundle, plan);

  const rederived: CaseRecord[] = [];
  let faults = 0;
  const expected = planCases(plan)[Symbol.iterator]();
  for await (const record of source.cases()) {
    const key = expected.next();
    const where = `cases.jsonl line ${rederived.length + 1}`;
    if (key.done || key.value.arm !== record.arm || key.value.ordinal !== record.ordinal) {
      yield failure('case_order', where, 'The case does not stand where the plan has it.', {
        expected: key.done ? 'no further case' : `${key.value.arm} ${key.value.ordinal}`,
        got: `${record.arm} ${record.ordinal}`,
      });
      return;
    }
    const { record: again, findings } = await verifyCase(plan, record, where);
    rederived.push(again);
    for (const finding of findings) {
      faults++;
      yield finding;
    }
  }
  if (bundle.manifest.complete && rederived.length !== plan.case_count) {
    faults++;
    yield failure('case_count', 'cases.jsonl', 'A complete run has every case of its plan.', {
      expected: String(plan.case_count),
      got: String(rederived.length),
    });
  }
  if (faults === 0) {
    yield pass(
      'cases_recomputed',
      'cases.jsonl',
      `${rederived.length} cases: pictures rendered, replies read and outcomes derived again.`,
    );
  }
  yield* verifyExchanges(plan, source, rederived);
  yield* verifyRuntime(bundle, plan, source.runtime);
  yield* verifyArtifacts(bundle, plan, rederived);
  if (bundle.manifest.complete) yield* verifyTree(bundle, plan, source, rederived);
}

async function* verifyPlan(
  bundle: Bundle,
  source: RunSource<PngPlan>,
): AsyncGenerator<Finding, PngPlan | null> {
  const { plan } = source;
  const id = canonicalId(plan.frozen);
  if (id !== bundle.manifest.plan_id) {
    yield failure('plan_id_mismatch', 'pixelproof.json plan_id', 'The plan is not what its id says.', {
      expected: id,
      got: bundle.manifest.plan_id,
    });
  }
  let again: JsonObject;
  try {
    again = refreeze(plan.frozen);
  } catch (error) {
    const { message, expected, got } = unreadable(error);
    yield failure('plan_unreadable', 'pixelproof.json plan', `The plan cannot be read: ${message}`, {
      expected: expected ?? 'a plan of this experiment',
      got: got ?? 'another structure',
    });
    return null;
  }
  try {
    yield* circumstanceFindings(recircumstance(plan), plan.circumstances);
  } catch (error) {
    const { code, message, expected, got } = unreadable(error);
    yield failure(code, 'environment.json circumstances', message, sides(expected, got));
  }
  const differences = [...differingKeys(again, plan.frozen)];
  for (const key of differences) {
    yield failure(
      'plan_mismatch',
      `pixelproof.json plan ${key}`,
      'The plan does not follow from its choices.',
      {
        expected: brief(again[key]),
        got: brief(plan.frozen[key]),
      },
    );
  }
  if (differences.length > 0) return null;
  yield pass(
    'plan_recomputed',
    'pixelproof.json plan',
    'Recipes, prompt, policy and configuration recompute.',
  );
  return plan;
}

/** The manifest's word on who was asked, which every page shows, follows from the plan. */
function* verifyProvider({ manifest }: Bundle, plan: PngPlan): Iterable<Finding> {
  const { id, model, seed } = plan.frozen.provider;
  const should = { kind: kindOf(id), id, model, seed };
  const fields: readonly [string, string | number, string | number][] = [
    ['kind', should.kind, manifest.kind],
    ['provider kind', should.kind, manifest.provider.kind],
    ['provider id', should.id, manifest.provider.id],
    ['provider model', should.model, manifest.provider.model],
    ['provider seed', should.seed, manifest.provider.seed],
  ];
  for (const [name, expected, got] of fields) {
    if (expected === got) continue;
    yield failure(
      'provider_mismatch',
      `pixelproof.json ${name}`,
      'The manifest names another provider than the plan.',
      { expected: String(expected), got: String(got) },
    );
  }
}

/** The run keeps the picture of every case and nothing else; no picture where the plan says so. */
async function* verifyArtifacts(
  bundle: Bundle,
  plan: PngPlan,
  records: readonly CaseRecord[],
): AsyncIterable<Finding> {
  const listed = new Set<string>();
  for await (const { sha256 } of bundleArtifacts(bundle)) listed.add(sha256);
  const shown = new Map<string, CaseRecord>();
  if (plan.circumstances.write_pngs !== false) {
    for (const record of records) shown.set(String(record.evidence.image_sha256), record);
  }
  for (const [sha256, { arm, ordinal }] of shown) {
    if (listed.has(sha256)) continue;
    yield failure('artifact_unlisted', 'artifacts.jsonl', 'The run keeps the picture of every case.', {
      expected: `${sha256}, the picture of ${arm} case ${ordinal}`,
      got: 'no line',
    });
  }
  for (const sha256 of listed) {
    if (shown.has(sha256)) continue;
    yield failure('artifact_unexpected', 'artifacts.jsonl', 'No case of the run shows this artifact.', {
      expected: 'pictures of the cases only',
      got: sha256,
    });
  }
}

function kindOf(provider: string): ResultKind {
  if (provider === 'scripted') return 'wiring';
  return provider === 'replay' ? 'replayed' : 'measured';
}
