import { canonicalJson } from '../../evidence/identity/canonical';
import type { Json } from '../../evidence/identity/json';
import { isPyObject, PyFloat, pyFloat, pythonCanonical } from '../../evidence/identity/python-json';
import { parsePythonJson } from '../../evidence/identity/python-json-parse';

export const TRANSFORMERS = 'transformers';

/** How the weights are stored; part of a file's name. `fp16` and `q4f16` need a GPU that computes in half precision. */
export const DTYPES = ['fp32', 'fp16', 'int8', 'uint8', 'q8', 'q4', 'q4f16', 'bnb4'] as const;
export type Dtype = (typeof DTYPES)[number];

/** Which weights run, in which precision, and on what: another of the three is another model. */
export interface VlmChoice {
  readonly name: string;
  readonly dtype: Dtype;
  readonly backend: 'wasm' | 'webgpu';
}

const NAME = new RegExp(`^(\\S(?:.{0,198}\\S)?) (${DTYPES.join('|')})( on webgpu)?$`, 'u');

/** As it stands in plans and provider configurations: `HuggingFaceTB/SmolVLM-256M-Instruct int8`. */
export function vlmModel({ name, dtype, backend }: VlmChoice): string {
  return `${name} ${dtype}${backend === 'webgpu' ? ' on webgpu' : ''}`;
}

/** Null for a text that `vlmModel` does not write. */
export function readVlmModel(model: string): VlmChoice | null {
  const [, name, dtype, gpu] = NAME.exec(model) ?? [];
  const known = DTYPES.find((each) => each === dtype);
  if (name === undefined || known === undefined) return null;
  return { name, dtype: known, backend: gpu === undefined ? 'wasm' : 'webgpu' };
}

/** What one forward pass said about the controls, and all that is needed to compute the scores again. */
export interface ControlLogits {
  readonly controls: readonly {
    readonly control: string;
    /** Tokens that count as the control: the bare text first. */
    readonly ids: readonly number[];
    readonly logits: readonly number[];
  }[];
  /** Natural logarithm of the sum of the exponentials of every logit of the position. */
  readonly normaliser: number;
  readonly vocabulary: number;
}

export interface VlmScored extends ControlLogits {
  /** Tokens of the prompt, those of the picture among them. */
  readonly prompt_tokens: number;
}

/** Engines differ in the last bit of an exponential; a score is given to a millionth. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/**
 * What `reply_text` holds after a scored question. Credit level B: the model's own template, every token of the
 * vocabulary scored, and the prompt's tokens counted, so that a picture which was not attached shows.
 */
export function vlmScoredText(scored: VlmScored): string {
  const logprobs = controlLogprobs(scored);
  const mass = logprobs.reduce((sum, logprob) => sum + Math.exp(logprob), 0);
  return canonicalJson({
    level: 'B',
    controls: scored.controls.map(({ control, ids }, index) => ({
      control,
      token_id: ids[0] ?? null,
      logprob: rounded(logprobs[index] ?? Number.NaN),
      at_most: null,
      probability: null,
    })),
    tokens_evaluated: scored.prompt_tokens,
    listed: scored.vocabulary,
    complete: true,
    off_option_mass: rounded(Math.min(1, Math.max(0, 1 - mass))),
  } satisfies { readonly [key: string]: Json });
}

/** Log-probability of each control over the whole vocabulary: the log-sum-exp of its tokens. */
export function controlLogprobs({ controls, normaliser }: ControlLogits): number[] {
  return controls.map(({ logits }) => Math.min(0, logSumExp(logits) - normaliser));
}

/** The natural logarithm of a sum of exponentials, without overflow; -Infinity for nothing. */
export function logSumExp(values: ArrayLike<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let each = 0; each < values.length; each += 1) most = Math.max(most, values[each] ?? Number.NaN);
  if (!Number.isFinite(most)) return most;
  let sum = 0;
  for (let each = 0; each < values.length; each += 1) sum += Math.exp((values[each] ?? 0) - most);
  return most + Math.log(sum);
}

/** The attempt's metadata: the logits and token ids that the score was computed from. */
export function vlmMetadata({ controls, normaliser, vocabulary, prompt_tokens }: VlmScored): string {
  return pythonCanonical({
    controls: controls.map(({ control, ids, logits }) => ({
      control,
      ids: [...ids],
      logits: logits.map(pyFloat),
    })),
    normaliser: pyFloat(normaliser),
    prompt_tokens,
    vocabulary,
  });
}

/** What a record's metadata says was computed; null where it is not of this form. */
export function readVlmMetadata(text: string): VlmScored | null {
  try {
    const value = parsePythonJson(text);
    if (!isPyObject(value) || !Array.isArray(value.controls)) return null;
    const controls = value.controls.map(controlOf);
    const normaliser = numberOf(value.normaliser);
    const [prompt_tokens, vocabulary] = [wholeOf(value.prompt_tokens), wholeOf(value.vocabulary)];
    if (normaliser === null || prompt_tokens === null || vocabulary === null) return null;
    const whole = controls.flatMap((control) => control ?? []);
    return whole.length === controls.length
      ? { controls: whole, normaliser, prompt_tokens, vocabulary }
      : null;
  } catch {
    return null;
  }
}

function controlOf(value: unknown): ControlLogits['controls'][number] | null {
  if (typeof value !== 'object' || value === null) return null;
  const { control, ids, logits } = value as Record<string, unknown>;
  if (typeof control !== 'string' || !Array.isArray(ids) || !Array.isArray(logits)) return null;
  const [whole, numbers] = [ids.map(wholeOf), logits.map(numberOf)];
  const [known, read] = [whole.flatMap((id) => id ?? []), numbers.flatMap((each) => each ?? [])];
  const fits = known.length === whole.length && read.length === known.length && known.length > 0;
  return fits ? { control, ids: known, logits: read } : null;
}

function numberOf(value: unknown): number | null {
  return value instanceof PyFloat ? value.value : null;
}

function wholeOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
