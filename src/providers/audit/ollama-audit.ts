import { PixelproofError } from '../../errors';
import type { Sha256Id } from '../../evidence/identity/json';
import {
  byCodePoint,
  isPyObject,
  PyFloat,
  type PyObject,
  type PyValue,
} from '../../evidence/identity/python-json';
import { parsePythonJson } from '../../evidence/identity/python-json-parse';
import { roundHalfEven } from '../../evidence/identity/round-half-even';
import { MAX_RETRIES } from '../call-policy';
import type { AttemptFailure, ExchangeRecord } from '../provider';
import { type Contradiction, contradictions } from './contradiction';
import {
  type OllamaFacts,
  ollamaMetadata,
  ollamaReplyError,
  ollamaStatusMessage,
  ollamaTokens,
  readOllamaAnswer,
} from './ollama-protocol';
import { TRANSPORT } from './scored-body';

/** What a question to Ollama must have looked like; everything in it follows from the plan. */
export interface OllamaAsked {
  readonly model: string;
  /** Of the weights, as the runtime record has it; undefined where there is no such record. */
  readonly model_digest: string | null | undefined;
  readonly request_sha256: Sha256Id;
  readonly image_sha256: Sha256Id;
}

/**
 * Where the attempts of one question, in the order in which they ended, contradict the plan or themselves: the
 * request's digest, the order of attempts, and what follows from the kept reply and metadata. What has no second copy
 * in the record (a server's own duration, the wall clock) is taken as it is.
 */
export function* auditOllama(
  attempts: readonly ExchangeRecord[],
  asked: OllamaAsked,
): Iterable<Contradiction> {
  for (const [at, exchange] of attempts.entries()) {
    const before = attempts[at - 1] ?? null;
    const expected =
      exchange.cause === null ? answerOf(exchange, asked) : failureOf(exchange, exchange.cause, asked);
    const { request_sha256, image_sha256 } = asked;
    const attempt = follows(exchange, before) ? exchange.attempt : 1;
    yield* contradictions(at, { ...expected, request_sha256, image_sha256, attempt }, exchange);
  }
}

/** A second or third attempt follows a server that asked to wait; every other question begins anew. */
function follows({ attempt }: ExchangeRecord, before: ExchangeRecord | null): boolean {
  if (before === null || attempt > MAX_RETRIES + 1 || before.attempt !== attempt - 1) return false;
  return before.cause?.code === 'provider_http_status' && (before.status === 429 || before.status === 503);
}

function answerOf(exchange: ExchangeRecord, { model, model_digest }: OllamaAsked): ExchangeRecord {
  const { status, reply_text } = exchange;
  const metadata = metadataOf(exchange.response_metadata_text);
  const facts = metadata === null ? null : factsOf(metadata);
  const good = { ...exchange, status: succeeds(status) ? status : 200 };
  if (metadata === null || facts === null || !isPyObject(metadata.model_record)) {
    return { ...good, response_metadata_text: 'the metadata of an Ollama answer' };
  }
  const { model_record, wall_ms } = metadata;
  const digest = typeof model_record.digest === 'string' ? model_record.digest : null;
  const same = model_digest === undefined || model_digest === digest;
  const named = same && [model_record.name, model_record.model].includes(model);
  const wall = wall_ms instanceof PyFloat ? wall_ms.value : 0;
  const timed = facts.response_keys.includes('total_duration');
  return {
    ...good,
    model_in_reply: facts.response_keys.includes('model') ? model : null,
    latency_us: timed && exchange.latency_us !== null ? exchange.latency_us : roundHalfEven(wall * 1000),
    tokens: ollamaTokens(facts),
    response_metadata_text: named
      ? ollamaMetadata(model, model_record, wall, facts)
      : `the metadata of an answer of ${model}, weights ${model_digest ?? 'unknown'}`,
    reply_error: ollamaReplyError(reply_text ?? '', facts),
  };
}

function failureOf(exchange: ExchangeRecord, cause: AttemptFailure, { model }: OllamaAsked): ExchangeRecord {
  const nothing: ExchangeRecord = {
    ...exchange,
    status: null,
    reply_text: null,
    model_in_reply: null,
    latency_us: null,
    tokens: null,
    response_metadata_text: '{}',
    reply_error: null,
  };
  if (TRANSPORT.includes(cause.code)) return nothing;
  const { status } = exchange;
  const reply_text = exchange.reply_text ?? '';
  if (cause.code === 'provider_http_status') {
    const failing = status === null || succeeds(status) ? 500 : status;
    const message = ollamaStatusMessage(failing, reply_text);
    return { ...nothing, status: failing, reply_text, cause: { code: cause.code, message } };
  }
  return {
    ...nothing,
    status: succeeds(status) ? status : 200,
    reply_text,
    cause: refusalOf(reply_text, model),
  };
}

/** Why the body is no answer; null where it is one. */
function refusalOf(text: string, model: string): AttemptFailure | null {
  try {
    readOllamaAnswer(text, model);
    return null;
  } catch (error) {
    if (!(error instanceof PixelproofError)) throw error;
    return { code: error.code, message: error.message };
  }
}

function succeeds(status: number | null): status is number {
  return status !== null && status >= 200 && status <= 299;
}

function metadataOf(text: string): PyObject | null {
  try {
    const value = parsePythonJson(text);
    return isPyObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Null where the metadata lacks what every answer has. */
function factsOf(metadata: PyObject): OllamaFacts | null {
  const { prompt_eval_count, eval_count, done_reason, thinking_length } = metadata;
  const response_keys = keysOf(metadata.response_keys, 'message');
  const message_keys = keysOf(metadata.message_keys, 'content');
  if (response_keys === null || message_keys === null) return null;
  const length = typeof thinking_length === 'number' && thinking_length >= 0 ? thinking_length : 0;
  // A count that the metadata holds came in a member of the answer.
  const kept = (value: PyValue | undefined, key: string): PyValue =>
    response_keys.includes(key) ? (value ?? null) : null;
  return {
    prompt_eval_count: kept(prompt_eval_count, 'prompt_eval_count'),
    eval_count: kept(eval_count, 'eval_count'),
    done_reason: kept(done_reason, 'done_reason'),
    thinking_length: message_keys.includes('thinking') ? length : 0,
    response_keys,
    message_keys,
  };
}

/** The keys as an answer has them: sorted, each once, the needed one among them. */
function keysOf(value: PyValue | undefined, needed: string): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  const keys = value.filter((key): key is string => typeof key === 'string');
  if (keys.length !== value.length || !keys.includes(needed)) return null;
  return [...new Set(keys)].sort(byCodePoint);
}
