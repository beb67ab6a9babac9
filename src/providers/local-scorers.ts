import { PixelproofError } from '../errors';
import { sha256Large } from '../evidence/identity/sha256';
import {
  blindScore,
  type LocalScore,
  localRecord,
  type SCRIPTED_LOGPROBS,
  scriptedScore,
} from './audit/local-protocol';
import type {
  Call,
  ChoiceQuestion,
  ExchangeRecord,
  Provider,
  ProviderDescription,
  RuntimeEvidence,
} from './provider';

/** Scores inside the program: the scripted wiring check, the blind harness, and the saboteurs. */
export class LocalScorer implements Provider {
  readonly capabilities = ['image-text-to-choices'] as const;
  readonly description: ProviderDescription;
  readonly #score: (question: ChoiceQuestion, image: string | null) => LocalScore;

  constructor(
    description: ProviderDescription,
    score: (question: ChoiceQuestion, image: string | null) => LocalScore,
  ) {
    this.description = description;
    this.#score = score;
  }

  async start(): Promise<RuntimeEvidence> {
    return {
      runtime_name: 'in-process',
      runtime_version: null,
      model_digest: null,
      details: { vision: null, scorer: this.description.id },
    };
  }

  /** The scorer gets the question and the digest of its picture. */
  async scoreChoices(question: ChoiceQuestion, call: Call): Promise<ExchangeRecord> {
    call.signal.throwIfAborted();
    const image_sha256 = question.image === null ? null : await sha256Large(question.image);
    const record = localRecord(image_sha256, this.#score(question, image_sha256));
    await call.record(record);
    return record;
  }
}

export const SCRIPTED_SCORER: ProviderDescription = {
  id: 'scripted',
  kind: 'wiring',
  label: 'Scripted scores (wiring check)',
  model: 'scripted',
  seed: 0,
  base_url: null,
};

/** What a scripted answer is found by: the picture's digest and the whole prompt. */
export function scriptedKey(image: string | null, prefix: string): string {
  return `${image ?? 'no picture'} ${prefix}`;
}

/**
 * Answers from a table made before any question: it proves the wiring, and says nothing about perception. Throws
 * `provider_no_scripted_reply` for a question that nobody wrote an answer for.
 */
export function scriptedScorer(answers: ReadonlyMap<string, keyof typeof SCRIPTED_LOGPROBS>): LocalScorer {
  return new LocalScorer(SCRIPTED_SCORER, (question, image) => {
    const answer = answers.get(scriptedKey(image, question.prefix));
    if (answer !== undefined) return scriptedScore(question, answer);
    throw new PixelproofError(
      'provider_no_scripted_reply',
      'No scripted score is written for this question.',
      {
        expected: 'a control of this plan',
        got: image ?? 'no picture',
      },
    );
  });
}

export const BLIND_SCORER: ProviderDescription = {
  id: 'blind',
  kind: 'wiring',
  label: 'Blind harness (every value the same)',
  model: 'blind',
  seed: 0,
  base_url: null,
};

/** A harness that does not look: every question gets the same value, and the token counts are those of one that does. */
export function blindScorer(value: number): LocalScorer {
  return new LocalScorer(BLIND_SCORER, (question) => blindScore(question, value));
}
