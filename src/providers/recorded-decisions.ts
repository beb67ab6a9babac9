import { PixelproofError } from '../errors';
import {
  isPyObject,
  PyFloat,
  type PyObject,
  type PyValue,
  pythonLineUnsorted,
} from '../evidence/identity/python-json';
import { parsePythonJson } from '../evidence/identity/python-json-parse';
import { sha256Hex } from '../evidence/identity/sha256';
import type {
  DecisionAttempt,
  DecisionCall,
  DecisionQuestion,
  Provider,
  ProviderDescription,
  RuntimeEvidence,
} from './provider';

/**
 * Hands out recorded attempts again: for each request those that were recorded for exactly its text, in the order of the
 * recording. A request without one is answered with `answer_not_recorded`, never with another one's answer.
 */
export class RecordedDecisions implements Provider {
  readonly capabilities = ['state-to-choices'] as const;
  readonly description: ProviderDescription;
  readonly #attempts = new Map<string, DecisionAttempt[]>();
  #size = 0;

  /** `lines`: those of `model-exchanges.jsonl` files. Throws `recording_invalid`. */
  constructor(lines: Iterable<string>, asked: Pick<ProviderDescription, 'id' | 'model'>) {
    for (const line of lines) {
      const exchange = exchangeIn(line);
      const digest = sha256Hex(pythonLineUnsorted(exchange.request));
      const list = this.#attempts.get(digest) ?? [];
      list.push(exchange.attempt);
      this.#attempts.set(digest, list);
      this.#size += 1;
    }
    this.description = {
      id: asked.id,
      kind: 'replayed',
      label: 'Recorded exchanges, replayed',
      model: asked.model,
      seed: 0,
      base_url: null,
    };
  }

  async start(): Promise<RuntimeEvidence> {
    return {
      runtime_name: 'recorded exchanges',
      runtime_version: null,
      model_digest: null,
      details: { exchanges: this.#size },
    };
  }

  async decide({ body }: DecisionQuestion, call: DecisionCall): Promise<DecisionAttempt> {
    const list = this.#attempts.get(sha256Hex(body)) ?? [];
    for (;;) {
      call.signal.throwIfAborted();
      const attempt = list.shift();
      if (attempt === undefined) {
        throw new PixelproofError('answer_not_recorded', 'No answer is recorded for this request.', {
          expected: 'an exchange with the same request',
          got: `a request with SHA-256 ${sha256Hex(body)}`,
        });
      }
      call.reserve();
      await call.record(attempt);
      // What was recorded after a failure is its retry; a recording that ends in a failure ends here too.
      if (attempt.cause === null || list.length === 0) return attempt;
    }
  }
}

function exchangeIn(line: string): { readonly request: PyValue; readonly attempt: DecisionAttempt } {
  let exchange: PyValue;
  try {
    exchange = parsePythonJson(line);
  } catch (cause) {
    throw invalid('JSON', cause instanceof Error ? cause.message : String(cause));
  }
  const { request, response, transport }: PyObject = isPyObject(exchange) ? exchange : {};
  if (!isPyObject(request) || !isPyObject(transport)) throw invalid('request and transport', line);
  const { status, elapsed_seconds } = transport;
  if (typeof status !== 'number' && status !== 'transport_error') throw invalid('a status', status);
  const answered = isPyObject(response);
  const cause = answered
    ? null
    : { code: 'provider_http_status', message: `The recorded attempt failed with ${status}.` };
  return {
    request,
    attempt: {
      status,
      seconds: elapsed_seconds instanceof PyFloat ? elapsed_seconds.value : 0,
      response: answered ? response : null,
      cause,
    },
  };
}

function invalid(expected: string, got: unknown): PixelproofError {
  return new PixelproofError('recording_invalid', 'A line is no recorded exchange.', { expected, got });
}
