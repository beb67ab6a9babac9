import { PixelproofError } from '../errors';
import { roundHalfEven } from '../evidence/identity/round-half-even';
import { sha256Large } from '../evidence/identity/sha256';
import { isModel } from './audit/model-name';
import { readerMetadata } from './audit/reader-audit';
import { readerRequestText, readReaderBody } from './audit/reader-protocol';
import type { ListedModel, ReaderShape } from './audit/reader-shape';
import { isLlama, KEPT_REFUSAL, objectOf, type Root, statusError, succeeds } from './audit/scored-body';
import { requireBaseUrl, urlOf } from './base-url';
import { gated, type Limits, retryWaitMs } from './call-policy';
import { type HttpReply, httpCall, pause, requireTimeout } from './http';
import {
  type AttemptFailure,
  type Call,
  type ExchangeRecord,
  type ImageQuestion,
  type Provider,
  type ProviderDescription,
  type RuntimeEvidence,
  UNFINISHED,
} from './provider';
import { authHeaders, usableKey } from './secret';

export interface FetchReaderSettings {
  /** Trailing slashes are dropped. */
  readonly baseUrl: string;
  readonly model: string;
  readonly seed: number;
  /** Limit for each HTTP call, in seconds. */
  readonly timeoutSeconds: number;
  /** Sent with each call and kept nowhere else; null sends none. */
  readonly apiKey: string | null;
  /** Whether the server answers nobody without a key. */
  readonly keyRequired: boolean;
  readonly limits: Limits;
}

type Identity = Pick<ExchangeRecord, 'request_sha256' | 'image_sha256' | 'attempt'>;

/** A server that is asked about a picture and answers in words, by one of the shapes. */
export class FetchReader implements Provider {
  readonly capabilities = ['image-text-to-text'] as const;
  readonly description: ProviderDescription;
  readonly #shape: ReaderShape;
  readonly #settings: FetchReaderSettings;
  readonly #key: string | null;

  /** Throws `provider_settings` for an address that is not http(s), a blank model, a limit that is none, a bad key, a seed other than 0 for a route without one. */
  constructor(shape: ReaderShape, settings: FetchReaderSettings) {
    const baseUrl = requireBaseUrl(settings.baseUrl);
    const { model, seed, timeoutSeconds } = settings;
    const fault = (message: string, expected: string, got: unknown) => {
      throw new PixelproofError('provider_settings', message, { expected, got: String(got) });
    };
    if (model.trim() === '') fault('Name the model to ask.', 'a model id', model);
    requireTimeout(timeoutSeconds);
    if (!Number.isSafeInteger(seed)) fault('The seed must be a whole number.', 'a whole number', seed);
    if (shape.seedless === true && seed !== 0)
      fault(`${shape.name} takes no seed: another one would change nothing but the run’s name.`, '0', seed);
    this.#shape = shape;
    this.#settings = { ...settings, baseUrl };
    this.#key = usableKey(settings.apiKey);
    this.description = {
      id: shape.id,
      kind: 'measured',
      label: `${shape.name}, ${model}`,
      model,
      seed,
      base_url: baseUrl,
    };
  }

  /**
   * Finds the model in the server's list. Throws `provider_key_missing`, `provider_model_missing`, `provider_text_only`
   * for a model that is listed without pictures, and what `statusError`, `objectOf` and `httpCall` throw.
   */
  async start(signal: AbortSignal): Promise<RuntimeEvidence> {
    const { model, keyRequired } = this.#settings;
    if (keyRequired && this.#key === null) {
      throw new PixelproofError('provider_key_missing', `${this.#shape.name} answers nobody without a key.`, {
        expected: 'a key of yours',
        got: 'none',
      });
    }
    const found = this.#find(this.#shape.models(await this.#list(signal)));
    if (found.images === false) {
      throw new PixelproofError('provider_text_only', `The server says that ${model} takes no pictures.`, {
        expected: 'a model that takes pictures',
        got: found.name,
      });
    }
    return {
      runtime_name: this.#shape.name,
      runtime_version: null,
      model_digest: found.digest,
      details: { listed_as: found.name },
    };
  }

  async readImage(question: ImageQuestion, call: Call): Promise<ExchangeRecord> {
    const { model, seed, limits } = this.#settings;
    const text = readerRequestText({ shape: this.#shape, model, seed }, question);
    const body = new TextEncoder().encode(text);
    const identity = {
      request_sha256: await sha256Large(body),
      image_sha256: await sha256Large(question.image),
    };
    const url = this.#url(this.#shape.path(model));
    for (let attempt = 1; ; attempt += 1) {
      const { record, waitMs } = await gated(url, limits, call.signal, () =>
        this.#attempt(url, body, call, { ...identity, attempt }),
      );
      if (waitMs === null) return record;
      await pause(waitMs, call.signal);
    }
  }

  async #attempt(
    url: string,
    body: Uint8Array<ArrayBuffer>,
    { signal, record, begin }: Call,
    identity: Identity,
  ): Promise<{ record: ExchangeRecord; waitMs: number | null }> {
    signal.throwIfAborted();
    await begin?.(failed(identity, UNFINISHED, null));
    let reply: HttpReply | null = null;
    let ended: ExchangeRecord;
    try {
      reply = await this.#call(url, signal, body);
      ended = this.#answered(identity, reply);
    } catch (error) {
      if (error instanceof PixelproofError)
        ended = failed(identity, { code: error.code, message: error.message }, reply);
      else {
        // The server has the request already: a call that was made is in the record, whoever ended it.
        const cancelled = { code: 'provider_cancelled', message: 'Cancelled before the answer was whole.' };
        if (signal.aborted) await record(failed(identity, cancelled, null));
        throw error;
      }
    }
    await record(ended);
    return {
      record: ended,
      waitMs: ended.cause === null ? null : retryWaitMs(reply, identity.attempt, Date.now()),
    };
  }

  /** Throws as `readReaderBody`. */
  #answered(identity: Identity, { status, text, milliseconds }: HttpReply): ExchangeRecord {
    const asked = { shape: this.#shape, model: this.#settings.model, withKey: this.#key !== null };
    const fields = readReaderBody(status, text, asked);
    return {
      ...identity,
      status,
      cause: null,
      ...fields,
      latency_us: roundHalfEven(milliseconds * 1000),
      response_metadata_text: readerMetadata(text),
    };
  }

  #find(models: readonly ListedModel[]): ListedModel {
    const { model } = this.#settings;
    const found =
      models.find(({ name }) => name === model) ??
      models.find(({ name }) => isModel(this.#shape.alias, model, name));
    if (found !== undefined) return found;
    throw new PixelproofError('provider_model_missing', 'The server does not list this model.', {
      expected: model,
      got: models.map(({ name }) => name).join(', ') || 'no model',
    });
  }

  async #list(signal: AbortSignal): Promise<Root> {
    const { status, text } = await this.#call(this.#url(this.#shape.modelsPath), signal, null);
    if (!succeeds(status)) {
      throw statusError(status, text, { withKey: this.#key !== null, llama: isLlama(this.#shape.id) });
    }
    return objectOf(text);
  }

  #url(path: string): string {
    return urlOf(this.#settings.baseUrl, path);
  }

  #call(url: string, signal: AbortSignal, body: Uint8Array<ArrayBuffer> | null): Promise<HttpReply> {
    return httpCall({
      url,
      method: body === null ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...this.#shape.headers,
        ...authHeaders(this.#shape.auth, this.#key),
      },
      ...(body === null ? {} : { body }),
      timeoutMs: this.#settings.timeoutSeconds * 1000,
      signal,
      secret: this.#key,
    });
  }
}

/** What is kept of an attempt without an answer: of a body that is none, its beginning. */
function failed(identity: Identity, cause: AttemptFailure, reply: HttpReply | null): ExchangeRecord {
  return {
    ...identity,
    status: reply?.status ?? null,
    cause,
    reply_text: reply?.text.slice(0, KEPT_REFUSAL).toWellFormed() ?? null,
    model_in_reply: null,
    latency_us: null,
    tokens: null,
    response_metadata_text: '{}',
    reply_error: null,
  };
}
