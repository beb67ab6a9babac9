import { PixelproofError } from '../errors';
import type { Json } from '../evidence/identity/json';
import { roundHalfEven } from '../evidence/identity/round-half-even';
import { sha256Large } from '../evidence/identity/sha256';
import type { AliasRule } from './audit/model-name';
import {
  type Asker,
  answerFields,
  KEPT_REFUSAL,
  KEPT_REPLY,
  objectOf,
  type ReadReply,
  type Root,
  readScoredBody,
  statusError,
  succeeds,
} from './audit/scored-body';
import { requireBaseUrl, urlOf } from './base-url';
import { DEFAULT_LIMITS, gated, type Limits } from './call-policy';
import { type HttpReply, httpCall, requireTimeout, retryAfterMs } from './http';
import { type AttemptFailure, type Call, type ExchangeRecord, UNFINISHED } from './provider';
import { type Auth, authHeaders, usableKey } from './secret';

export interface ScoringSettings {
  /** Trailing slashes are dropped. */
  readonly baseUrl: string;
  readonly model: string;
  /** Limit for each HTTP call, in seconds. */
  readonly timeoutSeconds: number;
  /** Sent with each call and kept nowhere else. */
  readonly apiKey: string | null;
  /** How the key is sent; a bearer token without it. */
  readonly auth?: Auth;
  /** How the reply may name the model that was asked; by that name only without it. */
  readonly alias?: AliasRule;
  /** Whether the server answers nobody without a key. */
  readonly keyRequired?: boolean;
  readonly limits?: Limits;
  /** The server is llama.cpp's: its usual reasons for a failure are told. */
  readonly llama?: boolean;
}

export interface Attempt {
  readonly record: ExchangeRecord;
  readonly failure: PixelproofError | null;
  /** How long the server asked to wait, null where it did not. */
  readonly waitMs: number | null;
}

/** A whole vocabulary as JSON takes 15 to 25 MB. */
export const FULL_LIST_BYTES = 64 * 1024 * 1024;
/** Calls of one server: addresses, key, time limit, and how its refusals are named. */
export class ScoringHttp {
  readonly baseUrl: string;
  readonly settings: ScoringSettings;
  readonly #key: string | null;

  /** Throws `provider_settings` for a key that cannot be sent, an address that is not http(s), a blank model or a limit that is not positive. */
  constructor(settings: ScoringSettings) {
    this.baseUrl = requireBaseUrl(settings.baseUrl);
    this.settings = settings;
    this.#key = usableKey(settings.apiKey);
    const fault = (message: string, expected: string, got: unknown) =>
      new PixelproofError('provider_settings', message, { expected, got: String(got) });
    if (settings.model.trim() === '') throw fault('Name the model to ask.', 'a model id', settings.model);
    requireTimeout(settings.timeoutSeconds);
  }

  /** A call before any score: its failure is a reason to skip. Throws what `httpCall` and `statusError` name. */
  async ask(path: string, signal: AbortSignal, body?: Json): Promise<Root> {
    if (this.settings.keyRequired === true && this.#key === null) {
      throw new PixelproofError('provider_key_missing', 'The server answers nobody without a key.', {
        expected: 'a key of yours',
        got: 'none',
      });
    }
    const reply = await this.#call(path, signal, body === undefined ? undefined : encoded(body), undefined);
    if (!succeeds(reply.status)) throw statusError(reply.status, reply.text, this.#asker());
    return objectOf(reply.text);
  }

  /** One scoring call, recorded whether it gave an answer or not. Rejects only when the signal is aborted. */
  async score(...asked: Parameters<ScoringHttp['scoreNow']>): Promise<Attempt> {
    const { signal } = asked[3];
    const { limits = DEFAULT_LIMITS } = this.settings;
    return gated(this.baseUrl, limits, signal, () => this.scoreNow(...asked));
  }

  /** As `score`, without waiting for the origin's turn. */
  async scoreNow(
    path: string,
    body: Json,
    identity: {
      readonly image: Uint8Array<ArrayBuffer> | null;
      readonly attempt: number;
      /** What a verifier must know beside the question to make the body again; kept with every attempt. */
      readonly sent: { readonly [key: string]: Json };
    },
    call: Call,
    read: (root: Root) => ReadReply,
    maxBytes?: number,
  ): Promise<Attempt> {
    const bytes = encoded(body);
    const base = {
      request_sha256: await sha256Large(bytes),
      image_sha256: identity.image === null ? null : await sha256Large(identity.image),
      attempt: identity.attempt,
    };
    const failed = (cause: AttemptFailure, answer: HttpReply | null): ExchangeRecord => ({
      ...base,
      status: answer?.status ?? null,
      cause,
      reply_text: answer?.text.slice(0, KEPT_REFUSAL) ?? null,
      model_in_reply: null,
      latency_us: null,
      tokens: null,
      response_metadata_text: JSON.stringify(identity.sent),
      reply_error: null,
    });
    await call.begin?.(failed(UNFINISHED, null));
    let reply: HttpReply | null = null;
    let failure: PixelproofError;
    try {
      reply = await this.#call(path, call.signal, bytes, maxBytes);
      const { model, alias } = this.settings;
      const found = readScoredBody(reply.status, reply.text, model, read, alias, this.#asker());
      const record: ExchangeRecord = {
        ...base,
        status: reply.status,
        cause: null,
        ...answerFields(found),
        latency_us: roundHalfEven(reply.milliseconds * 1000),
        response_metadata_text: await metadata(reply, { ...identity.sent, ...found.notes }),
        reply_error: null,
      };
      await call.record(record);
      return { record, failure: null, waitMs: null };
    } catch (error) {
      call.signal.throwIfAborted();
      if (!(error instanceof PixelproofError)) throw error;
      failure = error;
    }
    const record = failed({ code: failure.code, message: failure.message }, reply);
    await call.record(record);
    return { record, failure, waitMs: retryAfterMs(reply?.retryAfter ?? null, Date.now()) };
  }

  #asker(): Asker {
    return { withKey: this.#key !== null, llama: this.settings.llama === true };
  }

  #call(
    path: string,
    signal: AbortSignal,
    body: Uint8Array<ArrayBuffer> | undefined,
    maxBytes: number | undefined,
  ): Promise<HttpReply> {
    const { timeoutSeconds, auth = 'bearer' } = this.settings;
    return httpCall({
      url: urlOf(this.baseUrl, path),
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...authHeaders(auth, this.#key),
      },
      ...(body === undefined ? {} : { body }),
      timeoutMs: timeoutSeconds * 1000,
      signal,
      secret: this.#key,
      ...(maxBytes === undefined ? {} : { maxBytes }),
    });
  }
}

function encoded(body: Json): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(body));
}

async function metadata(reply: HttpReply, notes: ReadReply['notes']): Promise<string> {
  return JSON.stringify({
    ...notes,
    reply_bytes: reply.bytes.length,
    reply_sha256: await sha256Large(reply.bytes),
    ...(reply.text.length <= KEPT_REPLY ? { reply: reply.text } : {}),
  });
}
