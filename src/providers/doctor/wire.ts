import { PixelproofError } from '../../errors';
import type { Json } from '../../evidence/identity/json';
import { urlOf } from '../base-url';
import { httpCall } from '../http';
import type { Address } from './address';
import type { SentRequest } from './diagnosis';
import type { Ask } from './dialects';

/** What became of one request: a reply, or the way in which there was none. */
export type Outcome =
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly text: string;
      readonly retryAfter: string | null;
      readonly milliseconds: number;
    }
  | {
      readonly kind: 'none';
      readonly why: 'unreachable' | 'timeout' | 'redirect' | 'too-large' | 'not-text';
      /** The status that came before the body failed; null where nothing came. */
      readonly status: number | null;
      readonly milliseconds: number;
      /** Node's own code of the failure, where Node asked. */
      readonly system: string | null;
    };

export interface Patience {
  /** For lists and descriptions. */
  readonly listSeconds: number;
  /** For a question: a model may have to be loaded first. */
  readonly askSeconds: number;
}

const WHY = {
  provider_timeout: 'timeout',
  provider_redirect: 'redirect',
  provider_body_too_large: 'too-large',
  provider_body_not_text: 'not-text',
} as const;

/** Everything that goes out, one after another, written down as it ends. */
export class Wire {
  readonly address: Address;
  readonly sent: SentRequest[] = [];
  readonly #headers: Readonly<Record<string, string>>;
  readonly #patience: Patience;
  readonly #signal: AbortSignal;

  constructor(
    address: Address,
    headers: Readonly<Record<string, string>>,
    patience: Patience,
    signal: AbortSignal,
  ) {
    this.address = address;
    this.#headers = headers;
    this.#patience = patience;
    this.#signal = signal;
  }

  /** Rejects only when the signal is aborted. */
  async ask({ path, body }: Ask, why: string, question = false): Promise<Outcome> {
    const url = urlOf(this.address.base, path);
    const started = performance.now();
    let status: number | null = null;
    const outcome = await this.#call(url, body, question, (came) => {
      status = came === 0 ? null : came;
    }).catch((error: unknown): Outcome => {
      this.#signal.throwIfAborted();
      const code = error instanceof PixelproofError ? error.code : '';
      return {
        kind: 'none',
        why: WHY[code as keyof typeof WHY] ?? 'unreachable',
        status,
        milliseconds: performance.now() - started,
        system: systemCode(error),
      };
    });
    this.#note(body === undefined ? 'GET' : 'POST', url, why, outcome.status, started);
    return outcome;
  }

  /**
   * Whether anything at all answers, for a page: an answer that may not be read counts. No header of ours goes along,
   * and a redirect is followed, because this kind of request knows no other way.
   */
  async answersUnread(path: string): Promise<boolean> {
    const url = urlOf(this.address.base, path);
    const started = performance.now();
    const limit = AbortSignal.timeout(this.#patience.listSeconds * 1000);
    const answered = await fetch(url, {
      mode: 'no-cors',
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.any([this.#signal, limit]),
    }).then(
      () => true,
      () => false,
    );
    this.#signal.throwIfAborted();
    this.#note('GET', url, 'whether anything answers, unread', null, started);
    return answered;
  }

  /** What a server says to a page of `origin` that wants to send JSON, asked as a browser would. Null: no answer. */
  async preflight(path: string, origin: string): Promise<{ allows: boolean; status: number } | null> {
    const url = urlOf(this.address.base, path);
    const started = performance.now();
    const names = ['content-type', ...Object.keys(this.#headers)].join(',');
    const response = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': names,
      },
      redirect: 'manual',
      signal: AbortSignal.any([this.#signal, AbortSignal.timeout(this.#patience.listSeconds * 1000)]),
    }).catch(() => null);
    this.#signal.throwIfAborted();
    this.#note('OPTIONS', url, `whether a page of ${origin} is let in`, response?.status ?? null, started);
    if (response === null) return null;
    await response.body?.cancel();
    const allowed = response.headers.get('access-control-allow-origin');
    return { allows: response.ok && (allowed === '*' || allowed === origin), status: response.status };
  }

  async #call(
    url: string,
    body: Json | undefined,
    question: boolean,
    onStatus: (status: number) => void,
  ): Promise<Outcome> {
    const { listSeconds, askSeconds } = this.#patience;
    const reply = await httpCall({
      url,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...this.#headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) }),
      timeoutMs: (question ? askSeconds : listSeconds) * 1000,
      signal: this.#signal,
      onStatus,
    });
    const { status, text, retryAfter, milliseconds } = reply;
    return { kind: 'reply', status, text, retryAfter, milliseconds };
  }

  #note(
    method: SentRequest['method'],
    url: string,
    why: string,
    status: number | null,
    started: number,
  ): void {
    this.sent.push({ method, url, why, status, milliseconds: Math.round(performance.now() - started) });
  }
}

/** The innermost `code` of an error's causes: `ECONNREFUSED`, `DEPTH_ZERO_SELF_SIGNED_CERT`, … */
function systemCode(error: unknown): string | null {
  let code: string | null = null;
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const own: unknown = Reflect.get(at, 'code');
    if (typeof own === 'string' && !(at instanceof PixelproofError)) code = own;
    // Node tries every address of a name and keeps the failures together.
    const several: unknown = Reflect.get(at, 'errors');
    if (code === null && Array.isArray(several)) code = systemCode(several[0]);
  }
  return code;
}
