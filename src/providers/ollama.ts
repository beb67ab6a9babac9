import { PixelproofError } from '../errors';
import { isPyObject, type PyObject, type PyValue, pythonCanonical } from '../evidence/identity/python-json';
import { roundHalfEven } from '../evidence/identity/round-half-even';
import { sha256Large } from '../evidence/identity/sha256';
import {
  ollamaMetadata,
  ollamaObject,
  ollamaReplyError,
  ollamaRequestText,
  ollamaStatusMessage,
  ollamaTokens,
  readOllamaAnswer,
} from './audit/ollama-protocol';
import { requireBaseUrl } from './base-url';
import { DEFAULT_LIMITS, gated, type Limits, MAX_RETRIES } from './call-policy';
import { type HttpReply, httpCall, pause, requireTimeout, retryAfterMs } from './http';
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

export interface OllamaSettings {
  /** Trailing slashes are dropped. Default of the reference: `http://localhost:11434`. */
  readonly baseUrl: string;
  /** Must equal an installed model's name exactly: `qwen3.5` does not match `qwen3.5:latest`. */
  readonly model: string;
  readonly seed: number;
  /** Limit for each HTTP call, in seconds; the reference's default is 180. */
  readonly timeoutSeconds: number;
  /** For a server behind a gateway: sent as a bearer token and kept nowhere else. */
  readonly apiKey?: string | null;
  readonly limits?: Limits;
}

/**
 * Ollama's chat end point, asked exactly as ZeroModel Stage 2E asked it (png-representation spec, section 9):
 * one user message with the picture, `think: false`, `stream: false`, temperature 0.0, 128 tokens, no system message.
 */
export class OllamaProvider implements Provider {
  readonly capabilities = ['image-text-to-text'] as const;
  readonly description: ProviderDescription;
  readonly #settings: OllamaSettings;
  readonly #key: string | null;
  readonly #limits: Limits;
  #modelRecord: PyObject = {};

  /** Throws `provider_settings` for an address that is not http(s), a blank model or a limit that is not positive. */
  constructor(settings: OllamaSettings) {
    const baseUrl = requireBaseUrl(settings.baseUrl);
    checkSettings(settings);
    this.#key = usableKey(settings.apiKey ?? null);
    this.#limits = settings.limits ?? DEFAULT_LIMITS;
    this.#settings = { ...settings, baseUrl };
    this.description = {
      id: 'ollama',
      kind: 'measured',
      label: `Ollama, ${settings.model}`,
      model: settings.model,
      seed: settings.seed,
      base_url: baseUrl,
    };
  }

  /**
   * Finds the model among the installed ones and keeps its whole record as runtime evidence.
   * Throws `provider_model_missing`, `provider_http_status`, `provider_not_json`, `provider_not_object` or a code of `httpCall`.
   */
  async start(signal: AbortSignal): Promise<RuntimeEvidence> {
    const tags = await this.#get('/api/tags', signal);
    const models = Array.isArray(tags.models) ? (tags.models as readonly PyValue[]).filter(isPyObject) : [];
    const { model } = this.#settings;
    const found = models.find((entry) => entry.name === model || entry.model === model);
    if (found === undefined) {
      const names = models.map((entry) => String(entry.name ?? entry.model ?? '')).sort();
      const installed = names.length > 0 ? names.join(', ') : '<none>';
      throw new PixelproofError(
        'provider_model_missing',
        `Ollama model '${model}' not found. Installed: ${installed}`,
        {
          expected: model,
          got: installed,
        },
      );
    }
    this.#modelRecord = found;
    return {
      runtime_name: 'ollama',
      runtime_version: await this.#version(signal),
      model_digest: typeof found.digest === 'string' ? found.digest : null,
      details: { base_url: this.#settings.baseUrl, model_record: pythonCanonical(found) },
    };
  }

  async readImage(question: ImageQuestion, call: Call): Promise<ExchangeRecord> {
    const image_sha256 = await sha256Large(question.image);
    const body = new TextEncoder().encode(ollamaRequestText(this.#settings, question));
    const request_sha256 = await sha256Large(body);
    for (let attempt = 1; ; attempt += 1) {
      const identity = { request_sha256, image_sha256, attempt };
      const { record, waitMs } = await gated(this.#settings.baseUrl, this.#limits, call.signal, () =>
        this.#attempt(body, call, identity),
      );
      await call.record(record);
      if (waitMs === null || attempt > MAX_RETRIES) return record;
      await pause(waitMs, call.signal);
    }
  }

  async #attempt(
    body: Uint8Array<ArrayBuffer>,
    { signal, record, begin }: Call,
    identity: Pick<ExchangeRecord, 'request_sha256' | 'image_sha256' | 'attempt'>,
  ): Promise<{ record: ExchangeRecord; waitMs: number | null }> {
    const failed = (
      cause: AttemptFailure,
      status: number | null,
      reply_text: string | null,
    ): ExchangeRecord => ({
      ...identity,
      status,
      cause,
      reply_text,
      model_in_reply: null,
      latency_us: null,
      tokens: null,
      response_metadata_text: '{}',
      reply_error: null,
    });
    signal.throwIfAborted();
    await begin?.(failed(UNFINISHED, null, null));
    let reply: HttpReply;
    try {
      reply = await httpCall({
        url: `${this.#settings.baseUrl}/api/chat`,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...authHeaders('bearer', this.#key),
        },
        body,
        timeoutMs: this.#settings.timeoutSeconds * 1000,
        signal,
        secret: this.#key,
      });
    } catch (error) {
      if (!(error instanceof PixelproofError)) {
        // The server has the request already: a call that was made is in the record, whoever ended it.
        const cancelled = { code: 'provider_cancelled', message: 'Cancelled before the answer was whole.' };
        if (signal.aborted) await record(failed(cancelled, null, null));
        throw error;
      }
      return { record: failed({ code: error.code, message: error.message }, null, null), waitMs: null };
    }
    if (reply.status < 200 || reply.status > 299) {
      const cause = {
        code: 'provider_http_status',
        message: ollamaStatusMessage(reply.status, reply.text),
      };
      const askedToWait = reply.status === 429 || reply.status === 503;
      const waitMs = askedToWait ? retryAfterMs(reply.retryAfter, Date.now()) : null;
      return { record: failed(cause, reply.status, reply.text), waitMs };
    }
    try {
      return {
        record: { ...identity, ...this.#read(reply), status: reply.status, cause: null },
        waitMs: null,
      };
    } catch (error) {
      if (!(error instanceof PixelproofError)) throw error;
      return {
        record: failed({ code: error.code, message: error.message }, reply.status, reply.text),
        waitMs: null,
      };
    }
  }

  /** Throws as `readOllamaAnswer`. */
  #read({
    text,
    milliseconds,
  }: HttpReply): Omit<ExchangeRecord, 'request_sha256' | 'image_sha256' | 'attempt' | 'status' | 'cause'> {
    const { model } = this.#settings;
    const answer = readOllamaAnswer(text, model);
    const durationMs = answer.nanoseconds === null ? milliseconds : answer.nanoseconds / 1e6;
    return {
      reply_text: answer.content,
      model_in_reply: answer.model,
      latency_us: roundHalfEven(durationMs * 1000),
      tokens: ollamaTokens(answer.facts),
      response_metadata_text: ollamaMetadata(model, this.#modelRecord, milliseconds, answer.facts),
      reply_error: ollamaReplyError(answer.content, answer.facts),
    };
  }

  async #get(path: string, signal: AbortSignal): Promise<PyObject> {
    const reply = await httpCall({
      url: `${this.#settings.baseUrl}${path}`,
      method: 'GET',
      headers: { accept: 'application/json', ...authHeaders('bearer', this.#key) },
      timeoutMs: this.#settings.timeoutSeconds * 1000,
      signal,
      secret: this.#key,
    });
    if (reply.status < 200 || reply.status > 299) {
      throw new PixelproofError('provider_http_status', ollamaStatusMessage(reply.status, reply.text), {
        expected: 'HTTP 200',
        got: `HTTP ${reply.status}`,
      });
    }
    return ollamaObject(reply.text);
  }

  /** The runtime's version is evidence, not a condition: an old server without the end point still answers. */
  async #version(signal: AbortSignal): Promise<string | null> {
    try {
      const { version } = await this.#get('/api/version', signal);
      return typeof version === 'string' ? version : null;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof PixelproofError) return null;
      throw error;
    }
  }
}

function checkSettings(settings: OllamaSettings): void {
  const fault = (message: string, expected: string, got: unknown) => {
    throw new PixelproofError('provider_settings', message, { expected, got: String(got) });
  };
  if (settings.model.trim() === '')
    fault('Name the model to ask.', 'a model name such as qwen3.5:latest', settings.model);
  requireTimeout(settings.timeoutSeconds);
  if (!Number.isSafeInteger(settings.seed))
    fault('The seed must be a whole number.', 'a whole number', settings.seed);
}
