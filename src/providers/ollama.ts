import { PixelproofError } from '../errors';
import {
  isPyObject,
  PyFloat,
  type PyObject,
  type PyValue,
  pyFloat,
  pythonCanonical,
} from '../evidence/identity/python-json';
import { parsePythonJson } from '../evidence/identity/python-json-parse';
import { pythonRepr } from '../evidence/identity/python-repr';
import { roundHalfEven } from '../evidence/identity/round-half-even';
import { sha256Large } from '../evidence/identity/sha256';
import { toBase64 } from './base64';
import { type HttpReply, httpCall, pause, retryAfterMs } from './http';
import type {
  AttemptFailure,
  Call,
  ExchangeRecord,
  ImageQuestion,
  Provider,
  ProviderDescription,
  RuntimeEvidence,
} from './provider';

export interface OllamaSettings {
  /** Trailing slashes are dropped. Default of the reference: `http://localhost:11434`. */
  readonly baseUrl: string;
  /** Must equal an installed model's name exactly: `qwen3.5` does not match `qwen3.5:latest`. */
  readonly model: string;
  readonly seed: number;
  /** Limit for each HTTP call, in seconds; the reference's default is 180. */
  readonly timeoutSeconds: number;
}

/** A 429 or 503 that says when to come back is asked again at most this often (spec, decision 5). */
const MAX_RETRIES = 2;

/**
 * Ollama's chat end point, asked exactly as ZeroModel Stage 2E asked it (png-representation spec, section 9):
 * one user message with the picture, `think: false`, `stream: false`, temperature 0.0, 128 tokens, no system message.
 */
export class OllamaProvider implements Provider {
  readonly capabilities = ['image-text-to-text'] as const;
  readonly description: ProviderDescription;
  readonly #settings: OllamaSettings;
  #modelRecord: PyObject = {};

  /** Throws `provider_settings` for an address that is not http(s), a blank model or a limit that is not positive. */
  constructor(settings: OllamaSettings) {
    const baseUrl = settings.baseUrl.trim().replace(/\/+$/, '');
    checkSettings(baseUrl, settings);
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
   * Throws `provider_model_missing`, `provider_http_status`, `provider_not_object` or a code of `httpCall`.
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
    const body = new TextEncoder().encode(this.#body(question));
    const request_sha256 = await sha256Large(body);
    for (let attempt = 1; ; attempt += 1) {
      const { record, waitMs } = await this.#attempt(body, call, {
        request_sha256,
        image_sha256,
        attempt,
      });
      await call.record(record);
      if (waitMs === null || attempt > MAX_RETRIES) return record;
      await pause(waitMs, call.signal);
    }
  }

  /** The request body's text. Written by hand for `temperature`: the reference sends the float 0.0. */
  #body(question: ImageQuestion): string {
    const { model, seed } = this.#settings;
    return pythonCanonical({
      model,
      messages: [{ role: 'user', content: question.prompt, images: [toBase64(question.image)] }],
      think: false,
      stream: false,
      options: { temperature: pyFloat(0), seed, num_predict: 128 },
    });
  }

  async #attempt(
    body: Uint8Array<ArrayBuffer>,
    { signal, record }: Call,
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
    let reply: HttpReply;
    try {
      reply = await httpCall({
        url: `${this.#settings.baseUrl}/api/chat`,
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body,
        timeoutMs: this.#settings.timeoutSeconds * 1000,
        signal,
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
        message: `Ollama HTTP ${reply.status}: ${reply.text.slice(0, 2000)}`,
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

  /** Section 9.3 and 9.5, with decision 1: what is not a reply of the model asked for is a failure of plumbing. */
  #read(
    reply: HttpReply,
  ): Omit<ExchangeRecord, 'request_sha256' | 'image_sha256' | 'attempt' | 'status' | 'cause'> {
    const root = parseObject(reply.text);
    const message = root.message;
    if (!isPyObject(message)) {
      throw new PixelproofError('provider_reply_shape', "Ollama response has no 'message' object");
    }
    const content = message.content;
    if (typeof content !== 'string') {
      throw new PixelproofError('provider_reply_shape', "Ollama response has no string 'content' in message");
    }
    const model = root.model;
    if (typeof model === 'string' && model !== this.#settings.model) {
      throw new PixelproofError(
        'provider_wrong_model',
        `The reply is from the model '${model}', not from '${this.#settings.model}'.`,
        {
          expected: this.#settings.model,
          got: model,
        },
      );
    }
    const thinking = message.thinking;
    const thinkingChars = typeof thinking === 'string' ? [...thinking].length : 0;
    const durationMs =
      numberOf(root.total_duration) === null
        ? reply.milliseconds
        : Number(numberOf(root.total_duration)) / 1e6;
    return {
      reply_text: content,
      model_in_reply: typeof model === 'string' ? model : null,
      latency_us: roundHalfEven(durationMs * 1000),
      tokens: { prompt: numberOf(root.prompt_eval_count), completion: numberOf(root.eval_count) },
      response_metadata_text: pythonCanonical({
        backend: 'ollama',
        model: this.#settings.model,
        model_record: this.#modelRecord,
        wall_ms: pyFloat(reply.milliseconds),
        prompt_eval_count: root.prompt_eval_count ?? null,
        eval_count: root.eval_count ?? null,
        done_reason: root.done_reason ?? null,
        thinking_length: thinkingChars,
        response_keys: Object.keys(root).sort(),
        message_keys: Object.keys(message).sort(),
      }),
      reply_error: isBlank(content)
        ? `RuntimeError: Ollama returned empty message.content (thinking_chars=${thinkingChars}, ` +
          `eval_count=${pythonPrint(root.eval_count)}, done_reason=${pythonPrint(root.done_reason)})`
        : null,
    };
  }

  async #get(path: string, signal: AbortSignal): Promise<PyObject> {
    const reply = await httpCall({
      url: `${this.#settings.baseUrl}${path}`,
      method: 'GET',
      headers: { accept: 'application/json' },
      timeoutMs: this.#settings.timeoutSeconds * 1000,
      signal,
    });
    if (reply.status < 200 || reply.status > 299) {
      throw new PixelproofError(
        'provider_http_status',
        `Ollama HTTP ${reply.status}: ${reply.text.slice(0, 2000)}`,
        {
          expected: 'HTTP 200',
          got: `HTTP ${reply.status}`,
        },
      );
    }
    return parseObject(reply.text);
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

function checkSettings(baseUrl: string, settings: OllamaSettings): void {
  const fault = (message: string, expected: string, got: unknown) => {
    throw new PixelproofError('provider_settings', message, { expected, got: String(got) });
  };
  if (!/^https?:\/\/[^/]+/.test(baseUrl)) {
    fault('The base URL must be an http or https address.', 'http://localhost:11434', settings.baseUrl);
  }
  if (settings.model.trim() === '')
    fault('Name the model to ask.', 'a model name such as qwen3.5:latest', settings.model);
  if (!(settings.timeoutSeconds > 0))
    fault('The timeout must be positive.', 'seconds above 0', settings.timeoutSeconds);
  if (!Number.isSafeInteger(settings.seed))
    fault('The seed must be a whole number.', 'a whole number', settings.seed);
}

function parseObject(text: string): PyObject {
  let value: PyValue;
  try {
    value = parsePythonJson(text);
  } catch (cause) {
    throw new PixelproofError('provider_not_object', 'Ollama returned non-object JSON', {
      expected: 'one JSON object',
      got: text.slice(0, 120),
      cause,
    });
  }
  if (!isPyObject(value)) {
    throw new PixelproofError('provider_not_object', 'Ollama returned non-object JSON', {
      expected: 'one JSON object',
      got: text.slice(0, 120),
    });
  }
  return value;
}

function numberOf(value: PyValue | undefined): number | null {
  if (value instanceof PyFloat) return value.value;
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' ? value : null;
}

/** Python's `str.strip()` leaves nothing: its white space has U+001C to U+001F and U+0085 more, and U+FEFF less. */
function isBlank(text: string): boolean {
  return [...text].every(
    (c) => (c.trim() === '' && c !== '\ufeff') || (c >= '\x1c' && c <= '\x1f') || c === '\x85',
  );
}

/** How Python prints a value of the reply inside an f-string with `!r`. */
function pythonPrint(value: PyValue | undefined): string {
  if (value === undefined || value === null) return 'None';
  if (typeof value === 'string') return pythonRepr(value);
  if (value === true) return 'True';
  return value === false ? 'False' : pythonCanonical(value);
}
