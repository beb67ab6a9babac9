import { plural } from '../../format';
import { type CaseView, FACTOR_WORDS, type Factor } from './case-view';
import { cooldownWord } from './states';

/** What the readings of one variable show, in a sentence a person can check against the strips below it. */
export function readingSentence(cases: readonly CaseView[], factor: Factor): string {
  const variants = [...new Set(cases.map((view) => view.variant))];
  if (factor === 'cooldown') {
    const constant = variants.filter((variant) => {
      const own = cases.filter((view) => view.variant === variant && view.read !== null);
      const said = new Set(own.map((view) => view.read?.cooldown));
      return said.size === 1 && own.some((view) => view.truth.cooldown !== view.read?.cooldown);
    });
    if (constant.length > 0) {
      const word = cooldownWord(
        cases.find((view) => view.variant === constant[0] && view.read)?.read?.cooldown ?? 0,
      );
      const first = cases.filter((view) => view.variant === constant[0]);
      const wrong = first.filter((view) => cooldownWord(view.truth.cooldown) !== word).length;
      return `In ${constant.length} of ${plural(variants.length, 'representation')} every accepted reply says ${word}, also for the ${plural(wrong, 'state')} that ${wrong === 1 ? 'is' : 'are'} not. The right ones there are right by chance of the fixture.`;
    }
  }
  const accepted = cases.filter((view) => view.read !== null);
  const right = accepted.filter((view) => view.read?.[factor] === view.truth[factor]).length;
  const name = FACTOR_WORDS[factor].toLowerCase();
  if (accepted.length === 0) return 'No reply was accepted, so nothing can be said about any variable.';
  return right === accepted.length
    ? `The ${name} was read right in all ${plural(accepted.length, 'accepted reply', 'accepted replies')}.`
    : `The ${name} was read wrong in ${accepted.length - right} of ${plural(accepted.length, 'accepted reply', 'accepted replies')}.`;
}
