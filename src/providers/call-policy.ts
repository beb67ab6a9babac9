import { pause, retryAfterMs } from './http';

/** A call that a server asked to make later is made again at most this often. */
export const MAX_RETRIES = 2;

/** How hard a server may be asked. They bind all runs of one worker or process together, by origin. */
export interface Limits {
  /** Calls under way at once, 1 or more. */
  readonly maxInFlight: number;
  /** Milliseconds between the starts of two calls, 0 or more. */
  readonly minIntervalMs: number;
}

export const DEFAULT_LIMITS: Limits = { maxInFlight: 4, minIntervalMs: 0 };

interface Origin {
  inFlight: number;
  /** When the latest call was allowed to start, on the monotonic clock. */
  latest: number;
  readonly waiting: (() => void)[];
}

const origins = new Map<string, Origin>();

/**
 * Does `work` when the origin of `url` may be asked: calls wait in the order in which they came. The wait is no part of
 * the call's time limit. Rejects with the signal's reason.
 */
export async function gated<T>(
  url: string,
  { maxInFlight, minIntervalMs }: Limits,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const origin = originOf(url);
  while (origin.inFlight >= maxInFlight) await turn(origin, signal);
  origin.inFlight += 1;
  try {
    const start = Math.max(performance.now(), origin.latest + minIntervalMs);
    origin.latest = start;
    const wait = start - performance.now();
    if (wait > 0) await pause(wait, signal);
    signal.throwIfAborted();
    return await work();
  } finally {
    origin.inFlight -= 1;
    origin.waiting.shift()?.();
  }
}

function originOf(url: string): Origin {
  const { origin } = new URL(url);
  const known = origins.get(origin);
  if (known !== undefined) return known;
  const fresh: Origin = { inFlight: 0, latest: Number.NEGATIVE_INFINITY, waiting: [] };
  origins.set(origin, fresh);
  return fresh;
}

function turn(origin: Origin, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const go = () => {
      signal.removeEventListener('abort', stop);
      resolve();
    };
    const stop = () => {
      origin.waiting.splice(origin.waiting.indexOf(go), 1);
      reject(signal.reason);
    };
    origin.waiting.push(go);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** Milliseconds before the first retry where a server does not say, or where a page may not read what it says. */
const BACKOFF_MS = 1000;

/**
 * How long to wait before a call is made again, null for not at all: only after 429 and 503, for as long as Retry-After
 * says (at most 120 s; a longer wait is a failure at once), or a second, then two, where it is not there. Few servers let
 * a page of another origin read the header.
 */
export function retryWaitMs(
  reply: { readonly status: number; readonly retryAfter: string | null } | null,
  attempt: number,
  nowMs: number,
): number | null {
  if (reply === null || attempt > MAX_RETRIES || (reply.status !== 429 && reply.status !== 503)) return null;
  return reply.retryAfter === null ? BACKOFF_MS * attempt : retryAfterMs(reply.retryAfter, nowMs);
}
