import { PixelproofError } from '../../../errors';
import { type ControlLogits, logSumExp } from '../../audit/vlm-protocol';

/** A control with the tokens that count as it: the bare text first, then those of its variants that are one token. */
export interface ControlIds {
  readonly control: string;
  readonly ids: readonly number[];
}

/** Text of a control as an answer may begin with it. */
const variantsOf = (control: string): readonly string[] => [control, ` ${control}`, `\n${control}`];

/**
 * The tokens of each control. Throws `model_control_tokens` for a control that is not one token, and for two
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
    'model_control_tokens',
    'This model cannot be scored: its tokenizer does not write each control as one token.',
    { expected, got },
  );
}

/** Throws `model_not_finite` for a row that holds no finite numbers, or not the tokens that were asked for. */
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
  throw new PixelproofError('model_not_finite', 'The model gave no finite scores for the controls.', {
    expected: 'finite numbers',
    got: numbers.map(String).join(', '),
  });
}
