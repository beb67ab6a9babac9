import type { Sha256Id } from '../../evidence/identity/json';
import type { ExchangeRecord, RuntimeEvidence } from '../provider';

/** The whole record of a scripted answer: nothing of it is left to chance, so a verifier knows it beforehand. */
export function scriptedRecord(image_sha256: Sha256Id, reply_text: string): ExchangeRecord {
  return {
    request_sha256: null,
    image_sha256,
    attempt: 1,
    status: null,
    cause: null,
    reply_text,
    model_in_reply: null,
    latency_us: 0,
    tokens: null,
    response_metadata_text: '{"backend":"fake"}',
    reply_error: null,
  };
}

export function scriptedRuntime(replies: number): RuntimeEvidence {
  return {
    runtime_name: 'in-process-fake',
    runtime_version: null,
    model_digest: null,
    details: { scripted_replies: replies },
  };
}
