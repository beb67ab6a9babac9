import * as v from 'valibot';
import { PixelproofError } from '../../errors';
import { parseObject } from '../../evidence/bundle/safe-json';
import type { ScoredReply } from '../../providers/provider';
import type { Reading } from './gate';
import { choose, softmax } from './probability';
import { PROBABILITY_SUM_TOLERANCE } from './protocol';
import type { Question } from './questions';
import { CREDIT_LEVELS } from './verdict';

const finite = v.pipe(v.number(), v.finite());
const probability = v.pipe(finite, v.minValue(0), v.maxValue(1));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** What `reply_text` of a scored question holds. */
export const SCORED_REPLY_FORM = v.strictObject({
  level: v.nullable(v.picklist(CREDIT_LEVELS)),
  controls: v.array(
    v.strictObject({
      control: v.string(),
      token_id: v.nullable(count),
      logprob: v.nullable(finite),
      at_most: v.nullable(finite),
      probability: v.nullable(probability),
    }),
  ),
  tokens_evaluated: v.nullable(count),
  listed: v.nullable(count),
  complete: v.boolean(),
  off_option_mass: v.nullable(probability),
});

/**
 * Reads what a provider scored for these controls. Throws `json_*` and `reply_unreadable`: another set of controls, none
 * or two figures for one, two controls with one token, or probabilities that do not sum to 1.
 */
export function readScoredReply(text: string | null, controls: readonly string[]): ScoredReply {
  const parsed = v.safeParse(SCORED_REPLY_FORM, parseObject(text ?? '', 'The scored reply'));
  if (!parsed.success) {
    const issue = parsed.issues[0];
    throw unusable(`${v.getDotPath(issue) ?? 'its top'}: ${issue.message}`, text);
  }
  const reply = parsed.output;
  const given = reply.controls.map(({ control }) => control);
  if (given.join(' ') !== controls.join(' ')) throw unusable(`the controls ${controls.join(', ')}`, text);
  const ids = reply.controls.flatMap(({ token_id }) => token_id ?? []);
  if (new Set(ids).size !== ids.length) throw unusable('a token of its own for each control', text);
  const kinds = reply.controls.map(({ logprob, at_most, probability: p }) => {
    const set = [logprob, at_most, p].filter((figure) => figure !== null).length;
    if (set !== 1) throw unusable('one figure for each control', text);
    return p !== null ? 'probability' : logprob !== null ? 'logprob' : 'at_most';
  });
  const stated = kinds.filter((kind) => kind === 'probability').length;
  const sum = reply.controls.reduce((total, control) => total + (control.probability ?? 0), 0);
  if (stated > 0 && (stated !== kinds.length || Math.abs(sum - 1) > PROBABILITY_SUM_TOLERANCE))
    throw unusable('probabilities that sum to 1', text);
  if (stated === 0 && !kinds.includes('logprob')) throw unusable('a log-probability for one control', text);
  return reply;
}

function unusable(expected: string, got: string | null): PixelproofError {
  return new PixelproofError('reply_unreadable', `A scored reply is not usable: it needs ${expected}.`, {
    expected,
    got,
  });
}

/** Probabilities over the controls; where one is only bounded, as if it had its bound. */
function distribution({ controls }: ScoredReply): number[] {
  if (controls.every(({ probability: p }) => p !== null)) return controls.map(({ probability: p }) => p ?? 0);
  return softmax(controls.map(({ logprob, at_most }) => logprob ?? at_most ?? Number.NaN));
}

/** The probability of `true` of a yes/no question: one figure, or one side of it where a control was not listed. */
export function noulOf(reply: ScoredReply): { readonly probability: number; readonly reading: Reading } {
  const [p = Number.NaN] = distribution(reply);
  const [yes, no] = reply.controls;
  const reading = {
    low: yes?.at_most == null ? p : 0,
    high: no?.at_most == null ? p : 1,
  };
  return { probability: p, reading };
}

export function choiceOf(reply: ScoredReply, { labels }: Question) {
  const probabilities = distribution(reply);
  const choice = choose(labels, probabilities);
  return { choice, confidence: probabilities[labels.indexOf(choice)] ?? 0 };
}
