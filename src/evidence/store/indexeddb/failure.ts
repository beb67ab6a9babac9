import { PixelproofError } from '../../../errors';

const named = (error: unknown, ...names: string[]): boolean =>
  error instanceof Error && names.includes(error.name);

/** What a person is told when a transaction failed. Our own errors pass as they are. */
export function storeFailure(cause: unknown): PixelproofError {
  if (cause instanceof PixelproofError) return cause;
  if (named(cause, 'QuotaExceededError')) {
    return new PixelproofError(
      'store_quota',
      'The browser has no room left for this site; delete runs or export this one, then resume.',
      { cause },
    );
  }
  if (named(cause, 'InvalidStateError')) {
    return new PixelproofError(
      'store_closed',
      'The connection to the stored runs is closed; reload the page.',
      {
        cause,
      },
    );
  }
  return new PixelproofError('store_failed', 'The browser could not read or write its stored runs.', {
    cause,
    got: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause),
  });
}

/** Whether opening failed because the data was made by a newer build. */
export const isNewer = (cause: unknown): boolean => named(cause, 'VersionError');
