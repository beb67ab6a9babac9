import { PixelproofError } from '../../errors';

/** The first banned term in a text, by the order of the list; null where there is none. Case is ignored. */
export function leakIn(text: string, terms: readonly string[]): string | null {
  const lower = text.toLowerCase();
  return terms.find((term) => lower.includes(term)) ?? null;
}

/** Throws `state_leak` where the neutral state names a family: the answer would be in the text. */
export function requireNeutral(state: string, terms: readonly string[]): void {
  const term = leakIn(state, terms);
  if (term === null) return;
  throw new PixelproofError(
    'state_leak',
    `The neutral state names a family: it has the term “${term}”, which would give the answer away as text.`,
    { expected: `none of ${terms.join(', ')}`, got: state },
  );
}

/** Words that tell no family apart; a ban on them would refuse any sentence. */
const COMMON = new Set(['the', 'and', 'for', 'with', 'from', 'our', 'your', 'not', 'non']);
/** Shorter words sit inside other words too often to be banned by themselves. */
const SHORTEST = 3;

/**
 * The ban list of a person's own families: each name, the name without its spaces and punctuation, each of its words of
 * three letters or more, then the person's own terms; lower case, each once, in that order.
 */
export function leakTermsOf(families: readonly string[], more: readonly string[]): string[] {
  const terms = new Set<string>();
  for (const family of families) {
    const words = family.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    if (words.length === 0) continue;
    terms.add(words.join(' '));
    terms.add(words.join(''));
    for (const word of words) if ([...word].length >= SHORTEST && !COMMON.has(word)) terms.add(word);
  }
  for (const term of more) {
    const lower = term.trim().toLowerCase();
    if (lower !== '') terms.add(lower);
  }
  return [...terms];
}
