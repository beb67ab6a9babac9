import { PixelproofError } from '../errors';
import { canonicalJson } from '../evidence/identity/canonical';
import type { Json } from '../evidence/identity/json';
import { roundHalfEven } from '../evidence/identity/round-half-even';
import { sha256Large } from '../evidence/identity/sha256';
import { BASE_URL_FORM, baseUrlFault } from './base-url';
import { countOf } from './candidates';
import { type HttpReply, httpCall, retryAfterMs } from './http';
import {
  type AttemptFailure,
  type Call,
  type ExchangeRecord,
  type ScoredReply,
  UNFINISHED,
} from './provider';

export interface ScoringSettings {
  /** Trailing slashes are dropped. */
  readonly baseUrl: string;
  readonly model: string;
  /** Limit for each HTTP call, in seconds. */
  readonly timeoutSeconds: number;
  /** Sent as a bearer token and kept nowhere else. */
  readonly apiKey: string | null;
}

export type Root = Readonly<Record<string, unknown>>;

/** What a reply's reader makes of its body. */
export interface ReadReply {
  readonly reply: ScoredReply;
  readonly model: unknown;
  readonly completionTokens: unknown;
  /** Facts for the exchange record, beside the reply itself. */
  readonly notes: { readonly [key: string]: Json };
}

export interface Attempt {
  readonly record: ExchangeRecord;
  readonly failure: PixelproofError | null;
  /** How long the server asked to wait, null where it did not. */
  readonly waitMs: number | null;
}

/** A whole vocabulary as JSON takes 15 to 25 MB. */
export const FULL_LIST_BYTES = 64 * 1024 * 1024;
/** Replies up to this length stay in the exchange record whole; of a longer one its digest does. */
const KEPT_REPLY = 64 * 1024;

/** Calls of one server: addresses, key, time limit, and how its refusals are named. */
export class ScoringHttp {
  readonly baseUrl: string;
  readonly settings: ScoringSettings;

  /** Throws `provider_settings` for an address that is not http(s), a blank model or a limit that is not positive. */
  constructor(settings: ScoringSettings) {
    this.baseUrl = settings.baseUrl.trim().replace(/\/+$/, '');
    this.settings = settings;
    const fault = (message: string, expected: string, got: unknown) =>
      new PixelproofError('provider_settings', message, { expected, got: String(got) });
    const wrong = baseUrlFault(this.baseUrl);
    if (wrong !== null)
      throw fault(`The base URL is no server's address: ${wrong}.`, BASE_URL_FORM, settings.baseUrl);
    if (settings.model.trim() === '') throw fault('Name the model to ask.', 'a model id', settings.model);
    if (!(settings.timeoutSeconds > 0))
      throw fault('The timeout must be positive.', 'seconds above 0', settings.timeoutSeconds);
  }

  /** A call before any score: its failure is a reason to skip. Throws what `httpCall` and `statusError` name. */
  async ask(path: string, signal: AbortSignal, body?: Json): Promise<Root> {
    const reply = await this.#call(path, signal, body === undefined ? undefined : encoded(body), undefined);
    if (!succeeded(reply)) throw statusError(reply.status, reply.text);
    return objectOf(reply.text);
  }

  /** One scoring call, recorded whether it gave an answer or not. Rejects only when the signal is aborted. */
  async score(
    path: string,
    body: Json,
    identity: { readonly image: Uint8Array<ArrayBuffer> | null; readonly attempt: number },
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
      reply_text: answer?.text.slice(0, 2000) ?? null,
      model_in_reply: null,
      latency_us: null,
      tokens: null,
      response_metadata_text: '{}',
      reply_error: null,
    });
    await call.begin?.(failed(UNFINISHED, null));
    let reply: HttpReply | null = null;
    let failure: PixelproofError;
    try {
      reply = await this.#call(path, call.signal, bytes, maxBytes);
      if (!succeeded(reply)) throw statusError(reply.status, reply.text);
      const found = read(objectOf(reply.text));
      this.#requireModel(found.model);
      const record: ExchangeRecord = {
        ...base,
        status: reply.status,
        cause: null,
        reply_text: canonicalJson(found.reply as unknown as Json),
        model_in_reply: typeof found.model === 'string' ? found.model : null,
        latency_us: roundHalfEven(reply.milliseconds * 1000),
        tokens: { prompt: found.reply.tokens_evaluated, completion: countOf(found.completionTokens) },
        response_metadata_text: await metadata(reply, found.notes),
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

  #requireModel(model: unknown): void {
    if (typeof model !== 'string' || model === this.settings.model) return;
    throw new PixelproofError('provider_wrong_model', 'The reply names another model than the one asked.', {
      expected: this.settings.model,
      got: model,
    });
  }

  #call(
    path: string,
    signal: AbortSignal,
    body: Uint8Array<ArrayBuffer> | undefined,
    maxBytes: number | undefined,
  ): Promise<HttpReply> {
    const { apiKey, timeoutSeconds } = this.settings;
    return httpCall({
      url: `${this.baseUrl}${path}`,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      ...(body === undefined ? {} : { body }),
      timeoutMs: timeoutSeconds * 1000,
      signal,
      ...(maxBytes === undefined ? {} : { maxBytes }),
    });
  }
}

function succeeded({ status }: HttpReply): boolean {
  return status >= 200 && status <= 299;
}

function encoded(body: Json): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(body));
}

/** Throws `provider_not_object`. */
function objectOf(text: string): Root {
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // Not JSON at all: refused below like every other value that is no object.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Root;
  throw new PixelproofError('provider_not_object', 'The server’s answer is not one JSON object.', {
    expected: 'one JSON object',
    got: text.slice(0, 120),
  });
}

/** A refusal by its status and the server's own words (vision-smoke specification, 8.4). */
function statusError(status: number, text: string): PixelproofError {
  const got = `HTTP ${status}: ${text.slice(0, 2000)}`;
  const lower = text.toLowerCase();
  if (status === 401)
    return new PixelproofError('provider_unauthorised', 'The server wants an API key.', { got });
  if (status === 403)
    return new PixelproofError('provider_forbidden', 'The server refuses this page’s origin or this key.', {
      got,
    });
  if (status === 503)
    return new PixelproofError('provider_loading', 'The server is still loading its model.', { got });
  if (lower.includes('failed to tokenize prompt'))
    return new PixelproofError('provider_stale_marker', 'The server has another media marker now.', { got });
  if (lower.includes('failed to load image'))
    return new PixelproofError('provider_image_refused', 'The server cannot decode the picture.', { got });
  if (lower.includes('mmproj') || lower.includes('image input is not supported'))
    return new PixelproofError('provider_text_only', 'The server has no projector: it takes no pictures.', {
      got,
    });
  if (status >= 500 || lower.includes('context'))
    return new PixelproofError(
      'provider_http_status',
      'The server failed; a context that is too small is a usual reason (raise -c: a turn needs about 450 tokens).',
      { expected: 'HTTP 200', got },
    );
  return new PixelproofError('provider_http_status', `The server answered with HTTP ${status}.`, {
    expected: 'HTTP 200',
    got,
  });
}

async function metadata(reply: HttpReply, notes: ReadReply['notes']): Promise<string> {
  return JSON.stringify({
    ...notes,
    reply_bytes: reply.bytes.length,
    reply_sha256: await sha256Large(reply.bytes),
    ...(reply.text.length <= KEPT_REPLY ? { reply: reply.text } : {}),
  });
}
