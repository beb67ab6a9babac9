import { canonicalJson } from '../../evidence/identity/canonical';
import type { Json, Sha256Id } from '../../evidence/identity/json';
import type { ChoiceQuestion, ControlScore, ExchangeRecord } from '../provider';
import { MEDIA_MARKER } from './llama-protocol';

/** What a scorer without a server answers to one question. */
export interface LocalScore {
  readonly controls: readonly ControlScore[];
  readonly tokens_evaluated: number | null;
  readonly model_in_reply?: string | null;
}

/** The whole record of an answer that was made inside the program. */
export function localRecord(image_sha256: Sha256Id | null, score: LocalScore): ExchangeRecord {
  const { controls, tokens_evaluated, model_in_reply } = score;
  return {
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

/** Log-probabilities of about 0.97, 0.03 and 0.75 for control 0. */
export const SCRIPTED_LOGPROBS = {
  yes: [-0.03, -3.5],
  no: [-3.5, -0.03],
  unsure: [-0.29, -1.39],
} as const;

export function scriptedScore(question: ChoiceQuestion, answer: keyof typeof SCRIPTED_LOGPROBS): LocalScore {
  return {
    controls: listedScore(question.controls, SCRIPTED_LOGPROBS[answer]),
    tokens_evaluated: gemmaTokens(question),
  };
}

/** The same value for every question, with the token counts of a harness that looks. */
export function blindScore(question: ChoiceQuestion, value: number): LocalScore {
  return { controls: statedScore(question.controls, value), tokens_evaluated: gemmaTokens(question) };
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

const IMAGED_TOKENS = 363;
const OMITTED_TOKENS = 104;

/** Prompt tokens as Gemma 3 was published to count them. */
function gemmaTokens({ prefix }: ChoiceQuestion): number {
  return prefix.includes(MEDIA_MARKER) ? IMAGED_TOKENS : OMITTED_TOKENS;
}
