import type { Bundle } from '../../evidence/bundle/reader';
import {
  bundleCases,
  bundleEnvironment,
  bundleExchanges,
  bundleRuntime,
} from '../../evidence/bundle/records';
import { canonicalJson } from '../../evidence/identity/canonical';
import type { Json, JsonObject } from '../../evidence/identity/json';
import { brief, differingKeys } from '../../evidence/verify/compared';
import { circumstanceFindings, type Finding, failure, pass, unreadable } from '../../evidence/verify/finding';
import type { ExchangeRecord } from '../../providers/provider';
import type { JournalledExchange } from '../../runner/experiment';
import { auditRun } from './audit';
import { caseKey, caseOf, evidencePlan, exchangesOf } from './evidence';
import type { ComparisonPlan } from './plan';
import { planFromJson } from './plan-read';
import { Recorded } from './recorded';
import { runtimeOf } from './stored';
import { episodeFolder, type RunTree } from './tree';

/**
 * Recomputes a bundle of this experiment from itself: the audit of its files, and that cases, details, exchanges and
 * runtime say what the files say.
 */
export async function* verifyBundle(bundle: Bundle): AsyncGenerator<Finding> {
  const tree: RunTree = {
    paths: bundle.paths(),
    read: async (path) => (bundle.has(path) ? bundle.read(path) : null),
  };
  let faults = 0;
  for await (const finding of auditRun(tree, { replay: null })) {
    if (finding.level === 'failure') faults += 1;
    yield finding;
  }
  if (faults > 0) return;
  try {
    const plan = planFromJson(await new Recorded(tree).document('plan.json'));
    const frozen = evidencePlan(plan, bundle.manifest.kind).frozen;
    if (canonicalJson(frozen) !== canonicalJson(bundle.manifest.plan)) {
      yield failure('plan_mismatch', 'pixelproof.json plan', 'The plan is not the one in plan.json.', {});
      return;
    }
    yield* verifyCases(bundle, tree, plan);
    yield* verifyExchanges(bundle, tree, plan);
    yield* verifySurroundings(bundle, plan);
  } catch (error) {
    const { code, message } = unreadable(error);
    yield failure(code, 'cases.jsonl', message, {});
  }
}

async function* verifyCases(bundle: Bundle, tree: RunTree, plan: ComparisonPlan): AsyncGenerator<Finding> {
  let line = 0;
  for await (const record of bundleCases(bundle)) {
    const at = plan.schedule[line];
    line += 1;
    const should = at === undefined ? {} : { ...(await caseOf(tree, plan, at)) };
    for (const name of differingKeys(
      should as unknown as JsonObject,
      { ...record } as unknown as JsonObject,
    )) {
      const file = name === 'detail' ? 'details.jsonl' : 'cases.jsonl';
      yield failure(
        'case_evidence_mismatch',
        `${file} line ${line} ${name}`,
        'The case does not follow from its files.',
        {
          expected: brief((should as Record<string, Json>)[name]),
          got: brief((record as unknown as Record<string, Json>)[name]),
        },
      );
      return;
    }
  }
  yield pass('cases_recomputed', 'cases.jsonl', `${line} cases follow from their files.`);
}

/** Every attempt of an episode whose file is here is the line of that file, in its order. */
async function* verifyExchanges(
  bundle: Bundle,
  tree: RunTree,
  plan: ComparisonPlan,
): AsyncGenerator<Finding> {
  const filed = new Set<string>();
  const finished = bundle.manifest.complete;
  for (const at of plan.schedule) {
    const there = tree.paths.includes(`${episodeFolder(at.arm, at.seed)}/model-exchanges.jsonl`);
    if (there || finished) filed.add(named(caseKey(plan, at)));
  }
  const expected = exchangesInOrder(tree, plan)[Symbol.asyncIterator]();
  let line = 0;
  for await (const got of bundleExchanges(bundle)) {
    line += 1;
    // What an episode had asked when the program was killed stands in the journal alone.
    if (!filed.has(named(got.key))) continue;
    const next: IteratorResult<JournalledExchange, unknown> = await expected.next();
    const should = next.done === true ? null : next.value;
    const fields = should === null ? ['key'] : differing(should, got);
    for (const field of fields) {
      yield failure(
        'exchange_mismatch',
        `exchanges.jsonl line ${line} ${field}`,
        'The exchange is not the one in the file of its episode.',
        { expected: shown(should, field), got: shown(got, field) },
      );
    }
    if (fields.length > 0) return;
  }
  const missing: IteratorResult<JournalledExchange, unknown> = await expected.next();
  if (missing.done === true) return;
  yield failure(
    'exchange_missing',
    'exchanges.jsonl',
    'An attempt in the file of an episode has no exchange.',
    {
      expected: `${named(missing.value.key)}, decision ${missing.value.index}`,
      got: 'none',
    },
  );
}

async function* exchangesInOrder(tree: RunTree, plan: ComparisonPlan): AsyncGenerator<JournalledExchange> {
  for (const at of plan.schedule) yield* exchangesOf(tree, plan, at);
}

function differing(should: JournalledExchange, got: JournalledExchange): string[] {
  if (named(should.key) !== named(got.key)) return ['key'];
  if (should.index !== got.index) return ['index'];
  return [...differingKeys(plain(should.exchange), plain(got.exchange))];
}

function shown(one: JournalledExchange | null, field: string): string {
  if (one === null) return 'none';
  if (field === 'key') return named(one.key);
  return field === 'index' ? String(one.index) : brief(plain(one.exchange)[field]);
}

function plain(exchange: ExchangeRecord): JsonObject {
  return { ...exchange } as unknown as JsonObject;
}

function named({ arm, ordinal }: JournalledExchange['key']): string {
  return `${arm} ${ordinal}`;
}

async function* verifySurroundings(bundle: Bundle, plan: ComparisonPlan): AsyncGenerator<Finding> {
  const runtime = await bundleRuntime(bundle);
  const should = runtimeOf(bundle.manifest.provider, plan) as unknown as JsonObject;
  for (const name of runtime === null ? [] : differingKeys(should, { ...runtime } as unknown as JsonObject)) {
    yield failure('runtime_mismatch', `runtime.json ${name}`, 'The runtime record contradicts the plan.', {
      expected: brief(should[name]),
      got: brief((runtime as unknown as JsonObject)[name]),
    });
  }
  const { circumstances } = await bundleEnvironment(bundle);
  const { recording } = circumstances;
  yield* circumstanceFindings(typeof recording === 'string' ? { recording } : {}, circumstances);
}
