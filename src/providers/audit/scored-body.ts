import { PixelproofError } from '../../errors';
import { canonicalJson } from '../../evidence/identity/canonical';
import type { Json } from '../../evidence/identity/json';
import { countOf } from '../candidates';
import { type ExchangeRecord, type ScoredReply, UNFINISHED } from '../provider';
import { type AliasRule, requireModel } from './model-name';

export type Root = Readonly<Record<string, unknown>>;

/** What a reply's reader makes of its body. */
export interface ReadReply {
  readonly reply: ScoredReply;
  readonly model: unknown;
  readonly completionTokens: unknown;
  /** Facts for the exchange record, beside the reply itself. */
  readonly notes: { readonly [key: string]: Json };
}

/** Replies up to this length, in UTF-16 units, stay in the exchange record whole; of a longer one its digest does. */
export const KEPT_REPLY = 64 * 1024;
/** What is kept of a body that is no answer, in UTF-16 units. */
export const KEPT_REFUSAL = 2000;

/** Failures before a whole answer was there: they have no status and no text. */
export const TRANSPORT: readonly string[] = [
  'provider_timeout',
  'provider_unreachable',
  'provider_redirect',
  'provider_body_too_large',
  'provider_body_not_text',
  'provider_cancelled',
  UNFINISHED.code,
];

/** The parts of an exchange record that follow from the body of an answer. */
export function answerFields(
  found: ReadReply,
): Pick<ExchangeRecord, 'reply_text' | 'model_in_reply' | 'tokens'> {
  return {
    reply_text: canonicalJson(found.reply as unknown as Json),
    model_in_reply: typeof found.model === 'string' ? found.model : null,
    tokens: { prompt: found.reply.tokens_evaluated, completion: countOf(found.completionTokens) },
  };
}

/**
 * What a status and a body say: the answer as `read` makes it. Throws by status (vision-smoke specification, 8.4),
 * `provider_not_object`, what `read` throws, and `provider_wrong_model`.
 */
export function readScoredBody(
  status: number,
  text: string,
  model: string,
  read: (root: Root) => ReadReply,
  alias: AliasRule = 'exact',
  asker: Asker = {},
): ReadReply {
  if (!succeeds(status)) throw statusError(status, text, asker);
  const found = read(objectOf(text));
  requireModel(alias, model, found.model);
  return found;
}

export function succeeds(status: number | null): status is number {
  return status !== null && status >= 200 && status <= 299;
}

/** Throws `provider_not_object`. */
export function objectOf(text: string): Root {
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // Not JSON at all: refused below like every other value that is no object.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Root;
  throw new PixelproofError('provider_not_object', 'The server’s answer is not one JSON object.', {
    expected: 'one JSON object',
    got: text.slice(0, 120),
  });
}

/** What a refusal means depends on who was asked, and with what. */
export interface Asker {
  /** A key was sent. */
  readonly withKey?: boolean;
  /** The server is llama.cpp's. */
  readonly llama?: boolean;
}

/** Whether a provider of this id asks llama.cpp's server. */
export function isLlama(id: string): boolean {
  return id === 'llama-server' || id === 'llama-chat';
}

/** Every kind of asker. */
const ASKERS: readonly Asker[] = [{}, { llama: true }, { withKey: true }, { withKey: true, llama: true }];

/**
 * The refusal as a record tells it, where some asker would have been told so; a record keeps neither the key nor that
 * one was sent. Else the refusal as one without a key is told.
 */
export function refusalAsTold(
  status: number,
  text: string,
  told: { readonly code: string; readonly message: string } | null,
): PixelproofError {
  const known = ASKERS.map((asker) => statusError(status, text, asker));
  const same = known.find(({ code, message }) => code === told?.code && message === told.message);
  return same ?? statusError(status, text);
}

/** A refusal by its status and the server's own words (vision-smoke specification, 8.4). */
export function statusError(status: number, text: string, { withKey, llama }: Asker = {}): PixelproofError {
  const got = `HTTP ${status}: ${text.slice(0, 2000)}`;
  const lower = text.toLowerCase();
  if (withKey === true && (status === 401 || (status === 403 && !lower.includes('origin'))))
    return new PixelproofError('provider_key_refused', 'The server does not accept this key.', { got });
  if (status === 401)
    return new PixelproofError('provider_unauthorised', 'The server wants an API key.', { got });
  if (status === 403)
    return new PixelproofError('provider_forbidden', 'The server refuses this page’s origin or this key.', {
      got,
    });
  if (status === 503)
    return new PixelproofError('provider_loading', 'The server is still loading its model.', { got });
  if (lower.includes('failed to tokenize prompt'))
    return new PixelproofError('provider_stale_marker', 'The server has another media marker now.', { got });
  if (lower.includes('failed to load image'))
    return new PixelproofError('provider_image_refused', 'The server cannot decode the picture.', { got });
  if (lower.includes('mmproj') || lower.includes('image input is not supported'))
    return new PixelproofError('provider_text_only', 'The server has no projector: it takes no pictures.', {
      got,
    });
  if (llama === true && (status >= 500 || lower.includes('context')))
    return new PixelproofError(
      'provider_http_status',
      'The server failed; a context that is too small is a usual reason (raise -c: a turn needs about 450 tokens).',
      { expected: 'HTTP 200', got },
    );
  if (status >= 500)
    return new PixelproofError('provider_http_status', `The server failed with HTTP ${status}.`, {
      expected: 'HTTP 200',
      got,
    });
  return new PixelproofError('provider_http_status', `The server answered with HTTP ${status}.`, {
    expected: 'HTTP 200',
    got,
  });
}
