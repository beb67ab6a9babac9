import { PixelproofError } from '../../src/errors';
import type { WorkerError } from '../api';

/** What crosses to the page instead of an Error, whose own fields a structured clone drops. */
export function toWorkerError(thrown: unknown): WorkerError {
  const error = partMissing(thrown) ?? thrown;
  if (error instanceof PixelproofError) {
    return {
      name: 'PixelproofError',
      code: error.code,
      message: error.message,
      expected: error.expected ?? null,
      got: error.got ?? null,
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  const cancelled = error instanceof Error && error.name === 'AbortError';
  return { name: 'Error', code: cancelled ? 'cancelled' : 'internal', message, expected: null, got: null };
}

/** How Chromium, Firefox and Safari say that a part loaded on demand did not arrive; none gives it a type of its own. */
const NOT_ARRIVED = /dynamically imported module|importing a module script failed/i;

function partMissing(error: unknown): PixelproofError | null {
  if (!(error instanceof TypeError) || !NOT_ARRIVED.test(error.message)) return null;
  return new PixelproofError(
    'site_part_missing',
    'A part of the site did not arrive. Check the connection and try again; nothing was sent and nothing was counted.',
    { cause: error },
  );
}

/** The same object with every method's failure turned into a plain WorkerError. */
export function guard<Api extends object>(api: Api): Api {
  return new Proxy(api, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]) => {
        try {
          return await Reflect.apply(member, target, args);
        } catch (error) {
          throw toWorkerError(error);
        }
      };
    },
  });
}
