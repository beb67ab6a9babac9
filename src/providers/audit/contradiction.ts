import { canonicalJson } from '../../evidence/identity/canonical';
import type { Json } from '../../evidence/identity/json';
import type { ExchangeRecord } from '../provider';

/** A field of a record that cannot be what the provider's rules make of the rest. */
export interface Contradiction {
  /** Which attempt of the question, from 0. */
  readonly at: number;
  readonly field: string;
  readonly expected: string;
  readonly got: string;
}

/** Every field in which a record differs from the one that the rules give. */
export function* contradictions(
  at: number,
  expected: ExchangeRecord,
  got: ExchangeRecord,
): Iterable<Contradiction> {
  for (const field of Object.keys(expected) as (keyof ExchangeRecord)[]) {
    const [should, is] = [textOf(expected[field]), textOf(got[field])];
    if (should !== is) yield { at, field, expected: should, got: is };
  }
}

/** A count of something, which is 1 or more; the words for it where the record has another value. */
export function wholeOr(value: Json | undefined, words: string): Json {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : words;
}

function textOf(value: Json | ExchangeRecord[keyof ExchangeRecord]): string {
  return typeof value === 'string' ? value : canonicalJson(value as Json);
}
