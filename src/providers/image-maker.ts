import { PixelproofError } from '../errors';
import type { Sha256Id } from '../evidence/identity/json';
import { sha256, sha256Large } from '../evidence/identity/sha256';
import { type HttpReply, httpCall } from './http';
import type { ExchangeRecord } from './provider';

/** One request for a picture: the prompt as it is, one picture, no seed. */
interface ImageRequest {
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
}

/**
 * What became of a request. `moderated` is an answer of the service about the request; `failed` is everything else that
 * gave no picture, plumbing included. Neither is ever repeated by itself.
 */
export interface MadeImage {
  readonly outcome: 'image' | 'moderated' | 'failed';
  readonly reason: string;
  /** Every HTTP call that was made, in order. No header and so no key is in them. */
  readonly exchanges: readonly ExchangeRecord[];
  readonly image: Uint8Array<ArrayBuffer> | null;
}

export interface ImageMakerSettings {
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as a bearer token where not empty. Kept nowhere. */
  readonly key: string;
  readonly timeoutSeconds: number;
}

export interface ImageMaker {
  /** Rejects only when the signal is aborted. */
  make(request: ImageRequest, signal: AbortSignal): Promise<MadeImage>;
}

/** What an end point's reply says, before its bytes are taken. */
export type Reading =
  | { readonly kind: 'base64'; readonly data: string }
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'moderated' | 'failed'; readonly reason: string };

const utf8 = new TextEncoder();

/** The calls of one request, each recorded as it ends. */
export class ImageCalls {
  readonly exchanges: ExchangeRecord[] = [];
  readonly #settings: ImageMakerSettings;
  readonly #signal: AbortSignal;

  constructor(settings: ImageMakerSettings, signal: AbortSignal) {
    this.#settings = settings;
    this.#signal = signal;
  }

  /** Throws what `httpCall` throws, after recording it. Long base64 texts are recorded by digest. */
  async post(path: string, body: unknown): Promise<HttpReply> {
    const bytes = utf8.encode(JSON.stringify(body));
    const { baseUrl, key, timeoutSeconds } = this.#settings;
    const url = `${baseUrl.replace(/\/+$/, '')}${path}`;
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (key !== '') headers.authorization = `Bearer ${key}`;
    const call = {
      url,
      method: 'POST' as const,
      headers,
      body: bytes,
      timeoutMs: timeoutSeconds * 1000,
      signal: this.#signal,
      maxBytes: MAX_REPLY,
      secret: key === '' ? null : key,
    };
    try {
      const reply = await httpCall(call);
      this.#record(sha256(bytes), reply.status, withoutPictures(reply.text), null, reply.milliseconds);
      return reply;
    } catch (error) {
      if (error instanceof PixelproofError) this.#record(sha256(bytes), null, null, error, null);
      throw error;
    }
  }

  /** A picture by its address, recorded by its digest. */
  async picture(url: string): Promise<Uint8Array<ArrayBuffer>> {
    const { timeoutSeconds } = this.#settings;
    try {
      const reply = await httpCall({
        url,
        method: 'GET',
        headers: {},
        timeoutMs: timeoutSeconds * 1000,
        signal: this.#signal,
        maxBytes: MAX_REPLY,
        binary: true,
      });
      const digest = await sha256Large(reply.bytes);
      this.#record(null, reply.status, `${reply.bytes.length} bytes, ${digest}`, null, reply.milliseconds);
      if (reply.status === 200) return reply.bytes;
      throw new PixelproofError(
        'provider_http_status',
        'The picture could not be fetched from the address that the reply names.',
        {
          expected: 'HTTP 200',
          got: `HTTP ${reply.status}`,
        },
      );
    } catch (error) {
      if (error instanceof PixelproofError && error.code !== 'provider_http_status')
        this.#record(null, null, null, error, null);
      throw error;
    }
  }

  #record(
    request: Sha256Id | null,
    status: number | null,
    text: string | null,
    error: PixelproofError | null,
    milliseconds: number | null,
  ): void {
    this.exchanges.push({
      request_sha256: request,
      image_sha256: null,
      attempt: this.exchanges.length + 1,
      status,
      cause: error === null ? null : { code: error.code, message: error.message },
      reply_text: text?.toWellFormed() ?? null,
      model_in_reply: null,
      latency_us: milliseconds === null ? null : Math.round(milliseconds * 1000),
      tokens: null,
      response_metadata_text: '{}',
      reply_error: null,
    });
  }
}

/** A reply with a base64 picture of a few megapixels. */
const MAX_REPLY = 64 * 1024 * 1024;

/** A base64 text as long as a picture is recorded by its digest and length; everything else word for word. */
function withoutPictures(text: string): string {
  return text.replaceAll(
    /[A-Za-z0-9+/]{4096,}={0,2}/g,
    (data) => `(${data.length} characters of base64, ${sha256(data)})`,
  );
}

/** Runs one request: reads the reply by the end point's own rules and takes the picture. */
export async function makeBy(
  settings: ImageMakerSettings,
  signal: AbortSignal,
  ask: (calls: ImageCalls) => Promise<Reading>,
): Promise<MadeImage> {
  const calls = new ImageCalls(settings, signal);
  try {
    const reading = await ask(calls);
    let image: Uint8Array<ArrayBuffer>;
    if (reading.kind === 'base64') image = fromBase64Text(reading.data);
    else if (reading.kind === 'address') image = await calls.picture(reading.url);
    else return { outcome: reading.kind, reason: reading.reason, exchanges: calls.exchanges, image: null };
    return { outcome: 'image', reason: 'The service gave a picture.', exchanges: calls.exchanges, image };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof PixelproofError)) throw error;
    return {
      outcome: 'failed',
      reason: `${error.message} (${error.code})`,
      exchanges: calls.exchanges,
      image: null,
    };
  }
}

/** The reply as JSON, whatever it holds. Throws `provider_body_not_json`. */
export function replyJson(reply: HttpReply): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(reply.text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // Below, with the same words.
  }
  throw new PixelproofError('provider_body_not_json', 'The reply is no JSON object.', {
    expected: 'a JSON object',
    got: `HTTP ${reply.status}: ${reply.text.slice(0, 120)}`,
  });
}

export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value;
  for (const key of path)
    here = typeof here === 'object' && here !== null ? Reflect.get(here, key) : undefined;
  return here;
}

function fromBase64Text(data: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  } catch (cause) {
    throw new PixelproofError('provider_picture_not_base64', 'The picture in the reply is not base64.', {
      cause,
    });
  }
}
