import { PixelproofError } from '../errors';
import { canonicalJson } from '../evidence/identity/canonical';
import type { Json } from '../evidence/identity/json';
import { sha256Large } from '../evidence/identity/sha256';
import type {
  Call,
  ChoiceQuestion,
  ControlScore,
  ExchangeRecord,
  Provider,
  ProviderDescription,
  RuntimeEvidence,
} from './provider';

/** What a scorer without a server answers to one question. */
export interface LocalScore {
  readonly controls: readonly ControlScore[];
  readonly tokens_evaluated: number | null;
  readonly model_in_reply?: string | null;
}

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
    const { controls, tokens_evaluated, model_in_reply } = this.#score(question, image_sha256);
    const record: ExchangeRecord = {
      request_sha256: null,
      image_sha256,
      attempt: 1,
      status: null,
      cause: null,
      reply_text: canonicalJson({
        level: null,
        controls: controls as unknown as Json,
        tokens_evaluated,
        listed: null,
        complete: false,
        off_option_mass: null,
      }),
      model_in_reply: model_in_reply ?? null,
      latency_us: 0,
      tokens: null,
      response_metadata_text: '{}',
      reply_error: null,
    };
    await call.record(record);
    return record;
  }
}

/** A yes/no answer as it is stated: of control 0, and the rest for control 1. */
function statedScore(controls: readonly string[], first: number): ControlScore[] {
  return controls.map((control, index) => ({
    control,
    token_id: null,
    logprob: null,
    at_most: null,
    probability: index === 0 ? first : index === 1 ? 1 - first : 0,
  }));
}

/** Two log-probabilities, as a server would list them. */
export function listedScore(controls: readonly string[], logprobs: readonly number[]): ControlScore[] {
  return controls.map((control, index) => ({
    control,
    token_id: index,
    logprob: logprobs[index] ?? -100,
    at_most: null,
    probability: null,
  }));
}

const IMAGED_TOKENS = 363;
const OMITTED_TOKENS = 104;
const MARKER = '<__media__>';

/** Prompt tokens as Gemma 3 was published to count them. */
function gemmaTokens({ prefix }: ChoiceQuestion): number {
  return prefix.includes(MARKER) ? IMAGED_TOKENS : OMITTED_TOKENS;
}

export const SCRIPTED_SCORER: ProviderDescription = {
  id: 'scripted',
  kind: 'wiring',
  label: 'Scripted scores (wiring check)',
  model: 'scripted',
  seed: 0,
  base_url: null,
};

/** Log-probabilities of about 0.97, 0.03 and 0.75 for control 0. */
export const SCRIPTED_LOGPROBS = {
  yes: [-0.03, -3.5],
  no: [-3.5, -0.03],
  unsure: [-0.29, -1.39],
} as const;

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
    if (answer === undefined) {
      throw new PixelproofError(
        'provider_no_scripted_reply',
        'No scripted score is written for this question.',
        {
          expected: 'a control of this plan',
          got: image ?? 'no picture',
        },
      );
    }
    return {
      controls: listedScore(question.controls, SCRIPTED_LOGPROBS[answer]),
      tokens_evaluated: gemmaTokens(question),
    };
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
  return new LocalScorer(BLIND_SCORER, (question) => ({
    controls: statedScore(question.controls, value),
    tokens_evaluated: gemmaTokens(question),
  }));
}
