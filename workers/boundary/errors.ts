import { PixelproofError } from '../../src/errors';
import type { WorkerError } from '../api';

/** What crosses to the page instead of an Error, whose own fields a structured clone drops. */
export function toWorkerError(error: unknown): WorkerError {
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
