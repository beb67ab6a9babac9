import { PixelproofError } from '../../errors';
import {
  isPyObject,
  PyFloat,
  type PyObject,
  type PyValue,
  pyFloat,
} from '../../evidence/identity/python-json';
import { numeric } from './json';
import { ACTIONS, type ActionId, OPTIONS } from './protocol';
import { pythonSum } from './python-sum';
import { QUESTION } from './request';

/** A response that passed every check. */
export interface Decision {
  readonly model: string;
  readonly action: ActionId;
  readonly choice: string;
  readonly reportedChoice: string;
  /** Whether the reported choice has the highest probability, ties included. */
  readonly consistent: boolean;
  /** In option order. */
  readonly reported: readonly number[];
  /** `reported` over its sum. */
  readonly normalised: readonly number[];
  readonly confidence: number;
  readonly usage: PyValue;
}

/** What a response must be to be acted on; `provider_decision_invalid` says what it was not. */
export function decodeDecision(response: PyObject): Decision {
  const { model, answers } = response;
  if (typeof model !== 'string' || model === '') throw invalid('a model name', model);
  if (!isPyObject(answers) || Object.keys(answers).join() !== QUESTION)
    throw invalid(
      `answers to ${QUESTION} and to nothing else`,
      answers === undefined ? 'none' : namesOf(answers),
    );
  const answer = answers[QUESTION];
  if (!isPyObject(answer) || answer.type !== 'choice')
    throw invalid('an answer of type choice', 'another type');
  const reported = probabilitiesOf(answer.probabilities);
  const confidence = shareOf(answer.confidence, 'confidence');
  const sum = numeric(pythonSum(reported.map(pyFloat)));
  const tolerance = reported.every(twoDecimals) ? 6 * 0.005 + 1e-7 : 1e-4;
  if (!(sum > 0 && Math.abs(sum - 1) <= tolerance))
    throw invalid(`probabilities that sum to 1 within ${tolerance}`, `a sum of ${sum}`);
  const reportedChoice = answer.choice;
  const reportedAt = typeof reportedChoice === 'string' ? OPTIONS.indexOf(reportedChoice) : -1;
  if (typeof reportedChoice !== 'string' || reportedAt === -1)
    throw invalid(`a choice among ${OPTIONS.join(', ')}`, 'another choice');
  const highest = Math.max(...reported);
  const consistent = (reported[reportedAt] ?? 0) + 1e-12 >= highest;
  const at = consistent ? reportedAt : reported.indexOf(highest);
  return {
    model,
    action: (ACTIONS[at]?.id ?? 0) as ActionId,
    choice: OPTIONS[at] ?? '',
    reportedChoice,
    consistent,
    reported,
    normalised: reported.map((probability) => probability / sum),
    confidence,
    usage: response.usage ?? null,
  };
}

function probabilitiesOf(value: PyValue | undefined): number[] {
  if (!isPyObject(value)) throw invalid('probabilities by option', 'none');
  const names = Object.keys(value);
  if (names.length !== OPTIONS.length || OPTIONS.some((option) => !names.includes(option)))
    throw invalid(`probabilities of ${OPTIONS.join(', ')}`, namesOf(value));
  return OPTIONS.map((option) => shareOf(value[option], `the probability of ${option}`));
}

function shareOf(value: PyValue | undefined, what: string): number {
  const number = finiteOf(value);
  if (number !== null && number >= 0 && number <= 1) return number;
  throw invalid(`${what} from 0 to 1`, number ?? 'no finite number');
}

function finiteOf(value: PyValue | undefined): number | null {
  if (value instanceof PyFloat) return value.value;
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
}

/** Within 1e-10 of a number with two decimals. */
function twoDecimals(probability: number): boolean {
  return Math.abs(probability - Math.round(probability * 100) / 100) < 1e-10;
}

/** Key names only, cut short: a response's other text is quoted nowhere. */
function namesOf(value: PyValue): string {
  return isPyObject(value)
    ? `the keys ${Object.keys(value).slice(0, 8).join(', ').slice(0, 120)}`
    : 'no object';
}

function invalid(expected: string, got: unknown): PixelproofError {
  return new PixelproofError(
    'provider_decision_invalid',
    'The response is no decision that may be acted on.',
    {
      expected,
      got,
    },
  );
}

/**
 * What the ledger keeps of a response that was refused: the choice if it is one of the options, and of the six
 * probabilities those that are finite numbers. No other text of the response.
 */
export function validationFailure(response: PyObject): PyObject {
  const answers = response.answers;
  const answer = isPyObject(answers) ? answers[QUESTION] : null;
  const { choice, probabilities } = isPyObject(answer) ? answer : { choice: null, probabilities: null };
  const given: PyObject = isPyObject(probabilities) ? probabilities : {};
  return {
    [QUESTION]: {
      known_choice: typeof choice === 'string' && OPTIONS.includes(choice) ? choice : null,
      probabilities: Object.fromEntries(
        OPTIONS.map((option) => {
          const number = finiteOf(given[option]);
          return [option, number === null || !Number.isFinite(number) ? null : pyFloat(number)];
        }),
      ),
    },
  };
}

/** The prediction's `action_probabilities` and `choice_answer`, keys in the published order. */
export function decisionJson(decision: Decision): { byId: PyObject; choiceAnswer: PyObject } {
  const named = (shares: readonly number[], name: (at: number) => string): PyObject =>
    Object.fromEntries(shares.map((share, at) => [name(at), pyFloat(share)]));
  const option = (at: number) => OPTIONS[at] ?? '';
  return {
    byId: named(decision.normalised, String),
    choiceAnswer: {
      choice: decision.choice,
      reported_choice: decision.reportedChoice,
      choice_matches_probabilities: decision.consistent,
      probabilities: named(decision.normalised, option),
      reported_probabilities: named(decision.reported, option),
      confidence: pyFloat(decision.confidence),
    },
  };
}
