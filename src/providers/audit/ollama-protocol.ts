import { PixelproofError } from '../../errors';
import {
  byCodePoint,
  isPyObject,
  PyFloat,
  type PyObject,
  type PyValue,
  pyFloat,
  pythonCanonical,
} from '../../evidence/identity/python-json';
import { parsePythonJson } from '../../evidence/identity/python-json-parse';
import { pythonRepr } from '../../evidence/identity/python-repr';
import { isSpace } from '../../evidence/identity/unicode14';
import { toBase64 } from '../base64';
import { type ImageQuestion, PUBLISHED_ANSWER } from '../provider';

// What is sent to Ollama and how its answer is read, as pure functions: the provider and the verifier use the same.

/**
 * The body of `POST /api/chat` (png-representation spec, section 9): one user message with the picture, no system
 * message, `think` and `stream` off, temperature 0.0, 128 tokens. Python's dialect, because the reference sends the
 * float 0.0. Other answer options are other plans.
 */
export function ollamaRequestText(
  { model, seed }: { readonly model: string; readonly seed: number },
  { image, prompt, answer }: Pick<ImageQuestion, 'image' | 'prompt' | 'answer'>,
): string {
  const { schema, temperature, tokens } = answer ?? PUBLISHED_ANSWER;
  return pythonCanonical({
    model,
    messages: [{ role: 'user', content: prompt, images: [toBase64(image)] }],
    think: false,
    stream: false,
    ...(schema === null ? {} : { format: schema as PyObject }),
    options: {
      ...(temperature === null ? {} : { temperature: pyFloat(temperature) }),
      seed,
      num_predict: tokens,
    },
  });
}

/** An answer's body, read. */
export interface OllamaAnswer {
  readonly content: string;
  readonly model: string | null;
  /** `total_duration`, nanoseconds. */
  readonly nanoseconds: number | null;
  readonly facts: OllamaFacts;
}

/** The fields of an answer that the reference keeps as response metadata (section 9.5). */
export interface OllamaFacts {
  readonly prompt_eval_count: PyValue;
  readonly eval_count: PyValue;
  readonly done_reason: PyValue;
  /** Characters, not bytes. */
  readonly thinking_length: number;
  readonly response_keys: readonly string[];
  readonly message_keys: readonly string[];
}

/**
 * Sections 9.3 and 9.5 with decision 1: what is not a reply of the model asked for is a failure of plumbing. Throws
 * `provider_not_json`, `provider_not_object`, `provider_reply_shape`, `provider_wrong_model`.
 */
export function readOllamaAnswer(text: string, asked: string): OllamaAnswer {
  const root = ollamaObject(text);
  const message = root.message;
  if (!isPyObject(message)) {
    throw new PixelproofError('provider_reply_shape', "Ollama response has no 'message' object");
  }
  const content = message.content;
  if (typeof content !== 'string') {
    throw new PixelproofError('provider_reply_shape', "Ollama response has no string 'content' in message");
  }
  const model = root.model;
  if (model !== undefined && typeof model !== 'string') {
    throw new PixelproofError('provider_reply_shape', "Ollama response names its 'model' by no string");
  }
  if (model !== undefined && model !== asked) {
    throw new PixelproofError(
      'provider_wrong_model',
      `The reply is from the model '${model}', not from '${asked}'.`,
      { expected: asked, got: model },
    );
  }
  const { thinking } = message;
  return {
    content,
    model: model ?? null,
    nanoseconds: durationOf(root.total_duration),
    facts: {
      prompt_eval_count: root.prompt_eval_count ?? null,
      eval_count: root.eval_count ?? null,
      done_reason: root.done_reason ?? null,
      thinking_length: typeof thinking === 'string' ? [...thinking].length : 0,
      response_keys: Object.keys(root).sort(byCodePoint),
      message_keys: Object.keys(message).sort(byCodePoint),
    },
  };
}

/**
 * One JSON object. Throws `provider_not_json` in the parser's own words (no JSON, a key twice, a number out of range)
 * and, for JSON that is something else, `provider_not_object` in the reference's.
 */
export function ollamaObject(text: string): PyObject {
  let value: PyValue;
  try {
    value = parsePythonJson(text);
  } catch (cause) {
    const { message, expected, got } =
      cause instanceof PixelproofError ? cause : new PixelproofError('python_json_syntax', String(cause));
    throw new PixelproofError('provider_not_json', `Ollama's answer cannot be read as JSON: ${message}`, {
      expected,
      got: got ?? text.slice(0, 120),
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

/** The metadata text of an answer. */
export function ollamaMetadata(
  model: string,
  model_record: PyObject,
  wall_ms: number,
  facts: OllamaFacts,
): string {
  return pythonCanonical({ backend: 'ollama', model, model_record, wall_ms: pyFloat(wall_ms), ...facts });
}

export function ollamaTokens({ prompt_eval_count, eval_count }: OllamaFacts) {
  return { prompt: countOf(prompt_eval_count), completion: countOf(eval_count) };
}

/** A server's count is a fact to keep only where it is one: a whole number, not below 0. */
function countOf(value: PyValue): number | null {
  const count = numberOf(value);
  return count !== null && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

/** A duration that no clock gives is as good as none: the wall clock is taken then. */
function durationOf(value: PyValue | undefined): number | null {
  const nanoseconds = numberOf(value);
  return nanoseconds !== null && nanoseconds >= 0 && nanoseconds < Number.MAX_SAFE_INTEGER
    ? nanoseconds
    : null;
}

/** The reference's refusal of a reply without text, null where there is some. */
export function ollamaReplyError(content: string, facts: OllamaFacts): string | null {
  if (!isBlank(content)) return null;
  const { thinking_length, eval_count, done_reason } = facts;
  return (
    `RuntimeError: Ollama returned empty message.content (thinking_chars=${thinking_length}, ` +
    `eval_count=${pythonPrint(eval_count)}, done_reason=${pythonPrint(done_reason)})`
  );
}

/** The message of a status that is no success; what a server says is cut at 2000 characters. */
export function ollamaStatusMessage(status: number, text: string): string {
  return `Ollama HTTP ${status}: ${text.slice(0, 2000)}`;
}

function numberOf(value: PyValue | undefined): number | null {
  if (value instanceof PyFloat) return value.value;
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' ? value : null;
}

/** Python's `str.strip()` leaves nothing. */
function isBlank(text: string): boolean {
  return [...text].every((character) => isSpace(character.codePointAt(0) ?? 0));
}

/** How Python prints a value of the reply inside an f-string with `!r`. */
function pythonPrint(value: PyValue): string {
  if (value === null) return 'None';
  if (typeof value === 'string') return pythonRepr(value);
  if (value === true) return 'True';
  return value === false ? 'False' : pythonCanonical(value);
}
