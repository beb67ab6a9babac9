import { PixelproofError } from '../../errors';
import type { Json, JsonObject, Sha256Id } from '../../evidence/identity/json';
import { sha256 } from '../../evidence/identity/sha256';
import { MAX_RETRIES } from '../call-policy';
import type { ExchangeRecord } from '../provider';
import { type Contradiction, contradictions } from './contradiction';
import { type ReaderAsked, readReaderBody } from './reader-protocol';
import { KEPT_REFUSAL, KEPT_REPLY, refusalAsTold, succeeds, TRANSPORT } from './scored-body';

/** What a question to a reader must have looked like; everything in it follows from the plan. */
export interface ReaderQuestioned extends Pick<ReaderAsked, 'shape' | 'model'> {
  readonly request_sha256: Sha256Id;
  readonly image_sha256: Sha256Id;
}

/**
 * Where the attempts of one question contradict the plan or themselves: the request's digest, the order of attempts, each
 * answer against what its kept body says, each refusal against its status and words. What has no second copy (the clock)
 * is taken as it is.
 */
export function* auditReader(
  attempts: readonly ExchangeRecord[],
  asked: ReaderQuestioned,
): Iterable<Contradiction> {
  const { request_sha256, image_sha256 } = asked;
  for (const [at, exchange] of attempts.entries()) {
    const before = attempts[at - 1] ?? null;
    const attempt = follows(exchange, before) ? exchange.attempt : 1;
    const fields = exchange.cause === null ? answered(exchange, asked) : refused(exchange, asked);
    yield* contradictions(at, { ...exchange, request_sha256, image_sha256, attempt, ...fields }, exchange);
  }
}

/** A second or third attempt follows a server that said "later"; every other question begins anew. */
function follows({ attempt }: ExchangeRecord, before: ExchangeRecord | null): boolean {
  if (before === null || attempt > MAX_RETRIES + 1 || before.attempt !== attempt - 1) return false;
  return before.status === 429 || before.status === 503;
}

/** What an answer's kept body makes of the record; of one that was not kept, only that it was too long to be. */
function answered(exchange: ExchangeRecord, asked: ReaderQuestioned): Partial<ExchangeRecord> {
  const status = succeeds(exchange.status) ? exchange.status : 200;
  const { reply, reply_bytes, reply_sha256, ...more } = metadataOf(exchange.response_metadata_text);
  if (Object.keys(more).length > 0) return { status, response_metadata_text: 'what every answer keeps' };
  if (typeof reply !== 'string') {
    const long = typeof reply_bytes === 'number' && reply_bytes > KEPT_REPLY;
    return long && typeof reply_sha256 === 'string'
      ? { status }
      : { status, response_metadata_text: 'the body of a reply that is short enough to keep' };
  }
  const response_metadata_text = readerMetadata(reply);
  try {
    return { status, response_metadata_text, ...readReaderBody(status, reply, asked) };
  } catch (error) {
    return { status, response_metadata_text, cause: causeOf(error) };
  }
}

/** What a body that is no answer can be, by its status or by its content (`readReaderBody`). */
const REFUSALS = [
  'provider_unauthorised',
  'provider_key_refused',
  'provider_forbidden',
  'provider_loading',
  'provider_stale_marker',
  'provider_image_refused',
  'provider_text_only',
  'provider_http_status',
  'provider_not_object',
  'provider_reply_error',
  'provider_reply_shape',
  'provider_reply_unfinished',
  'provider_wrong_model',
];

/**
 * Why a body is no answer, where all of it was kept. A failure before a body was there has nothing to be held against, but
 * it is one of those that a call can have.
 */
function refused(exchange: ExchangeRecord, asked: ReaderQuestioned): Partial<ExchangeRecord> {
  const { status, reply_text, cause } = exchange;
  const none = {
    model_in_reply: null,
    latency_us: null,
    tokens: null,
    response_metadata_text: '{}',
    reply_error: null,
  };
  const { code = '', message = '' } = cause ?? {};
  if (status === null || reply_text === null || TRANSPORT.includes(code)) {
    const known = TRANSPORT.includes(code) ? code : 'a failure before an answer was there';
    return { ...none, status: null, reply_text: null, cause: { code: known, message } };
  }
  if (reply_text.length >= KEPT_REFUSAL) {
    return { ...none, cause: { code: REFUSALS.includes(code) ? code : 'a failure of a body', message } };
  }
  if (!succeeds(status)) return { ...none, cause: causeOf(refusalAsTold(status, reply_text, cause)) };
  try {
    readReaderBody(status, reply_text, asked);
    return { ...none, cause: null };
  } catch (error) {
    return { ...none, cause: causeOf(error) };
  }
}

function causeOf(error: unknown) {
  if (!(error instanceof PixelproofError)) throw error;
  return { code: error.code, message: error.message };
}

/** What an answer keeps of its body: all of it up to 64 KiB, else its length and digest. */
export function readerMetadata(body: string): string {
  const bytes = new TextEncoder().encode(body);
  return JSON.stringify({
    reply_bytes: bytes.length,
    reply_sha256: sha256(bytes),
    ...(body.length <= KEPT_REPLY ? { reply: body } : {}),
  });
}

function metadataOf(text: string): JsonObject {
  try {
    const value: Json = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}
