import { PixelproofError } from '../../../errors';

/** A control with the tokens that count as it: the bare text first, then those of its variants that are one token. */
export interface ControlIds {
  readonly control: string;
  readonly ids: readonly number[];
}

/** Text of a control as an answer may begin with it. */
const variantsOf = (control: string): readonly string[] => [control, ` ${control}`, `\n${control}`];

/**
 * The tokens of each control. Throws `transformers_control_tokens` for a control that is not one token, and for two
 * that share one.
 */
export function controlIds(
  controls: readonly string[],
  encode: (text: string) => readonly number[],
): readonly ControlIds[] {
  const found = controls.map((control) => {
    const [bare, ...others] = variantsOf(control).map(encode);
    if (bare?.length !== 1) throw notOne(`one token for “${control}”`, bare);
    const ids = new Set([bare, ...others].filter((each) => each.length === 1).flat());
    return { control, ids: [...ids] };
  });
  const all = found.flatMap(({ ids }) => ids);
  if (new Set(all).size !== all.length) throw notOne('tokens of its own for each control', all);
  return found;
}

function notOne(expected: string, got: unknown): PixelproofError {
  return new PixelproofError(
    'transformers_control_tokens',
    'This model cannot be scored: its tokenizer does not write each control as one token.',
    { expected, got },
  );
}

/** What one forward pass said about the controls, and all that is needed to compute the scores again. */
export interface ControlLogits {
  readonly controls: readonly {
    readonly control: string;
    readonly ids: readonly number[];
    readonly logits: readonly number[];
  }[];
  /** Natural logarithm of the sum of the exponentials of every logit of the position. */
  readonly normaliser: number;
  readonly vocabulary: number;
}

/** Throws `transformers_logits` for a row that holds no finite numbers, or not the tokens that were asked for. */
export function controlLogits(row: ArrayLike<number>, controls: readonly ControlIds[]): ControlLogits {
  const normaliser = logSumExp(row);
  const found = controls.map(({ control, ids }) => ({
    control,
    ids,
    logits: ids.map((id) => row[id] ?? Number.NaN),
  }));
  const numbers = [normaliser, ...found.flatMap(({ logits }) => logits)];
  if (numbers.every((each) => Number.isFinite(each)))
    return { controls: found, normaliser, vocabulary: row.length };
  throw new PixelproofError('transformers_logits', 'The model gave no finite scores for the controls.', {
    expected: 'finite numbers',
    got: numbers.map(String).join(', '),
  });
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
