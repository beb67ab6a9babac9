import type { Json } from '../../../evidence/identity/json';
import { isPyObject, pythonCanonical } from '../../../evidence/identity/python-json';
import { parsePythonJson } from '../../../evidence/identity/python-json-parse';
import { sha256 } from '../../../evidence/identity/sha256';
import { brief } from '../../../evidence/verify/compared';
import { type Finding, failure } from '../../../evidence/verify/finding';
import { auditClassifier, cardOfRun } from '../../../providers/audit/classifier-audit';
import { CLASSIFIERS } from '../../../providers/audit/classifier-protocol';
import { type Contradiction, contradictions } from '../../../providers/audit/contradiction';
import { auditHere, HERE } from '../../../providers/audit/here-audit';
import { auditOllama } from '../../../providers/audit/ollama-audit';
import { ollamaRequestText } from '../../../providers/audit/ollama-protocol';
import { auditReader } from '../../../providers/audit/reader-audit';
import { readerRequestText } from '../../../providers/audit/reader-protocol';
import { readerShape } from '../../../providers/audit/reader-shapes';
import { scriptedRecord } from '../../../providers/audit/scripted-protocol';
import type { ExchangeRecord, RuntimeEvidence } from '../../../providers/provider';
import type { CaseKey, CaseRecord, RunSource } from '../../../runner/experiment';
import { scriptedReply } from '../ask';
import type { CaseDto } from '../case';
import { caseOfRecord } from '../judge';
import { type Material, materialiseCase } from '../materialise';
import { type PngPlan, planAnswer, planCases } from '../plan';
import { PROMPT } from '../prompt';

/** The attempts of one case in the order in which they ended, with their lines in the file. */
interface Asked {
  readonly key: CaseKey;
  readonly lines: number[];
  readonly attempts: ExchangeRecord[];
}

/**
 * The exchange record against plan and cases: each case was answered once, by the exchange that it quotes; and every
 * field of every attempt that follows from the plan (the request's digest above all), from the case record or from the
 * rest of the attempt is what it must be. A replay asks nobody.
 */
export async function* verifyExchanges(
  plan: PngPlan,
  source: RunSource<PngPlan>,
  records: readonly CaseRecord[],
): AsyncIterable<Finding> {
  const asked = await askedCases(source);
  if (plan.frozen.provider.id === 'replay') {
    const [first] = asked.values();
    if (first !== undefined) {
      const where = `exchanges.jsonl line ${first.lines[0]}`;
      yield failure('exchange_unexpected', where, 'A replay asks nobody, so it has no exchanges.', {
        expected: 'none',
        got: named(first.key),
      });
    }
    return;
  }
  // A field that two rules contradict is named once.
  const told = new Set<string>();
  for (const record of records) {
    for (const finding of quoted(record, asked.get(named(record)))) {
      told.add(finding.where);
      yield finding;
    }
  }
  const next = [...planCases(plan)][records.length];
  const cases = new Set(records.map(named));
  for (const question of asked.values()) {
    const name = named(question.key);
    if (!cases.has(name) && (next === undefined || name !== named(next))) {
      const where = `exchanges.jsonl line ${question.lines[0]}`;
      yield failure('exchange_without_case', where, 'The exchange belongs to no case that was asked about.', {
        expected: next === undefined ? 'a case of the run' : `a case of the run, or ${named(next)}`,
        got: name,
      });
      continue;
    }
    const material = await materialiseCase(plan, question.key);
    for (const { at, field, expected, got } of audit(plan, question, material, source.runtime)) {
      const where = `exchanges.jsonl line ${question.lines[at]} ${field}`;
      if (told.has(where)) continue;
      yield failure('exchange_mismatch', where, 'The exchange contradicts the plan, its case or itself.', {
        expected: brief(expected),
        got: brief(got),
      });
    }
  }
}

async function askedCases(source: RunSource<PngPlan>): Promise<Map<string, Asked>> {
  const asked = new Map<string, Asked>();
  let line = 0;
  for await (const { key, exchange } of source.exchanges()) {
    line++;
    const question = asked.get(named(key)) ?? { key, lines: [], attempts: [] };
    question.lines.push(line);
    question.attempts.push(exchange);
    asked.set(named(key), question);
  }
  return asked;
}

/** A finished case quotes the exchange that answered it. */
function* quoted(record: CaseRecord, asked: Asked | undefined): Iterable<Finding> {
  const at = asked?.attempts.findLastIndex(({ cause }) => cause === null) ?? -1;
  const answer = asked?.attempts[at];
  if (asked === undefined || answer === undefined) {
    yield failure(
      'exchange_missing',
      'exchanges.jsonl',
      'A finished case has no exchange that answered it.',
      {
        expected: named(record),
        got: 'none',
      },
    );
    return;
  }
  const pairs: [string, Json | undefined, Json][] = [
    ['image_sha256', record.evidence.image_sha256, answer.image_sha256],
    ['reply_text', record.evidence.reply_text, answer.reply_text],
    ['reply_error', record.evidence.reply_error, answer.reply_error],
  ];
  const dto = caseOrNull(record);
  // A case that the grammar refused keeps neither latency nor metadata, as in the reference.
  if (dto !== null && dto.provider_raw_response_text !== null) {
    const metadata = pythonCanonical(dto.provider_response_metadata ?? {});
    pairs.push(['latency_us', dto.provider_latency_us, answer.latency_us]);
    pairs.push(['response_metadata_text', metadata, canonicalText(answer.response_metadata_text)]);
  }
  for (const [field, should, is] of pairs) {
    if (should === is) continue;
    yield failure(
      'exchange_mismatch',
      `exchanges.jsonl line ${asked.lines[at]} ${field}`,
      'The exchange is not the one that its case quotes.',
      { expected: brief(should), got: brief(is) },
    );
  }
}

function audit(
  plan: PngPlan,
  { key, attempts }: Asked,
  { final }: Material,
  runtime: RuntimeEvidence | null,
): Iterable<Contradiction> {
  const { id, model, seed } = plan.frozen.provider;
  const image_sha256 = final.png_sha256;
  if (id === 'scripted') {
    const should = scriptedRecord(image_sha256, scriptedReply(plan, key));
    return attempts.flatMap((exchange, at) => [...contradictions(at, should, exchange)]);
  }
  if (CLASSIFIERS.includes(id)) {
    const card = cardOfRun(id, model, runtime);
    // A runtime record that holds no such card is named where that record is verified.
    return card === null ? [] : auditClassifier(attempts, { model, card, image_sha256 });
  }
  if (HERE.includes(id))
    return auditHere(attempts, { provider: { id, model }, image_sha256, question: null });
  const asked = {
    image: final.png,
    mediaType: 'image/png',
    prompt: PROMPT,
    answer: planAnswer(plan),
  } as const;
  const shape = readerShape(id);
  if (shape !== null) {
    const request_sha256 = sha256(readerRequestText({ shape, model, seed }, asked));
    return auditReader(attempts, { shape, model, request_sha256, image_sha256 });
  }
  if (id !== 'ollama') return [];
  const request = ollamaRequestText({ model, seed }, asked);
  const model_digest = runtime?.model_digest;
  return auditOllama(attempts, { model, model_digest, request_sha256: sha256(request), image_sha256 });
}

function named({ arm, ordinal }: CaseKey): string {
  return `${arm} ${ordinal}`;
}

function caseOrNull(record: CaseRecord): CaseDto | null {
  try {
    return caseOfRecord(record);
  } catch {
    return null;
  }
}

/** The metadata as a case record holds it; the text itself where it is no JSON object. */
function canonicalText(text: string): string {
  try {
    const value = parsePythonJson(text);
    return isPyObject(value) ? pythonCanonical(value) : text;
  } catch {
    return text;
  }
}
