import { PixelproofError } from '../../errors';
import { canonicalJson } from '../../evidence/identity/canonical';
import type { Sha256Id } from '../../evidence/identity/json';
import { brief } from '../../evidence/verify/compared';
import { type Finding, failure, pass } from '../../evidence/verify/finding';
import { type Contradiction, contradictions } from '../../providers/audit/contradiction';
import { auditHere, HERE, hereRuntime } from '../../providers/audit/here-audit';
import { blindScore, localRecord, scriptedScore } from '../../providers/audit/local-protocol';
import { auditScoring } from '../../providers/audit/scoring-audit';
import type { ChoiceQuestion, ExchangeRecord, ProviderDescription } from '../../providers/provider';
import type { CaseKey, RunSource } from '../../runner/experiment';
import { demoPicture } from './demo';
import { describeCase, type Material } from './materialise';
import { PICTURELESS_PROVIDERS, type VisionPlan } from './plan';
import { BLIND_PROBABILITY } from './protocol';
import { recordedExchange } from './replay';
import { type ScriptedAnswer, scriptedAnswers } from './scripted';

/** The attempts of one question, with their lines in the file. */
interface Asked {
  readonly key: CaseKey;
  readonly index: number;
  readonly lines: number[];
  readonly attempts: ExchangeRecord[];
}

interface Count {
  requests: number;
  replies: number;
  digests: number;
}

/**
 * The exchange record against the plan: every request's bytes are made again from prompt, picture and settings and must
 * have the digest that the record names, and every reply is read again from its body. What a scorer without a server
 * answers is known beforehand, and so is what was published.
 */
export async function* verifyExchanges(
  plan: VisionPlan,
  source: RunSource<VisionPlan>,
): AsyncIterable<Finding> {
  const count: Count = { requests: 0, replies: 0, digests: 0 };
  let [faults, asked] = [0, 0];
  for (const finding of runtimeFindings(plan, source)) {
    faults += 1;
    yield finding;
  }
  for await (const question of questionsOf(source)) {
    asked += 1;
    for (const { at, field, expected, got } of await auditQuestion(plan, source, question, count)) {
      faults += 1;
      const where = `exchanges.jsonl line ${question.lines[at]} ${field}`;
      yield failure('exchange_mismatch', where, 'The exchange contradicts the plan, its case or itself.', {
        expected: brief(expected),
        got: brief(got),
      });
    }
  }
  if (faults > 0) return;
  const { requests, replies, digests } = count;
  const long = digests === 0 ? '' : ` Known by digest only, being long: ${digests}.`;
  const made = `${requests} requests made again from plan and pictures, ${replies} replies read again from their bodies.`;
  const local = `${asked} answers follow from the plan.`;
  yield pass(
    'exchanges_recomputed',
    'exchanges.jsonl',
    requests + replies + digests > 0 ? `${made}${long}` : local,
  );
}

/** The record is in plan order, so the attempts of a question stand together. */
async function* questionsOf(source: RunSource<VisionPlan>): AsyncIterable<Asked> {
  let [line, current] = [0, null as Asked | null];
  for await (const { key, index, exchange } of source.exchanges()) {
    line += 1;
    const same = current?.key.arm === key.arm && current.key.ordinal === key.ordinal;
    if (current === null || !same || current.index !== index) {
      if (current !== null) yield current;
      current = { key, index, lines: [], attempts: [] };
    }
    current.lines.push(line);
    current.attempts.push(exchange);
  }
  if (current !== null) yield current;
}

async function auditQuestion(
  plan: VisionPlan,
  source: RunSource<VisionPlan>,
  { key, index, attempts }: Asked,
  count: Count,
): Promise<readonly Contradiction[]> {
  const provider = plan.frozen.provider as unknown as ProviderDescription;
  const material = describeCase(plan, key);
  const asked = material.questions[index];
  if (asked === undefined)
    return [{ at: 0, field: 'index', expected: `below ${material.questions.length}`, got: String(index) }];
  const looks = asked.imaged && !PICTURELESS_PROVIDERS.includes(provider.id);
  const image_sha256 = looks ? material.image_sha256 : null;
  const local = await localAnswer(plan, key, index, material, image_sha256);
  if (local !== undefined)
    return local === null
      ? [{ at: 0, field: 'index', expected: 'a question that was published', got: String(index) }]
      : attempts.flatMap((exchange, at) => [...contradictions(at, local, exchange)]);
  if (HERE.includes(provider.id))
    return auditHere(attempts, { provider, image_sha256, question: asked.question });
  const found = await auditScoring(attempts, {
    provider,
    question: await withPicture(source, asked.question, image_sha256),
    image_sha256,
    controls: asked.question.controls,
    n_probs: plan.frozen.n_probs,
    runtime: source.runtime,
  });
  if (found === null) return [];
  count.requests += found.requests;
  count.replies += found.replies;
  count.digests += found.digests;
  return found.contradictions;
}

/** What ran in the program that asked, where that follows from the plan or from the rest of the record. */
function* runtimeFindings(plan: VisionPlan, { runtime }: RunSource<VisionPlan>): Iterable<Finding> {
  const provider = plan.frozen.provider as unknown as ProviderDescription;
  if (runtime === null || !HERE.includes(provider.id)) return;
  const expected = hereRuntime(provider, runtime);
  for (const field of ['runtime_name', 'model_digest', 'details'] as const) {
    const [should, is] = [canonicalJson(expected[field]), canonicalJson(runtime[field])];
    if (should === is) continue;
    yield failure(
      'runtime_mismatch',
      `runtime.json ${field}`,
      'The runtime record contradicts the plan or itself.',
      {
        expected: brief(should),
        got: brief(is),
      },
    );
  }
}

const scripted = new WeakMap<object, readonly ScriptedAnswer[]>();

/** What a provider without a server must have answered; undefined for one that asked, null for an answer nobody has. */
async function localAnswer(
  plan: VisionPlan,
  key: CaseKey,
  index: number,
  { questions }: Material,
  image_sha256: Sha256Id | null,
): Promise<ExchangeRecord | null | undefined> {
  const question = questions[index]?.question;
  const { id } = plan.frozen.provider as unknown as ProviderDescription;
  if (question === undefined) return null;
  if (id === 'replay') return recordedExchange(key, index);
  if (id === 'blind') return localRecord(image_sha256, blindScore(question, BLIND_PROBABILITY));
  if (id !== 'scripted') return undefined;
  const answers = scripted.get(plan.frozen) ?? scriptedAnswers(plan);
  scripted.set(plan.frozen, answers);
  const answer = answers.find((one) => one.image_sha256 === image_sha256 && one.prefix === question.prefix);
  return answer === undefined ? null : localRecord(image_sha256, scriptedScore(question, answer.answer));
}

/** The question with its picture, null where the bundle only names the picture. */
async function withPicture(
  source: RunSource<VisionPlan>,
  question: ChoiceQuestion,
  image_sha256: Sha256Id | null,
): Promise<ChoiceQuestion | null> {
  if (image_sha256 === null) return question;
  const image = demoPicture(image_sha256) ?? (await carried(source, image_sha256));
  return image === null ? null : { ...question, image };
}

async function carried(
  source: RunSource<VisionPlan>,
  sha256: Sha256Id,
): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return await source.artifact(sha256);
  } catch (error) {
    if (error instanceof PixelproofError && error.code === 'bundle_not_inlined') return null;
    throw error;
  }
}
