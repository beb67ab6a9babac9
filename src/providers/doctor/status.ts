import { type CheckId, Found } from './diagnosis';
import type { Product } from './dialects';
import type { Outcome } from './wire';

export type Reply = Extract<Outcome, { kind: 'reply' }>;

/** Who is spoken to, for the sentences. */
export interface Spoken {
  readonly name: string;
  readonly model: string;
  readonly keyGiven: boolean;
}

export const looksLikeHtml = (text: string) => /^\s*(?:<!doctype html|<html|<head|<body)/i.test(text);

/** Words with which servers say that a model takes no pictures. */
const NO_PICTURES =
  /image input|(?:not|n't|no) (?:support|process|accept|handle|take)\w* (?:image|vision|multi|picture)|mmproj|no vision|(?:image|vision|multimodal)\S* (?:\S+ ){0,4}(?:not|un)\s?(?:supported|available|enabled)|at most 0 image/i;

/** The server's own words for a person: of a JSON error its message, else the beginning. At most 200 characters. */
export function saidIn(text: string): string {
  let said = text;
  try {
    const root = JSON.parse(text) as { error?: unknown; message?: unknown; detail?: unknown };
    const error = root.error as { message?: unknown } | string | undefined;
    const found = typeof error === 'object' ? error?.message : (error ?? root.message ?? root.detail);
    if (typeof found === 'string') said = found;
  } catch {
    // No JSON: what came is what was said.
  }
  const line = said.replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/** Names what a status that is no success means. Throws a `Found`; returns for success and for 404, which depends. */
export function explainStatus(reply: Reply, check: CheckId, { name, model, keyGiven }: Spoken): void {
  const { status, text, retryAfter } = reply;
  if (status >= 200 && status <= 299) return;
  const said = saidIn(text);
  const facts = { status, said };
  const quoted = said === '' ? '' : ` It says: “${said}”`;
  if (check === 'answer' && NO_PICTURES.test(text))
    throw textOnly(model, `${name} refuses the picture.${quoted}`, facts);
  switch (status) {
    case 401:
    case 403:
      if (status === 403 && /origin/i.test(said)) {
        throw new Found(check, 'cors_refused', `${name} refuses this page’s origin.`, quoted.trim(), facts);
      }
      throw new Found(
        check,
        'unauthorised',
        keyGiven ? `${name} does not accept this key.` : `${name} wants a key.`,
        `HTTP ${status}.${quoted}`,
        facts,
      );
    case 402:
      throw new Found(
        check,
        'payment_required',
        `${name} wants to be paid before it answers.`,
        `HTTP 402: the account of this key has no credit left.${quoted}`,
        facts,
      );
    case 404:
      return;
    case 429:
      throw new Found(
        check,
        'rate_limited',
        `${name} has had too many requests${retryAfter === null ? '' : ` and asks to wait: ${waitOf(retryAfter)}`}.`,
        `HTTP 429.${retryAfter === null ? ' It gave no time to wait, or none that a page may read.' : ''}${quoted}`,
        { ...facts, retryAfter },
      );
    case 503:
      if (/loading/i.test(text)) {
        throw new Found(
          check,
          'model_loading',
          `${name} still loads its model.`,
          'It answers as soon as the model is in memory.',
          facts,
        );
      }
  }
  if (status >= 500) {
    throw new Found(
      check,
      'server_error',
      `${name} failed with HTTP ${status}.`,
      `The fault is on the server’s side; its log says more.${quoted}`,
      facts,
    );
  }
  throw new Found(
    check,
    'request_refused',
    `${name} refuses the request with HTTP ${status}.`,
    quoted.trim() || 'It gives no reason.',
    facts,
  );
}

export function textOnly(
  model: string,
  meaning: string,
  facts: { status?: number; said?: string } = {},
): Found {
  return new Found('sees', 'text_only_model', `${model} takes no pictures.`, meaning, facts);
}

/** Another program answers than the one that was chosen. */
export function wrongPort(
  check: CheckId,
  name: string,
  host: string,
  answers: Product | null,
  status: number,
): Found {
  return new Found(
    check,
    'wrong_port',
    answers === null
      ? `What answers at ${host} is not ${name}.`
      : `At ${host} answers ${answers}, not ${name}.`,
    answers === null
      ? `It has no such route (HTTP ${status}). Another program listens on this port, or the path in the address is wrong.`
      : 'It was known by what it answers. Choose it as the provider, or ask the other port.',
    answers === null ? { status } : { status, answers },
  );
}

function waitOf(header: string): string {
  return /^\d+$/.test(header.trim()) ? `${header.trim()} s` : `until ${header.trim()}`;
}
