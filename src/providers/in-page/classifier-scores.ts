import { PixelproofError } from '../../errors';
import type { CardOutput } from './card';
import type { Tensor } from './model-host';
import { softmax } from './softmax';

/** How far probabilities may be from 1 in all. */
const TOLERANCE = 0.01;

/**
 * An output as shares that sum to 1, in the order of the card's classes. Throws `model_inputs` for another count of
 * numbers than classes, `model_not_finite` for a score that is no number, `model_not_distribution` for probabilities
 * below 0 or not 1 in all.
 */
export function sharesOf(output: CardOutput, tensor: Tensor | undefined): number[] {
  const { name, classes, scores } = output;
  if (tensor?.type !== 'float32' || tensor.data.length !== classes.length) {
    throw new PixelproofError('model_inputs', `The model's output ${name} is not what its card says.`, {
      expected: `${classes.length} float32 numbers`,
      got: tensor === undefined ? 'no such output' : `${tensor.data.length} of ${tensor.type}`,
    });
  }
  const values = Array.from(tensor.data, Number);
  const wrong = values.find((value) => !Number.isFinite(value));
  if (wrong !== undefined) {
    throw new PixelproofError(
      'model_not_finite',
      `The model's output ${name} holds a score that is no number.`,
      {
        expected: 'finite numbers',
        got: String(wrong),
      },
    );
  }
  if (scores === 'logits') return softmax(values);
  const sum = values.reduce((total, value) => total + value, 0);
  if (values.some((value) => value < 0) || Math.abs(sum - 1) > TOLERANCE) {
    throw new PixelproofError(
      'model_not_distribution',
      `The model's output ${name} holds no probabilities; perhaps they are logits, which its card can say.`,
      { expected: `numbers from 0 that sum to 1 within ${TOLERANCE}`, got: `a sum of ${sum}` },
    );
  }
  return values.map((value) => value / sum);
}
