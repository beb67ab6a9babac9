import {
  isPyObject,
  type PyObject,
  type PyValue,
  pythonLineUnsorted,
} from '../../evidence/identity/python-json';
import { parsePythonJson } from '../../evidence/identity/python-json-parse';
import { sha256 } from '../../evidence/identity/sha256';
import type { AttemptFailure, ExchangeRecord } from '../../providers/provider';
import { numeric } from './json';

/**
 * A line of `model-exchanges.jsonl` as the evidence has it, in a journal and in a bundle alike. `attempt` counts from 1
 * within the decision.
 */
export function exchangeOfLine(line: string, attempt: number): ExchangeRecord {
  const exchange = parsePythonJson(line.trimEnd());
  return exchangeRecord(isPyObject(exchange) ? exchange : {}, attempt);
}

export function exchangeRecord({ request, response, transport }: PyObject, attempt: number): ExchangeRecord {
  const entry: PyObject = isPyObject(transport) ? transport : {};
  const { status, elapsed_seconds, response_model, usage } = entry;
  return {
    request_sha256: sha256(pythonLineUnsorted(request ?? null)),
    image_sha256: null,
    attempt,
    status: typeof status === 'number' ? status : null,
    cause: isPyObject(response) ? null : causeOf(entry),
    reply_text: isPyObject(response) ? pythonLineUnsorted(response) : null,
    model_in_reply: typeof response_model === 'string' ? response_model : null,
    latency_us: elapsed_seconds === undefined ? null : Math.round(numeric(elapsed_seconds as never) * 1e6),
    tokens: { prompt: tokens(usage, 'input_tokens'), completion: tokens(usage, 'output_tokens') },
    response_metadata_text: pythonLineUnsorted(entry),
    reply_error: null,
  };
}

function causeOf(entry: PyObject): AttemptFailure {
  if (entry.choice_validation_failure !== undefined)
    return {
      code: 'provider_decision_invalid',
      message: 'The response is no decision that may be acted on.',
    };
  if (entry.status === 'transport_error')
    return { code: 'provider_unreachable', message: 'The exchange broke off before a response was there.' };
  return { code: 'provider_http_status', message: `The attempt ended with HTTP ${String(entry.status)}.` };
}

function tokens(usage: PyValue | undefined, name: string): number | null {
  const value = isPyObject(usage) ? usage[name] : null;
  return typeof value === 'number' ? value : null;
}
