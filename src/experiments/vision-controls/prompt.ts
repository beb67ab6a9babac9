import { PixelproofError } from '../../errors';
import { BANNED_STATE_KEYS, MEDIA_MARKER, NEUTRAL_MARKER } from './protocol';
import { type Question, questionBlock } from './questions';

/** The turn wrappers whose prompts are known byte for byte. */
export const NATIVE_TEMPLATES = ['native_gemma3_turn', 'native_gemma4_turn'] as const;
export type NativeTemplate = (typeof NATIVE_TEMPLATES)[number];

const TURNS: { readonly [template in NativeTemplate]: readonly [string, string] } = {
  native_gemma3_turn: ['<start_of_turn>user\n', '<end_of_turn>\n<start_of_turn>model\n'],
  native_gemma4_turn: ['<|turn>user\n', '<turn|>\n<|turn>model\n<|channel>thought\n<channel|>'],
};

/** A caller's text with any media marker taken apart, so that only `contextOf` can promise a picture. */
function neutral(text: string): string {
  return text.replaceAll(MEDIA_MARKER, NEUTRAL_MARKER);
}

/** One marker line for each picture, then the state. */
export function contextOf(state: string, pictures: number): string {
  return `${`${MEDIA_MARKER}\n`.repeat(pictures)}${neutral(state)}`;
}

/**
 * The whole prefix of a scored question in a native turn, with the documented marker. No BOS: the server adds it. With a
 * native template imaged and omitted prompts differ in the marker line only.
 */
export function prefixOf(
  template: NativeTemplate,
  state: string,
  question: Question,
  pictures: number,
): string {
  const [open, close] = TURNS[template];
  return `${open}${contextOf(state, pictures)}\n\n${neutral(questionBlock(question))}${close}`;
}

/** What a chat end point gets as text: no wrapper and no marker, the server's own template does both. */
export function userText(state: string, question: Question): string {
  return `${neutral(state)}\n\n${neutral(questionBlock(question))}`;
}

/**
 * The annotation state: one line of JSON with `": "` and `", "`, characters kept as they are. Throws `state_keys` unless
 * `task_name` is its one key, and names a key that would give an answer away.
 */
export function annotationState(state: { readonly [key: string]: unknown }): string {
  const keys = Object.keys(state);
  const banned = keys.find((key) => BANNED_STATE_KEYS.includes(key));
  if (banned !== undefined || keys.length !== 1 || typeof state.task_name !== 'string') {
    throw new PixelproofError(
      'state_keys',
      banned === undefined
        ? 'The annotation state has exactly the one key task_name, a text.'
        : `The annotation state has the key ${banned}, which gives an answer away.`,
      { expected: 'task_name', got: keys.join(', ') || 'no key' },
    );
  }
  return `{"task_name": ${JSON.stringify(state.task_name)}}`;
}
