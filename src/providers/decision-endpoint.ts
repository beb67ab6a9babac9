import { PixelproofError } from '../errors';
import { isPyObject, type PyObject } from '../evidence/identity/python-json';
import { parsePythonJson } from '../evidence/identity/python-json-parse';
import { httpCall, pause } from './http';
import type {
  AttemptFailure,
  DecisionAttempt,
  DecisionCall,
  DecisionQuestion,
  Provider,
  ProviderDescription,
  RuntimeEvidence,
} from './provider';

const TIMEOUT_MS = 60_000;
/** The published client's waits: a quarter of a second, doubled, at most one. Retry-After is not followed. */
const WAIT_MS = 250;
const LONGEST_WAIT_MS = 1000;
const RETRIED = [429, 500, 502, 503, 504, 529];
const UTF8 = new TextEncoder();

export interface EndpointOptions {
  readonly description: ProviderDescription;
  readonly url: string;
  /** Sent as a bearer token, held in memory only; null sends none. */
  readonly key: string | null;
  /** Attempts after the first, on the statuses that say "later". */
  readonly retries: number;
  readonly timeoutMs?: number;
}

/**
 * A decision end point behind HTTP: one POST of the question's body, no cookies, no redirects, at most 8 MiB of reply in
 * at most 60 s. A transport error is never retried. A reply that is not one JSON object (half a reply, NaN, a list) and
 * one that is too large are failed attempts and end the question, like a status that is not retried. Nothing of a failed
 * reply is kept but its status.
 */
export class DecisionEndpoint implements Provider {
  readonly capabilities = ['state-to-choices'] as const;
  readonly description: ProviderDescription;
  readonly #options: EndpointOptions;

  constructor(options: EndpointOptions) {
    this.description = options.description;
    this.#options = options;
  }

  /** Asks nothing: the end point has no address that could be asked without a call of the budget. */
  async start(): Promise<RuntimeEvidence> {
    return { runtime_name: this.description.label, runtime_version: null, model_digest: null, details: {} };
  }

  async decide({ body }: DecisionQuestion, call: DecisionCall): Promise<DecisionAttempt> {
    const bytes = UTF8.encode(body);
    for (let attempt = 0; ; attempt += 1) {
      call.reserve();
      const ended = await this.#attempt(bytes, call.signal);
      await call.record(ended);
      call.signal.throwIfAborted();
      const again = typeof ended.status === 'number' && RETRIED.includes(ended.status);
      if (ended.cause === null || !again || attempt === this.#options.retries) return ended;
      await pause(Math.min(WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS), call.signal);
    }
  }

  async #attempt(body: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<DecisionAttempt> {
    const { url, key, timeoutMs } = this.#options;
    const started = performance.now();
    let status = 0;
    const failed = (cause: AttemptFailure, broken: boolean): DecisionAttempt => ({
      status: broken || status === 0 ? 'transport_error' : status,
      seconds: (performance.now() - started) / 1000,
      response: null,
      cause,
    });
    let text: string;
    try {
      const reply = await httpCall({
        url,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        },
        body,
        timeoutMs: timeoutMs ?? TIMEOUT_MS,
        signal,
        secret: key,
        onStatus: (seen) => {
          status = seen;
        },
      });
      text = reply.text;
    } catch (error) {
      if (signal.aborted) {
        return failed(
          { code: 'provider_cancelled', message: 'Cancelled before the answer was whole.' },
          true,
        );
      }
      if (!(error instanceof PixelproofError)) throw error;
      // With a status that says it failed, that is what failed, whatever became of the body.
      if (status >= 400) return failed(this.#refused(status), false);
      const broken = error.code === 'provider_timeout' || error.code === 'provider_unreachable';
      return failed({ code: error.code, message: error.message }, broken);
    }
    if (status < 200 || status > 299) return failed(this.#refused(status), false);
    const response = objectIn(text);
    if (response === null) {
      const message = 'The reply is no JSON object.';
      return failed({ code: 'provider_body_not_json', message }, false);
    }
    return {
      status,
      seconds: (performance.now() - started) / 1000,
      response,
      cause: null,
    };
  }

  #refused(status: number): AttemptFailure {
    return {
      code: 'provider_http_status',
      message: `${this.description.label} answered with HTTP ${status}.`,
    };
  }
}

function objectIn(text: string): PyObject | null {
  try {
    const value = parsePythonJson(text);
    return isPyObject(value) ? value : null;
  } catch {
    return null;
  }
}
