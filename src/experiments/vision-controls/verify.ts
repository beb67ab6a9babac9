import type { Bundle } from '../../evidence/bundle/reader';
import { bundleRun } from '../../evidence/bundle/records';
import { brief, differingKeys, sides } from '../../evidence/verify/compared';
import { circumstanceFindings, type Finding, failure, pass, unreadable } from '../../evidence/verify/finding';
import { verifyOutputTree } from '../../evidence/verify/tree';
import type { ExchangeRecord } from '../../providers/provider';
import type { CaseKey, RunSource } from '../../runner/experiment';
import { outputFiles, picturePaths } from './files';
import { caseOf } from './judge';
import { describeCase } from './materialise';
import { planCases, refreeze, type VisionPlan } from './plan';
import { verifyExchanges } from './verify-exchanges';

/**
 * Recomputes a bundle from itself: the plan from its choices (fixture, matrix, prompts, leak ban); every control from the
 * reply that the exchange record holds, each request from prompt and picture, each reply from its body; then every text of the output tree, and that each picture is the one named.
 */
export async function* verifyBundle(bundle: Bundle): AsyncIterable<Finding> {
  const source = (await bundleRun(bundle)) as RunSource<VisionPlan>;
  const plan = yield* verifyPlan(source);
  if (plan === null) return;
  const answers = await answersOf(source);
  const expected = planCases(plan)[Symbol.iterator]();
  let [line, faults] = [0, 0];
  for await (const record of source.cases()) {
    line += 1;
    const where = `cases.jsonl line ${line}`;
    const key = expected.next();
    if (key.done || key.value.arm !== record.arm || key.value.ordinal !== record.ordinal) {
      yield failure('case_order', where, 'The case does not stand where the plan has it.', {
        expected: key.done ? 'no further case' : `${key.value.arm} ${key.value.ordinal}`,
        got: `${record.arm} ${record.ordinal}`,
      });
      return;
    }
    try {
      const again = caseOf(plan, record, describeCase(plan, record), answers(record));
      for (const [part, should, is] of [
        ['outcome', { outcome: again.outcome }, { outcome: record.outcome }],
        ['evidence', again.evidence, record.evidence],
        ['detail', again.detail, record.detail],
      ] as const) {
        for (const name of differingKeys(should, is)) {
          faults += 1;
          yield failure('case_evidence_mismatch', `${where} ${part} ${name}`, `${name} does not follow.`, {
            expected: brief(should[name as keyof typeof should]),
            got: brief(is[name as keyof typeof is]),
          });
        }
      }
    } catch (error) {
      faults += 1;
      const { code, message, expected: wanted, got } = unreadable(error);
      yield failure(code, where, message, sides(wanted, got));
    }
  }
  if (bundle.manifest.complete && line !== plan.case_count) {
    faults += 1;
    yield failure('case_count', 'cases.jsonl', 'A complete run has every case of its plan.', {
      expected: String(plan.case_count),
      got: String(line),
    });
  }
  for await (const finding of verifyExchanges(plan, source)) {
    if (finding.level === 'failure') faults += 1;
    yield finding;
  }
  if (faults > 0) return;
  yield pass('cases_recomputed', 'cases.jsonl', `${line} controls recomputed from their replies.`);
  if (bundle.manifest.complete) yield* verifyTree(bundle, plan, source);
}

async function* verifyPlan({ plan }: RunSource<VisionPlan>): AsyncGenerator<Finding, VisionPlan | null> {
  const where = 'pixelproof.json plan';
  try {
    const again = refreeze(plan);
    for (const name of differingKeys(again.frozen, plan.frozen)) {
      yield failure('plan_mismatch', `${where} ${name}`, 'The plan does not follow from its choices.', {
        expected: brief(again.frozen[name]),
        got: brief(plan.frozen[name]),
      });
      return null;
    }
    yield* circumstanceFindings(again.circumstances, plan.circumstances);
  } catch (error) {
    const { message, expected, got } = unreadable(error);
    yield failure('plan_unreadable', where, `The plan cannot be read: ${message}`, sides(expected, got));
    return null;
  }
  yield pass('plan_recomputed', where, 'Fixture, matrix, prompts and leak ban follow the rules.');
  return plan;
}

/** The last attempt without a cause of each question, by case. */
async function answersOf(source: RunSource<VisionPlan>): Promise<(key: CaseKey) => ExchangeRecord[]> {
  const byCase = new Map<string, ExchangeRecord[]>();
  for await (const { key, index, exchange } of source.exchanges()) {
    if (exchange.cause !== null) continue;
    const name = `${key.arm} ${key.ordinal}`;
    const answers = byCase.get(name) ?? [];
    byCase.set(name, answers);
    answers[index] = exchange;
  }
  return ({ arm, ordinal }) => byCase.get(`${arm} ${ordinal}`) ?? [];
}

async function* verifyTree(
  bundle: Bundle,
  plan: VisionPlan,
  source: RunSource<VisionPlan>,
): AsyncIterable<Finding> {
  let { checked, faults } = yield* verifyOutputTree(bundle, outputFiles({ ...source, plan }));
  const listed = new Map(bundle.manifest.files.map(({ path, sha256 }) => [path, sha256]));
  for (const { path, sha256 } of picturePaths(plan)) {
    if (listed.get(path) === sha256) continue;
    faults += 1;
    yield failure('image_mismatch', path, 'The picture is not the one that its case names.', {
      expected: sha256,
      got: listed.get(path) ?? 'none',
    });
  }
  if (faults === 0) {
    yield pass('tree_recomputed', 'output tree', `${checked} text files recomputed byte for byte.`);
  }
}
