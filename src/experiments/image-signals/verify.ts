import type { Bundle } from '../../evidence/bundle/reader';
import { bundleRun } from '../../evidence/bundle/records';
import type { JsonObject } from '../../evidence/identity/json';
import { brief, differingKeys, sides } from '../../evidence/verify/compared';
import { circumstanceFindings, type Finding, failure, pass, unreadable } from '../../evidence/verify/finding';
import { verifyOutputTree } from '../../evidence/verify/tree';
import { wasmEngine } from '../../pixels/signals/engine';
import type { CaseRecord, RunSource } from '../../runner/experiment';
import { imagePath, outputFiles } from './files';
import { measured, mediaType } from './judge';
import { pictureOf, planCases, refreeze, type SignalsPlan } from './plan';

/**
 * Recomputes a bundle from itself: the plan from its inputs (prompt, definition, cells and reviews by their rules);
 * every picture decoded and measured again from the file in the bundle; then every text of the output tree.
 */
export async function* verifyBundle(bundle: Bundle): AsyncIterable<Finding> {
  const source = (await bundleRun(bundle)) as RunSource<SignalsPlan>;
  const plan = yield* verifyPlan(source);
  if (plan === null) return;
  const expected = planCases(plan)[Symbol.iterator]();
  const listed = new Set(bundle.manifest.files.map((file) => file.sha256 as string));
  let [line, faults, measuredAgain, without] = [0, 0, 0, 0];
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
    const found = await verifyCase(plan, source, record, where);
    const { sha256 } = pictureOf(plan, record);
    if (found === null && !listed.has(sha256)) {
      faults += 1;
      yield failure(
        'artifact_unlisted',
        where,
        'The run keeps the picture of every case; this one is gone.',
        {
          expected: sha256,
          got: 'none',
        },
      );
    } else if (found === null) without += 1;
    else {
      measuredAgain += 1;
      for (const finding of found) {
        faults += 1;
        yield finding;
      }
    }
  }
  if (bundle.manifest.complete && line !== plan.case_count) {
    faults += 1;
    yield failure('case_count', 'cases.jsonl', 'A complete run has every case of its plan.', {
      expected: String(plan.case_count),
      got: String(line),
    });
  }
  if (without > 0) {
    yield {
      level: 'warning',
      code: 'picture_not_inlined',
      where: 'cases.jsonl',
      message: `${without} pictures are named by digest only, so their signals cannot be computed again from here.`,
    };
  }
  if (faults === 0) {
    yield pass('cases_recomputed', 'cases.jsonl', `${measuredAgain} pictures decoded and measured again.`);
  }
  if (bundle.manifest.complete && without === 0) yield* verifyTree(bundle, plan, source);
}

async function* verifyPlan({ plan }: RunSource<SignalsPlan>): AsyncGenerator<Finding, SignalsPlan | null> {
  const where = 'pixelproof.json plan';
  try {
    const again = await refreeze(plan);
    for (const key of differingKeys(again.frozen, plan.frozen)) {
      yield failure('plan_mismatch', `${where} ${key}`, 'The plan does not follow from its choices.', {
        expected: brief(again.frozen[key]),
        got: brief(plan.frozen[key]),
      });
      return null;
    }
    yield* circumstanceFindings(again.circumstances, plan.circumstances);
  } catch (error) {
    const { message, expected, got } = unreadable(error);
    yield failure('plan_unreadable', where, `The plan cannot be read: ${message}`, sides(expected, got));
    return null;
  }
  yield pass('plan_recomputed', where, 'Prompt, definition, pictures, cells and reviews follow the rules.');
  return plan;
}

/** Null where the bundle names the picture without carrying it. */
async function verifyCase(
  plan: SignalsPlan,
  source: RunSource<SignalsPlan>,
  record: CaseRecord,
  where: string,
): Promise<readonly Finding[] | null> {
  const { file, sha256 } = pictureOf(plan, record);
  const bytes = await source.artifact(sha256);
  if (bytes === null) return null;
  try {
    const material = { file, sha256: sha256 as `sha256:${string}`, bytes };
    const again = await measured(plan, record, material, wasmEngine);
    const findings: Finding[] = [];
    const [should, is] = [flat(again), flat(record)];
    for (const name of differingKeys(should, is)) {
      findings.push(
        failure('case_evidence_mismatch', `${where} ${name}`, `${file}: ${name} differs.`, {
          expected: brief(should[name]),
          got: brief(is[name]),
        }),
      );
    }
    return findings;
  } catch (error) {
    const { code, message, expected, got } = unreadable(error);
    return [failure(code, where, message, sides(expected, got))];
  }
}

function flat({ outcome, evidence }: CaseRecord): JsonObject {
  const { record, ...rest } = evidence;
  return { outcome, ...rest, ...(record as JsonObject) };
}

async function* verifyTree(
  bundle: Bundle,
  plan: SignalsPlan,
  source: RunSource<SignalsPlan>,
): AsyncIterable<Finding> {
  let { checked, faults } = yield* verifyOutputTree(bundle, outputFiles({ ...source, plan }));
  const listed = new Map(bundle.manifest.files.map((file) => [file.path, file.sha256]));
  for await (const record of source.cases()) {
    const sha256 = String(record.evidence.image_sha256);
    const bytes = await source.artifact(sha256);
    const path = imagePath(record, bytes === null ? '' : mediaType(bytes));
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
