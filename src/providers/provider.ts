import type { Json, JsonObject, Sha256Id } from '../evidence/identity/json';
import type { PyObject } from '../evidence/identity/python-json';

/**
 * What a provider can be asked. A provider declares its capabilities; an experiment asks for one; nothing falls
 * back from one to another.
 */
export type Capability =
  | 'image-text-to-text'
  | 'image-text-to-choices'
  | 'state-to-choices'
  | 'text-to-image';

/** The three kinds of result. Every result on screen and in an export carries exactly one. */
export type ResultKind = 'measured' | 'replayed' | 'wiring';

/** How a question wants its answer. Everything here enters the plan's identity. */
export interface AnswerOptions {
  /** The JSON Schema that a server with structured output holds the reply to; null for free text. */
  readonly schema: JsonObject | null;
  /** Null leaves it to the server, for models that take no temperature. */
  readonly temperature: 0 | null;
  /** Tokens of the reply, at most. */
  readonly tokens: number;
}

/** The published options: free text, temperature 0, 128 tokens. */
export const PUBLISHED_ANSWER: AnswerOptions = { schema: null, temperature: 0, tokens: 128 };

/** One question about one picture. This is all a provider sees: no case name, no variant, no truth. */
export interface ImageQuestion {
  /** The exact file bytes that the evidence's image digest covers. */
  readonly image: Uint8Array<ArrayBuffer>;
  readonly mediaType: 'image/png';
  readonly prompt: string;
  /** Which of the published prompts this is; ZeroModel calls it the render-mode argument. */
  readonly promptMode: string;
  /** `PUBLISHED_ANSWER` where it is not there. */
  readonly answer?: AnswerOptions;
}

/** One question about a text and at most one picture, answered by the probabilities of its control strings. */
export interface ChoiceQuestion {
  /** The exact file bytes; null for a question without a picture, or where nobody will look at it. */
  readonly image: Uint8Array<ArrayBuffer> | null;
  readonly mediaType: string;
  /** The whole prompt in a native turn, with the documented media marker where a picture goes. */
  readonly prefix: string;
  /** The same question as a user's text, for a server that wraps it in its own template. */
  readonly userText: string;
  /** `0`, `1`, … in the order of the options. */
  readonly controls: readonly string[];
}

/** What can be asked. */
export type Question = ImageQuestion | ChoiceQuestion;

/** What was read for one control string. Exactly one of the three figures is set. */
export interface ControlScore {
  readonly control: string;
  readonly token_id: number | null;
  /** Natural logarithm, before sampling. */
  readonly logprob: number | null;
  /** The control was not listed, so its logprob is at most this one, the smallest that was. */
  readonly at_most: number | null;
  /** For what states probabilities itself: a published receipt, a frequency of answers, the blind harness. */
  readonly probability: number | null;
}

/** What `reply_text` holds after a `ChoiceQuestion`, as RFC 8785 text: what counts of a reply that may be 20 MB. */
export interface ScoredReply {
  /** How much the score may be relied on, A to D; null for wiring. docs/vision-controls.md says what each means. */
  readonly level: 'A' | 'B' | 'C' | 'D' | null;
  readonly controls: readonly ControlScore[];
  /** Prompt tokens as the server counted them. */
  readonly tokens_evaluated: number | null;
  /** Candidates that the reply listed, and whether that was the whole vocabulary and sums to 1 within 0.01. */
  readonly listed: number | null;
  readonly complete: boolean;
  /** 1 - the controls' probabilities over the whole vocabulary; null unless `complete`. */
  readonly off_option_mass: number | null;
}

/** Why an attempt gave no answer. Infrastructure, never a wrong answer. */
export interface AttemptFailure {
  /** Stable code, for example `provider_unreachable`, `provider_http_status`. */
  readonly code: string;
  /** One sentence, with the server's own words quoted where it gave any. */
  readonly message: string;
}

/**
 * One call to a provider, whole. For a provider behind HTTP there is one record for each HTTP call made, retries
 * included; the count of records is the count of calls.
 */
export interface ExchangeRecord {
  /** SHA-256 of the exact request body bytes. Null only where nothing was sent (scripted, replay). */
  readonly request_sha256: Sha256Id | null;
  readonly image_sha256: Sha256Id | null;
  /** 1 for the first call of a question, 2 for its first retry, … */
  readonly attempt: number;
  /** HTTP status, null where no response came or the provider has no HTTP. */
  readonly status: number | null;
  readonly cause: AttemptFailure | null;
  /** The reply as it came. Null when the attempt failed before any text came. */
  readonly reply_text: string | null;
  readonly model_in_reply: string | null;
  /** Microseconds, rounded half to even. Null when not measured. Outside every identity of ours. */
  readonly latency_us: number | null;
  readonly tokens: { readonly prompt: number | null; readonly completion: number | null } | null;
  /**
   * The provider's own reply fields that its protocol keeps (ZeroModel's `provider_response_metadata`), as JSON text
   * in the Python dialect: text, because a number's int or float kind enters identities and a JavaScript object
   * cannot hold it. `{}` when there are none.
   */
  readonly response_metadata_text: string;
  /**
   * Set when the reply arrived but the reply's own content rules refuse it (blank content, …): a rejection of what
   * the model said, in the reference's exact words (`<Class>: <message>`), not an infrastructure failure.
   */
  readonly reply_error: string | null;
}

/** Who is asked, in the words that enter identities. The same provider with the same settings gives the same. */
export interface ProviderDescription {
  readonly id: string;
  readonly kind: ResultKind;
  readonly label: string;
  readonly model: string;
  readonly seed: number;
  readonly base_url: string | null;
}

/** Facts about the running provider that no identity holds (weights digest, runtime version). Shown and exported. */
export interface RuntimeEvidence {
  readonly runtime_name: string;
  readonly runtime_version: string | null;
  readonly model_digest: string | null;
  readonly details: Json;
}

/**
 * The cause of an attempt that was begun and whose end nobody wrote down: the program was killed during the call, or
 * the record was read while it went on.
 */
export const UNFINISHED: AttemptFailure = {
  code: 'provider_call_unfinished',
  message: 'The call was begun and its end was not recorded; whether it was answered is not known.',
};

export interface Call {
  readonly signal: AbortSignal;
  /**
   * Called before a request leaves for a server, with what is known of the attempt then; `record` of the same attempt
   * takes its place. Nothing may be sent before the promise resolves: a call that nobody could write down is not made.
   */
  readonly begin?: (attempt: ExchangeRecord) => Promise<void>;
  /** Called once for each attempt as soon as it ends, also for one that will be retried. */
  readonly record: (attempt: ExchangeRecord) => void | Promise<void>;
}

/** One question about a state. The body is the whole of what the provider sees. */
export interface DecisionQuestion {
  /** The request body, JSON, exactly as it is to be sent. */
  readonly body: string;
}

/** One call about a state, whole. */
export interface DecisionAttempt {
  /** HTTP status; `transport_error` where the exchange broke off before a whole response was there. */
  readonly status: number | 'transport_error';
  readonly seconds: number;
  /** The response, a JSON object with its number kinds, keys redacted; null for an attempt that failed. */
  readonly response: PyObject | null;
  readonly cause: AttemptFailure | null;
}

export interface DecisionCall {
  readonly signal: AbortSignal;
  /** Takes one call from the run's budget, before anything is sent. What it throws ends the question. */
  readonly reserve: () => void;
  /** Called once for each attempt as it ends, also for one that will be retried. */
  readonly record: (attempt: DecisionAttempt) => void | Promise<void>;
}

export interface Provider {
  readonly description: ProviderDescription;
  readonly capabilities: readonly Capability[];
  /**
   * Confirms that the provider can be asked and says what is running. Called once, before the first question.
   * Throws a PixelproofError with a `provider_*` code when it cannot.
   */
  start(signal: AbortSignal): Promise<RuntimeEvidence>;
  /** Gives back what `start` took (a model in memory). Called after the last question; never throws. */
  close?(): Promise<void>;
  /**
   * Asks one question. Resolves with the last attempt: `cause` null when a reply came, else the failure.
   * Rejects only when `signal` is aborted.
   */
  readImage?(question: ImageQuestion, call: Call): Promise<ExchangeRecord>;
  /**
   * Asks for one choice about a state. Resolves with the last attempt: `cause` null when a response came, else the
   * failure. Rejects when `signal` is aborted and with what `call.reserve` throws.
   */
  decide?(question: DecisionQuestion, call: DecisionCall): Promise<DecisionAttempt>;
  /** Scores the controls of a question; `reply_text` is a `ScoredReply`. Resolves and rejects as `readImage`. */
  scoreChoices?(question: ChoiceQuestion, call: Call): Promise<ExchangeRecord>;
}
