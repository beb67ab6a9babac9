import type { Product } from './dialects';

/** Everything that the doctor can say. docs/providers.md lists what each means and where it can be told. */
export const CODES = [
  'doctor_ok',
  'vision_unclear',
  'reached',
  'bad_address',
  'bad_key',
  'key_missing',
  'model_not_named',
  'mixed_content',
  'server_down',
  'host_unknown',
  'not_http',
  'certificate_refused',
  'local_network_denied',
  'local_network_not_asked',
  'cors_refused',
  'wrong_port',
  'html_instead_of_json',
  'reply_broken',
  'redirect',
  'body_too_large',
  'stalled',
  'unauthorised',
  'payment_required',
  'rate_limited',
  'model_loading',
  'server_error',
  'request_refused',
  'model_missing',
  'text_only_model',
  'wrong_model',
  'no_logprobs',
] as const;
export type Code = (typeof CODES)[number];

/** What a diagnosis rests on, and what the next steps are written from. */
export interface Facts {
  readonly status?: number;
  /** The server's own words, short. */
  readonly said?: string;
  /** Models that the server lists. */
  readonly installed?: readonly string[];
  /** The model that a reply named. */
  readonly named?: string;
  /** `Retry-After` as it came; null where none came or a page may not read it. */
  readonly retryAfter?: string | null;
  /** Who answers, where that can be told. */
  readonly answers?: Product;
  /** The address that was probably meant. */
  readonly meant?: string | null;
  /** Why the browser did not ask for local network access. */
  readonly unasked?: 'framed' | 'insecure' | 'unanswered';
}

/** The end of an examination. */
export interface Diagnosis {
  readonly code: Code;
  /** What is the matter, in one sentence. */
  readonly sentence: string;
  /** What that means, and what it may be instead where that cannot be told. */
  readonly meaning: string;
  readonly facts: Facts;
}

/** One thing to do, and the exact line to type or paste where there is one. */
export interface NextStep {
  readonly text: string;
  readonly copy?: string;
}

/** Whether the server can be asked as it is. */
export function canBeAsked({ code }: Pick<Diagnosis, 'code'>): boolean {
  return code === 'doctor_ok' || code === 'vision_unclear' || code === 'reached';
}

export type CheckId =
  | 'address'
  | 'page'
  | 'reach'
  | 'service'
  | 'model'
  | 'sees'
  | 'answer'
  | 'logprobs'
  | 'origin';

export interface Check {
  readonly id: CheckId;
  readonly title: string;
  readonly state: 'ok' | 'failed' | 'unknown';
  /** What was found, in one sentence. */
  readonly says: string;
}

/** One request that was sent, without its headers. */
export interface SentRequest {
  readonly method: 'GET' | 'POST' | 'OPTIONS';
  readonly url: string;
  /** Why it was sent. */
  readonly why: string;
  /** Null where no answer could be read. */
  readonly status: number | null;
  readonly milliseconds: number;
}

/** Ends an examination from wherever its reason is found. */
export class Found extends Error {
  readonly diagnosis: Diagnosis;
  readonly check: CheckId;

  constructor(check: CheckId, code: Code, sentence: string, meaning: string, facts: Facts = {}) {
    super(sentence);
    this.check = check;
    this.diagnosis = { code, sentence, meaning, facts };
  }
}
