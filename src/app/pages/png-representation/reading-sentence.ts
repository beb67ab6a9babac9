import { plural } from '../../format';
import { type CaseView, FACTOR_WORDS, type Factor } from './case-view';
import { cooldownWord } from './states';

/**
 * The one cooldown that every accepted reply of a representation gives although the truth differs from case to case,
 * or null. Other variables have too many values for this to mean anything.
 */
export function always(cases: readonly CaseView[], variant: string, factor: Factor): string | null {
  if (factor !== 'cooldown') return null;
  const own = cases.filter((view) => view.variant === variant && view.read !== null);
  const said = new Set(own.map((view) => view.read?.cooldown));
  const [only] = said;
  return said.size === 1 && only !== undefined && own.some((view) => view.truth.cooldown !== only)
    ? cooldownWord(only)
    : null;
}

/** What the readings of one variable show, in a sentence a person can check against the strip below it. */
export function readingSentence(cases: readonly CaseView[], factor: Factor): string {
  const accepted = cases.filter((view) => view.read !== null);
  if (accepted.length === 0) return 'No reply was accepted, so nothing can be said about any variable.';
  return stuckSentence(cases, factor) ?? countSentence(accepted, factor);
}

function stuckSentence(cases: readonly CaseView[], factor: Factor): string | null {
  const variants = [...new Set(cases.map((view) => view.variant))];
  const words = variants.map((variant) => always(cases, variant, factor));
  const word = words.find((each) => each !== null);
  if (word === undefined || word === null) return null;
  const stuck = variants.filter((_, at) => words[at] === word);
  const states = new Map(
    cases.filter((view) => stuck.includes(view.variant)).map((view) => [view.row, view.truth.cooldown]),
  );
  const others = [...states.values()].filter((cooldown) => cooldownWord(cooldown) !== word).length;
  const opposite = word === 'READY' ? 'BLOCKED' : 'READY';
  return `${word}, every time: in ${stuck.length} of ${plural(variants.length, 'representation')} each accepted reply says ${word}, also for the ${plural(others, 'state')} that ${others === 1 ? 'is' : 'are'} ${opposite}. A provider that never looked at the indicator would do as well.`;
}

function countSentence(accepted: readonly CaseView[], factor: Factor): string {
  const right = accepted.filter((view) => view.read?.[factor] === view.truth[factor]).length;
  const name = FACTOR_WORDS[factor].toLowerCase();
  return right === accepted.length
    ? `The ${name} was read right in all ${plural(accepted.length, 'accepted reply', 'accepted replies')}.`
    : `The ${name} was read wrong in ${accepted.length - right} of ${plural(accepted.length, 'accepted reply', 'accepted replies')}.`;
}
