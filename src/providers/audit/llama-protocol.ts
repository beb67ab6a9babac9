import { PixelproofError } from '../../errors';
import { toBase64 } from '../base64';
import { type ControlToken, candidatesOf, countOf, readCandidates } from '../candidates';
import type { ChoiceQuestion } from '../provider';
import type { ReadReply, Root } from './scored-body';

/** The documented marker, and what builds without a `media_marker` of their own use. */
export const MEDIA_MARKER = '<__media__>';
/** The vocabulary of Gemma 3 and 4, where a server does not say its own. */
export const FULL_VOCABULARY = 262144;

/** What varies between two calls about one question; the exchange record keeps it, so that the body can be made again. */
export interface LlamaSent {
  /** The server's own marker, which stands in for the documented one just before sending. */
  readonly media_marker: string;
  readonly n_probs: number;
  readonly n_predict: number;
}

/** The scoring request, key for key as the source sends it. */
export function llamaRequest(model: string, { prefix, image }: ChoiceQuestion, sent: LlamaSent) {
  return {
    prompt:
      image === null
        ? prefix
        : {
            prompt_string: prefix.replaceAll(MEDIA_MARKER, sent.media_marker),
            multimodal_data: [toBase64(image)],
          },
    model,
    n_predict: sent.n_predict,
    n_probs: sent.n_probs,
    temperature: 0,
    top_k: 0,
    top_p: 1,
    post_sampling_probs: false,
    stream: false,
    cache_prompt: false,
  };
}

/** Throws as `readCandidates`, and `provider_control_tokens` for a control that was never tokenised. */
export function readLlamaReply(
  root: Root,
  controls: readonly string[],
  tokenOf: (control: string) => number | null,
  vocabulary: number | null,
): ReadReply {
  const list = root.completion_probabilities ?? root.probs;
  const first = Array.isArray(list) ? (list[0] as Root | undefined) : undefined;
  const tokens: ControlToken[] = controls.map((control) => {
    const id = tokenOf(control);
    if (id === null) throw controlTokens('a control that was tokenised at the start', control);
    return { control, id };
  });
  return {
    reply: readCandidates({
      // Without ids nothing can be matched: a token's text is no identity here.
      candidates: candidatesOf(first?.top_logprobs).map((each) => ({ ...each, token: '' })),
      controls: tokens,
      tokens_evaluated: countOf(root.tokens_evaluated),
      vocabulary,
      level: 'A',
      bounded: false,
    }),
    model: root.model,
    completionTokens: root.tokens_predicted,
    notes: {},
  };
}

export function controlTokens(expected: string, got: unknown): PixelproofError {
  return new PixelproofError(
    'provider_control_tokens',
    'A control must be exactly one token, each its own.',
    { expected, got },
  );
}
