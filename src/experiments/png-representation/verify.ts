import type { Bundle } from '../../evidence/bundle/reader';
import { bundleRun, isBundleFile } from '../../evidence/bundle/records';
import { canonicalId, canonicalJson } from '../../evidence/identity/canonical';
import type { Json, JsonObject } from '../../evidence/identity/json';
import { isPyObject, type PyValue, pythonCanonical } from '../../evidence/identity/python-json';
import { type Finding, failure, pass, unreadable } from '../../evidence/verify/finding';
import type { ExchangeRecord, ResultKind } from '../../providers/provider';
import type { CaseRecord, RunSource } from '../../runner/experiment';
import type { Answer } from './ask';
import { type CaseDto, loadCase } from './case';
import { imagePath, outputFiles } from './files';
import { caseOfRecord, judgeCase } from './judge';
import { materialiseCase } from './materialise';
import { type PngPlan, planCases, refreeze } from './plan';
import { publishedCase } from './published';
import { firstDifference } from './text-difference';

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

function kindOf(provider: string): ResultKind {
  if (provider === 'scripted') return 'wiring';
  return provider === 'replay' ? 'replayed' : 'measured';
}

/** Each case was answered once, by the exchange that its evidence quotes. A replay asks nobody. */
async function* verifyExchanges(
  plan: PngPlan,
  source: RunSource<PngPlan>,
  records: readonly CaseRecord[],
): AsyncIterable<Finding> {
  const answers = new Map<string, ExchangeRecord>();
  let line = 0;
  const lines = new Map<string, number>();
  for await (const { key, exchange } of source.exchanges()) {
    line++;
    if (exchange.cause !== null) continue;
    answers.set(`${key.arm} ${key.ordinal}`, exchange);
    lines.set(`${key.arm} ${key.ordinal}`, line);
  }
  const asks = plan.frozen.provider.id !== 'replay';
  for (const record of records) {
    const name = `${record.arm} ${record.ordinal}`;
    const answer = answers.get(name);
    if (answer === undefined) {
      if (!asks) continue;
      yield failure(
        'exchange_missing',
        'exchanges.jsonl',
        'A finished case has no exchange that answered it.',
        {
          expected: name,
          got: 'none',
        },
      );
      continue;
    }
    for (const field of ['image_sha256', 'reply_text', 'reply_error'] as const) {
      const quoted = record.evidence[field];
      if (quoted === answer[field]) continue;
      yield failure(
        'exchange_mismatch',
        `exchanges.jsonl line ${lines.get(name)} ${field}`,
        'The exchange is not the one that its case quotes.',
        { expected: brief(quoted), got: brief(answer[field]) },
      );
    }
  }
}

async function verifyCase(
  plan: PngPlan,
  record: CaseRecord,
  where: string,
): Promise<{ record: CaseRecord; findings: Finding[] }> {
  const findings: Finding[] = [];
  const key = { arm: record.arm, ordinal: record.ordinal };
  let stored: CaseDto | null = null;
  let again: CaseRecord;
  try {
    stored = caseOfRecord(record);
  } catch (error) {
    findings.push(failure('case_unreadable', `${where} detail`, unreadable(error).message, {}));
    return { record, findings };
  }
  try {
    const answer: Answer =
      plan.frozen.provider.id === 'replay'
        ? { kind: 'recorded', entry: await publishedCase(key.arm, key.ordinal) }
        : { kind: 'exchange', exchange: keptExchange(record, stored) };
    const material = await materialiseCase(plan, key);
    again = judgeCase(plan, key, material, answer).record;
  } catch (error) {
    const { code, message, expected, got } = unreadable(error);
    findings.push(
      failure(code, where, message, {
        ...(expected === undefined ? {} : { expected }),
        ...(got === undefined ? {} : { got }),
      }),
    );
    return { record, findings };
  }
  for (const name of differingKeys(again.evidence, record.evidence)) {
    findings.push(
      failure(
        'case_evidence_mismatch',
        `${where} ${name}`,
        `${key.arm} case ${key.ordinal}: ${name} differs.`,
        {
          expected: brief(again.evidence[name]),
          got: brief(record.evidence[name]),
        },
      ),
    );
  }
  if (again.outcome !== record.outcome) {
    findings.push(
      failure('case_outcome_mismatch', `${where} outcome`, 'The outcome does not follow from the reply.', {
        expected: again.outcome,
        got: record.outcome,
      }),
    );
  }
  findings.push(...caseDifferences(stored, again, key.arm, key.ordinal));
  return { record: again, findings };
}

/** The stored case DTO by itself, then against the one derived again, field by field. */
function* caseDifferences(
  stored: CaseDto | null,
  again: CaseRecord,
  arm: string,
  ordinal: number,
): Iterable<Finding> {
  const should = caseOfRecord(again);
  const where = `${arm}/case-records.jsonl line ${ordinal + 1}`;
  if (stored === null || should === null) {
    if (stored === should) return;
    yield failure('case_missing', where, 'The full case record is missing or one too many.', {
      expected: should === null ? 'none' : should.case_id,
      got: stored === null ? 'none' : stored.case_id,
    });
    return;
  }
  try {
    loadCase(stored);
  } catch (error) {
    const { code, message, expected, got } = unreadable(error);
    yield failure(code, `${where} case_id`, message, {
      ...(expected === undefined ? {} : { expected }),
      ...(got === undefined ? {} : { got }),
    });
  }
  for (const name of new Set([...Object.keys(should), ...Object.keys(stored)])) {
    const [a, b] = [should[name], stored[name]].map((value) =>
      value === undefined ? 'absent' : pythonCanonical(value),
    );
    if (a === b) continue;
    yield failure('case_field_mismatch', `${where} ${name}`, `The case's ${name} cannot be derived again.`, {
      expected: cut(a ?? ''),
      got: cut(b ?? ''),
    });
  }
}

/** The exchange as far as a finished case keeps it: enough to read the reply again and to rebuild the case record. */
function keptExchange(record: CaseRecord, dto: CaseDto | null): ExchangeRecord {
  const { reply_text, reply_error } = record.evidence;
  const metadata: PyValue | undefined = dto?.provider_response_metadata;
  return {
    request_sha256: null,
    image_sha256: null,
    attempt: 1,
    status: null,
    cause: null,
    reply_text: typeof reply_text === 'string' ? reply_text : null,
    model_in_reply: null,
    latency_us: typeof dto?.provider_latency_us === 'number' ? dto.provider_latency_us : null,
    tokens: null,
    response_metadata_text: isPyObject(metadata) ? pythonCanonical(metadata) : '{}',
    reply_error: typeof reply_error === 'string' ? reply_error : null,
  };
}

async function* verifyTree(
  bundle: Bundle,
  plan: PngPlan,
  source: RunSource<PngPlan>,
  records: readonly CaseRecord[],
): AsyncIterable<Finding> {
  const again: RunSource<PngPlan> = {
    ...source,
    plan,
    cases: async function* (arm) {
      for (const record of records) if (arm === undefined || record.arm === arm) yield record;
    },
  };
  let checked = 0;
  let faults = 0;
  const expected = new Set<string>();
  try {
    for await (const file of outputFiles(again)) {
      expected.add(file.path);
      if (file.role === 'image') continue;
      if (!bundle.has(file.path)) {
        faults++;
        yield failure('file_missing', file.path, 'The output tree lacks a file.', {
          expected: file.path,
          got: 'none',
        });
        continue;
      }
      let should = '';
      const decoder = new TextDecoder();
      for await (const chunk of file.content()) should += decoder.decode(chunk);
      const difference = firstDifference(file.path, should, await bundle.text(file.path));
      checked++;
      if (difference === null) continue;
      faults++;
      yield difference;
    }
  } catch (error) {
    const { code, message } = unreadable(error);
    yield failure(code, 'output tree', `The output tree cannot be built again: ${message}`, {});
    return;
  }
  faults += yield* verifyImages(bundle, plan, records);
  const listed = new Set(bundle.manifest.files.map((file) => file.path));
  for (const path of bundle.paths()) {
    const top = path.split('/')[0] ?? '';
    // A file that the manifest does not list is the container's to name, unless it stands among the run's own.
    const ours = listed.has(path) || plan.frozen.recipes.some((recipe) => recipe.variant_id === top);
    if (!ours || expected.has(path) || isBundleFile(path)) continue;
    faults++;
    yield failure('file_unexpected', path, 'The output tree has a file that the run does not make.', {
      expected: 'none',
      got: path,
    });
  }
  if (faults === 0) {
    yield pass(
      'tree_recomputed',
      'output tree',
      `${checked} text files of the output tree recomputed byte for byte.`,
    );
  }
}

/** The pictures in the tree are the rendered ones. Files left out of a JSON bundle are named by digest alone. */
async function* verifyImages(
  bundle: Bundle,
  plan: PngPlan,
  records: readonly CaseRecord[],
): AsyncGenerator<Finding, number> {
  let faults = 0;
  const listed = new Map(bundle.manifest.files.map((file) => [file.path, file.sha256]));
  if (plan.circumstances.write_pngs === false) return 0;
  for (const record of records) {
    const { image_sha256, row_id } = record.evidence;
    const path = imagePath(record.arm, record.ordinal, String(row_id));
    const found = listed.get(path);
    if (found === image_sha256) continue;
    faults++;
    yield failure('image_mismatch', path, 'The picture is not the one that its recipe renders.', {
      expected: String(image_sha256),
      got: found ?? 'none',
    });
  }
  return faults;
}

function* differingKeys(a: JsonObject, b: JsonObject): Iterable<string> {
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [x, y] = [a[key], b[key]];
    if (x === undefined || y === undefined || canonicalJson(x) !== canonicalJson(y)) yield key;
  }
}

function brief(value: Json | undefined): string {
  if (value === undefined) return 'absent';
  return cut(typeof value === 'string' ? value : canonicalJson(value));
}

function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
