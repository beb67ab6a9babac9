import { PixelproofError } from '../../errors';
import type { Json } from '../../evidence/identity/json';
import { type ControlToken, countOf, readCandidates } from '../candidates';
import type { ChatShape } from '../chat-shapes';
import type { ChoiceQuestion, ScoredReply } from '../provider';
import type { ReadReply, Root } from './scored-body';

/** The end of a provider's id that draws answers instead of reading log-probabilities: credit level D. */
export const SAMPLED = '-sampled';
/** How many answers are drawn then. */
export const DRAWN = 16;

/** How one server is asked: its form, the tokens of its controls, and whether answers are drawn. */
export interface ChatProtocol {
  readonly shape: ChatShape;
  readonly model: string;
  readonly tokens: readonly ControlToken[];
  /** Answers to draw where a server gives no log-probabilities; 0 asks for log-probabilities. */
  readonly samples: number;
}

/** The request of one call. `exactIds` is false for a build that has refused the exact-id field. */
export function chatRequest(
  { shape, model, tokens, samples }: ChatProtocol,
  question: ChoiceQuestion,
  exactIds: boolean,
): Json {
  const body = shape.body(model, question, tokens);
  if (samples > 0) {
    const { logprobs: _, top_logprobs: __, ...plain } = body;
    return { ...plain, n: samples, temperature: 1 };
  }
  return !exactIds && shape.fallback !== undefined ? shape.fallback(body) : body;
}

/** Throws as `readCandidates`. */
export function readChatReply({ shape, tokens, samples }: ChatProtocol, root: Root): ReadReply {
  if (samples > 0) return readSampled(tokens, root);
  const { candidates, promptTokens, completionTokens, model } = shape.read(root);
  const reply = readCandidates({
    candidates,
    controls: tokens,
    tokens_evaluated: promptTokens,
    vocabulary: null,
    level: 'B',
    bounded: true,
  });
  return { reply, model, completionTokens, notes: {} };
}

/** Frequencies of the controls among the answers drawn; other answers count for none. */
function readSampled(tokens: readonly ControlToken[], root: Root): ReadReply {
  const choices = Array.isArray(root.choices) ? (root.choices as readonly Root[]) : [];
  const said = choices.map(({ message }) => String((message as Root | null)?.content ?? '').trim());
  const counts = tokens.map(({ control }) => said.filter((text) => text === control).length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) {
    throw new PixelproofError('provider_control_missing', 'None of the sampled answers is a control.', {
      expected: tokens.map(({ control }) => control).join(' or '),
      got: said.join(', '),
    });
  }
  const usage = root.usage as Root | null | undefined;
  const reply: ScoredReply = {
    level: 'D',
    controls: tokens.map(({ control }, index) => ({
      control,
      token_id: null,
      logprob: null,
      at_most: null,
      probability: (counts[index] ?? 0) / total,
    })),
    tokens_evaluated: countOf(usage?.prompt_tokens),
    listed: null,
    complete: false,
    off_option_mass: null,
  };
  const notes = { samples: said.length, counted: total };
  return { reply, model: root.model, completionTokens: usage?.completion_tokens, notes };
}
