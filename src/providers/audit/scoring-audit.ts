import { PixelproofError } from '../../errors';
import type { Json, JsonObject, Sha256Id } from '../../evidence/identity/json';
import { sha256, sha256Large } from '../../evidence/identity/sha256';
import { countOf } from '../candidates';
import { CHAT_SHAPES } from '../chat-shapes';
import type { ChoiceQuestion, ExchangeRecord, ProviderDescription, RuntimeEvidence } from '../provider';
import { chatRequest, DRAWN, readChatReply, SAMPLED } from './chat-protocol';
import { type Contradiction, contradictions } from './contradiction';
import { FULL_VOCABULARY, llamaRequest, readLlamaReply } from './llama-protocol';
import type { AliasRule } from './model-name';
import {
  answerFields,
  KEPT_REFUSAL,
  KEPT_REPLY,
  type ReadReply,
  type Root,
  readScoredBody,
  refusalAsTold,
  succeeds,
} from './scored-body';

/** What a scored question must have looked like; everything in it follows from the plan, the pictures and the start. */
export interface ScoringAsked {
  readonly provider: Pick<ProviderDescription, 'id' | 'model'>;
  /** With the picture's bytes; null for a picture that the record only names: its request cannot be made again then. */
  readonly question: ChoiceQuestion | null;
  readonly image_sha256: Sha256Id | null;
  readonly controls: readonly string[];
  /** Candidates that the plan asks for. */
  readonly n_probs: number;
  /** What the server said at the start, which has the tokens of the controls. */
  readonly runtime: RuntimeEvidence | null;
}

/** What could be made again, and where the record contradicts it. */
export interface ScoringFound {
  readonly contradictions: readonly Contradiction[];
  readonly requests: number;
  /** Answers read again from their bodies. */
  readonly replies: number;
  /** Answers whose bodies were too long to be kept: their digest is there. */
  readonly digests: number;
}

interface Protocol {
  readonly alias: AliasRule;
  request(question: ChoiceQuestion, sent: JsonObject): Json;
  read(root: Root): ReadReply;
  /** What the record must keep of how a call differs from the next, null where it does not. */
  sent(metadata: JsonObject): JsonObject | null;
}

/** A media marker is one word in angle brackets; anything longer could put words into the prompt. */
const MARKER = /^<[^\s<>]{1,62}>$/;

/**
 * Where the attempts of one question contradict the plan or themselves: each request's digest against the body made
 * again, each answer against what its kept body says, each refusal against its status and words. What has no second copy
 * (the clock) is taken as it is. Null for a provider that has no requests.
 */
export async function auditScoring(
  attempts: readonly ExchangeRecord[],
  asked: ScoringAsked,
): Promise<ScoringFound | null> {
  const protocol = protocolOf(asked);
  if (protocol === null) return null;
  const found: Contradiction[] = [];
  let [requests, replies, digests] = [0, 0, 0];
  for (const [at, exchange] of attempts.entries()) {
    const metadata = metadataOf(exchange.response_metadata_text);
    const sent = protocol.sent(metadata);
    const expected = { ...exchange, image_sha256: asked.image_sha256 };
    if (sent === null) {
      found.push({
        at,
        field: 'response_metadata_text',
        expected: 'how this call was sent, within what the plan allows',
        got: exchange.response_metadata_text.slice(0, KEPT_REFUSAL),
      });
    } else if (asked.question !== null) {
      requests += 1;
      const body = new TextEncoder().encode(JSON.stringify(protocol.request(asked.question, sent)));
      expected.request_sha256 = await sha256Large(body);
    }
    if (exchange.cause === null) {
      const answer = answered(exchange, metadata, asked.provider.model, protocol);
      Object.assign(expected, answer.fields);
      if (answer.kept) replies += 1;
      else digests += 1;
    } else Object.assign(expected, refused(exchange, asked.provider.model, protocol));
    found.push(...contradictions(at, expected, exchange));
  }
  return { contradictions: found, requests, replies, digests };
}

function protocolOf({ provider: { id, model }, controls, n_probs, runtime }: ScoringAsked): Protocol | null {
  const details = objectOr(runtime?.details);
  const tokens = objectOr(details.control_tokens);
  const tokenOf = (control: string) => countOf(tokens[control]);
  if (id === 'llama-server') {
    const vocabulary = countOf(details.n_vocab);
    const lengths = [n_probs, vocabulary ?? FULL_VOCABULARY];
    return {
      alias: 'exact',
      request: (question, sent) => llamaRequest(model, question, sent as never),
      read: (root) => readLlamaReply(root, controls, tokenOf, vocabulary),
      sent: ({ n_probs: length, n_predict, media_marker }) =>
        lengths.includes(Number(length)) &&
        (n_predict === 0 || n_predict === 1) &&
        typeof media_marker === 'string' &&
        MARKER.test(media_marker)
          ? { n_probs: Number(length), n_predict, media_marker }
          : null,
    };
  }
  const sampled = id.endsWith(SAMPLED);
  const shape = CHAT_SHAPES.find((each) => `${each.id}${sampled ? SAMPLED : ''}` === id);
  if (shape === undefined) return null;
  const known = controls.map((control) => ({ control, id: tokenOf(control) }));
  const protocol = { shape, model, tokens: known, samples: sampled ? DRAWN : 0 };
  return {
    alias: shape.alias ?? 'exact',
    request: (question, { exact_ids }) => chatRequest(protocol, question, exact_ids !== false),
    read: (root) => readChatReply(protocol, root),
    sent: ({ exact_ids }) => (sampled ? {} : typeof exact_ids === 'boolean' ? { exact_ids } : null),
  };
}

/** What an answer's kept body makes of the record; of a body that was not kept, only that it was too long to be. */
function answered(
  exchange: ExchangeRecord,
  { reply, reply_bytes, reply_sha256 }: JsonObject,
  model: string,
  { read, alias }: Protocol,
): { readonly fields: Partial<ExchangeRecord>; readonly kept: boolean } {
  const status = succeeds(exchange.status) ? exchange.status : 200;
  if (typeof reply !== 'string') {
    const long =
      typeof reply_bytes === 'number' && reply_bytes > KEPT_REPLY && typeof reply_sha256 === 'string';
    return {
      fields: long
        ? { status }
        : { status, response_metadata_text: 'the body of a reply that is short enough to keep' },
      kept: false,
    };
  }
  const bytes = new TextEncoder().encode(reply);
  const fields: Partial<ExchangeRecord> = {
    status,
    ...(bytes.length === reply_bytes && sha256(bytes) === reply_sha256
      ? {}
      : { response_metadata_text: `a body of ${bytes.length} bytes, ${sha256(bytes)}` }),
  };
  try {
    return {
      fields: { ...fields, ...answerFields(readScoredBody(status, reply, model, read, alias)) },
      kept: true,
    };
  } catch (error) {
    if (!(error instanceof PixelproofError)) throw error;
    return { fields: { ...fields, cause: { code: error.code, message: error.message } }, kept: true };
  }
}

/** Why a body is no answer, where all of it was kept; a failure without a body has nothing to be held against. */
function refused(
  { status, reply_text, cause }: ExchangeRecord,
  model: string,
  { read, alias }: Protocol,
): Partial<ExchangeRecord> {
  const none = { model_in_reply: null, latency_us: null, tokens: null, reply_error: null };
  if (status === null || reply_text === null) return { ...none, status: null, reply_text: null };
  if (reply_text.length >= KEPT_REFUSAL) return none;
  try {
    if (!succeeds(status)) throw refusalAsTold(status, reply_text, cause);
    readScoredBody(status, reply_text, model, read, alias);
    return { ...none, cause: null };
  } catch (error) {
    if (!(error instanceof PixelproofError)) throw error;
    return { ...none, cause: { code: error.code, message: error.message } };
  }
}

function metadataOf(text: string): JsonObject {
  try {
    return objectOr(JSON.parse(text) as Json);
  } catch {
    return {};
  }
}

function objectOr(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
