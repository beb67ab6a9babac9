import { PixelproofError } from '../errors';
import type { ControlScore, ScoredReply } from './provider';

/** One candidate of the first answer position, as a server lists it. */
export interface Candidate {
  readonly id: number | null;
  readonly token: string;
  /** Natural logarithm; NaN where the server gave no number. */
  readonly logprob: number;
}

export interface ControlToken {
  readonly control: string;
  /** Null where the server knows no ids: then the token's text must be the control exactly. */
  readonly id: number | null;
}

export interface Listing {
  readonly candidates: readonly Candidate[];
  readonly controls: readonly ControlToken[];
  readonly tokens_evaluated: number | null;
  /** Entries of a whole vocabulary, null where unknown. */
  readonly vocabulary: number | null;
  /** The level of a score for which every control is listed. */
  readonly level: 'A' | 'B';
  /** Whether a control that is not listed may be bounded by the smallest that is (level C). */
  readonly bounded: boolean;
}

/** How far a whole distribution may be from 1. */
const SUM_TOLERANCE = 0.01;

/**
 * Reads the controls out of a list of candidates. Fails closed: `provider_no_logprobs` for an empty list,
 * `provider_duplicate_token` for one control listed twice, `provider_not_finite` for a control without a finite number,
 * `provider_not_distribution` for probabilities above 1 in all, `provider_control_missing` where none of the controls is
 * listed, or one is not and a bound will not do.
 */
export function readCandidates(listing: Listing): ScoredReply {
  const { candidates, controls, vocabulary } = listing;
  if (candidates.length === 0) {
    throw new PixelproofError('provider_no_logprobs', 'The server listed no log-probabilities.', {
      expected: 'candidates of the first answer position',
      got: 'an empty list',
    });
  }
  const listed = candidates.filter(({ logprob }) => Number.isFinite(logprob));
  const smallest = Math.min(...listed.map(({ logprob }) => logprob));
  const scores = controls.map((control) => scoreOf(control, listing, smallest));
  const sum = listed.reduce((total, { logprob }) => total + Math.exp(logprob), 0);
  if (sum > 1 + SUM_TOLERANCE) {
    throw new PixelproofError(
      'provider_not_distribution',
      'The listed probabilities are more than 1 in all.',
      {
        expected: `at most ${1 + SUM_TOLERANCE}`,
        got: sum,
      },
    );
  }
  const missing = scores.filter(({ at_most }) => at_most !== null).map(({ control }) => control);
  if (missing.length > 0 && (!listing.bounded || missing.length === controls.length)) {
    throw new PixelproofError(
      'provider_control_missing',
      `The server did not list ${missing.join(' and ')}; a missing control is no zero.`,
      { expected: controls.map(({ control }) => control).join(', '), got: `${candidates.length} candidates` },
    );
  }
  const complete =
    candidates.length === vocabulary && listed.length > 0 && Math.abs(sum - 1) <= SUM_TOLERANCE;
  const on = scores.reduce((total, { logprob }) => total + Math.exp(logprob ?? Number.NEGATIVE_INFINITY), 0);
  return {
    level: missing.length > 0 ? 'C' : listing.level,
    controls: scores,
    tokens_evaluated: listing.tokens_evaluated,
    listed: candidates.length,
    complete,
    off_option_mass: complete ? Math.min(1, Math.max(0, 1 - on)) : null,
  };
}

function scoreOf({ control, id }: ControlToken, { candidates }: Listing, smallest: number): ControlScore {
  const found = candidates.filter((candidate) =>
    id !== null && candidate.id !== null ? candidate.id === id : candidate.token === control,
  );
  const [first, second] = found;
  if (second !== undefined) {
    throw new PixelproofError('provider_duplicate_token', 'The server listed a control twice.', {
      expected: `“${control}” once`,
      got: found.length,
    });
  }
  if (first === undefined) {
    return { control, token_id: id, logprob: null, at_most: smallest, probability: null };
  }
  if (!Number.isFinite(first.logprob)) {
    throw new PixelproofError(
      'provider_not_finite',
      'The server gave no finite log-probability for a control.',
      {
        expected: `a finite number for “${control}”`,
        got: String(first.logprob),
      },
    );
  }
  return { control, token_id: first.id ?? id, logprob: first.logprob, at_most: null, probability: null };
}

/** A server's list as candidates; whatever has no usable shape is left out. vLLM writes ids as `token_id:123`. */
export function candidatesOf(list: unknown): Candidate[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown): Candidate[] => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { id, token, logprob } = entry as Record<string, unknown>;
    const text = typeof token === 'string' ? token : '';
    const named = /^token_id:(\d+)$/.exec(text)?.[1];
    return [
      {
        id: named !== undefined ? Number(named) : typeof id === 'number' ? id : null,
        token: named === undefined ? text : '',
        logprob: typeof logprob === 'number' ? logprob : Number.NaN,
      },
    ];
  });
}

/** A whole count, null for anything else. */
export function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
