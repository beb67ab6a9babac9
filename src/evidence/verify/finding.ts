import { PixelproofError } from '../../errors';
import type { JsonObject } from '../identity/json';
import { brief, differingKeys } from './compared';

/** One thing the verifier says: a difference it found, or a check that held. */
export interface Finding {
  readonly level: 'pass' | 'warning' | 'failure';
  /** Stable, for example `case_id_mismatch`. */
  readonly code: string;
  /** Where: `unlabelled-v1/run.json`, `unlabelled-v1/cases.jsonl line 4 case_id`. */
  readonly where: string;
  readonly message: string;
  readonly expected?: string;
  readonly got?: string;
}

/** A difference, with the two sides where there are two. */
export function failure(
  code: string,
  where: string,
  message: string,
  sides: { readonly expected?: string; readonly got?: string },
): Finding {
  return { level: 'failure', code, where, message, ...sides };
}

/** A check that held. */
export function pass(code: string, where: string, message: string): Finding {
  return { level: 'pass', code, where, message };
}

/** What reading a record threw, as an error with a code. */
export function unreadable(error: unknown): PixelproofError {
  if (error instanceof PixelproofError) return error;
  return new PixelproofError('case_unreadable', error instanceof Error ? error.message : String(error));
}

/** Choices that enter no identity, as the plan's maker writes them: no other value and no other key. */
export function* circumstanceFindings(should: JsonObject, is: JsonObject): Iterable<Finding> {
  for (const name of differingKeys(should, is)) {
    yield failure(
      'circumstance_mismatch',
      `environment.json circumstances ${name}`,
      'No plan of this experiment is made with this circumstance.',
      { expected: brief(should[name]), got: brief(is[name]) },
    );
  }
}
