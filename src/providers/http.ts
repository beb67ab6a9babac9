import { PixelproofError } from '../errors';
import { redact } from './secret';

/** The largest reply body that is read, in bytes (png-representation spec, decision 1). */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** The longest Retry-After that is waited for, in seconds; a longer one is a failure at once. */
const MAX_RETRY_AFTER_SECONDS = 120;

/** A timer counts milliseconds in 31 bits: a longer time limit would end at once, or not be a limit. */
const MAX_TIMEOUT_SECONDS = 2_147_483;

/** Throws `provider_settings` for a time limit of a call that no timer can keep. */
export function requireTimeout(seconds: number): void {
  if (seconds > 0 && seconds <= MAX_TIMEOUT_SECONDS) return;
  const message =
    seconds > 0 ? 'The timeout is longer than a timer can be.' : 'The timeout must be positive.';
  throw new PixelproofError('provider_settings', message, {
    expected: `seconds above 0, at most ${MAX_TIMEOUT_SECONDS}`,
    got: String(seconds),
  });
}

/** What came back from one HTTP call. `text` is the body decoded as UTF-8, empty for a binary call. */
export interface HttpReply {
  readonly status: number;
  readonly text: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly retryAfter: string | null;
  /** Milliseconds from just before the request to the end of the body. */
  readonly milliseconds: number;
}

export interface HttpRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Another limit of the reply's body than 8 MiB, in bytes. */
  readonly maxBytes?: number;
  /** The body is bytes, not text. */
  readonly binary?: boolean;
  /** A key that was sent: an echo of it in the reply is taken out before anybody sees the text or its bytes. */
  readonly secret?: string | null;
  /** Told of the status as soon as the headers are there, also where the body then fails. A page sees a redirect as 0. */
  readonly onStatus?: (status: number) => void;
}

/**
 * One HTTP call with a time limit over the whole exchange (a server that stalls in the middle of its reply counts),
 * a body limit, no redirects and no credentials.
 *
 * Throws PixelproofError `provider_timeout`, `provider_unreachable` (no connection, TLS, CORS and
 * local-network refusals look alike to a page), `provider_redirect`, `provider_body_too_large`,
 * `provider_body_not_text`; rejects with the signal's reason when `signal` is aborted.
 */
export async function httpCall(request: HttpRequest): Promise<HttpReply> {
  request.signal.throwIfAborted();
  const started = performance.now();
  const limit = AbortSignal.timeout(request.timeoutMs);
  const signal = AbortSignal.any([request.signal, limit]);
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: { ...request.headers },
      ...(request.body === undefined ? {} : { body: request.body }),
      signal,
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
    });
    request.onStatus?.(response.status);
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      throw new PixelproofError(
        'provider_redirect',
        `The server answered ${request.url} with a redirect, which is not followed.`,
        {
          expected: 'an answer from the address that was asked',
          got: response.status === 0 ? 'a redirect' : `HTTP ${response.status}`,
        },
      );
    }
    const bytes = await readBody(response, request.url, request.maxBytes ?? MAX_BODY_BYTES);
    const came = request.binary === true ? '' : textOf(bytes, request.url);
    const text = redact(came, request.secret ?? null);
    return {
      status: response.status,
      text,
      bytes: text === came ? bytes : new TextEncoder().encode(text),
      retryAfter: response.headers.get('retry-after'),
      milliseconds: performance.now() - started,
    };
  } catch (error) {
    request.signal.throwIfAborted();
    if (error instanceof PixelproofError) throw error;
    if (limit.aborted) {
      throw new PixelproofError(
        'provider_timeout',
        `No complete answer from ${request.url} within ${request.timeoutMs / 1000} s.`,
        {
          expected: `an answer within ${request.timeoutMs / 1000} s`,
          got: 'none',
        },
      );
    }
    const reason = redact(reasonOf(error), request.secret ?? null);
    throw new PixelproofError('provider_unreachable', `Cannot reach ${request.url}: ${reason}.`, {
      cause: error,
    });
  }
}

async function readBody(response: Response, url: string, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array(0);
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      throw new PixelproofError(
        'provider_body_too_large',
        `The answer of ${url} is larger than ${limit / 1024 / 1024} MiB; it was not read on.`,
        {
          expected: `at most ${limit} bytes`,
          got: `at least ${length} bytes`,
        },
      );
    }
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function textOf(whole: Uint8Array, url: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(whole);
  } catch (cause) {
    throw new PixelproofError('provider_body_not_text', `The answer of ${url} is not UTF-8 text.`, { cause });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${inner}`;
}

/**
 * How long a Retry-After header asks to wait, in milliseconds from `nowMs`. The header is a number of seconds or an
 * HTTP date (RFC 9110, section 10.2.3). Null when absent, unreadable or longer than 120 s: then nothing is waited for.
 */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  let seconds: number;
  if (/^\d+$/.test(text)) seconds = Number(text);
  else if (/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) {
    seconds = Math.max(0, (Date.parse(text) - nowMs) / 1000);
  } else return null;
  return Number.isFinite(seconds) && seconds <= MAX_RETRY_AFTER_SECONDS ? seconds * 1000 : null;
}

/** Waits, or rejects with the signal's reason. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}
