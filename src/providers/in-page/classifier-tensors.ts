import { PixelproofError } from '../../errors';
import type { ClassifierCard } from './card';
import type { ModelSession, Tensor, TensorSpec } from './model-host';
import { type Pixels, resize } from './reduce';

/** The input of one picture, by the card's rules. */
export function classifierInput({ input }: ClassifierCard, picture: Pixels): Tensor {
  const { width, height, layout, channels, divide_by, mean, std, resize: rule } = input;
  const { data } = resize(picture, width, height, rule);
  const places = width * height;
  const out = new Float32Array(places * 3);
  // Strides of a place and of a channel in the tensor.
  const [place, plane] = layout === 'NCHW' ? [1, places] : [3, 1];
  for (let channel = 0; channel < 3; channel += 1) {
    const from = channels === 'RGB' ? channel : 2 - channel;
    const [m, s] = [mean[channel] ?? 0, std[channel] ?? 1];
    for (let p = 0; p < places; p += 1)
      out[p * place + channel * plane] = ((data[p * 3 + from] as number) / divide_by - m) / s;
  }
  return { type: 'float32', shape: inputShape({ input }), data: out };
}

function inputShape({ input }: Pick<ClassifierCard, 'input'>): number[] {
  const { layout, width, height } = input;
  return layout === 'NCHW' ? [1, 3, height, width] : [1, height, width, 3];
}

/** Throws `model_inputs` where the file has other inputs or outputs than the card says. */
export function requireSpecs(card: ClassifierCard, { inputs, outputs }: ModelSession): void {
  const shape = inputShape(card);
  const [only] = inputs;
  const wanted = `one input ${card.input.name}, float32 [${shape.join(', ')}]`;
  if (inputs.length !== 1 || only?.name !== card.input.name || !fits(only, shape))
    throw misfit(wanted, inputs);
  for (const { name, classes } of card.outputs) {
    const found = outputs.find((output) => output.name === name);
    if (
      found === undefined ||
      !fits(found, found.shape.length === 1 ? [classes.length] : [1, classes.length])
    )
      throw misfit(`an output ${name}, float32 [1, ${classes.length}]`, outputs);
  }
}

/** Sides that are left open fit anything; a model that says nothing of its shape is tried. */
function fits({ type, shape }: TensorSpec, wanted: readonly number[]): boolean {
  if (type !== 'float32') return false;
  if (shape.length === 0) return true;
  return (
    shape.length === wanted.length &&
    shape.every((one, at) => typeof one === 'string' || one < 1 || one === wanted[at])
  );
}

function misfit(expected: string, got: readonly TensorSpec[]): PixelproofError {
  const said = got.map(({ name, type, shape }) => `${name}, ${type} [${shape.join(', ')}]`).join('; ');
  return new PixelproofError('model_inputs', 'The model has other inputs or outputs than its card says.', {
    expected,
    got: said === '' ? 'none' : said.slice(0, 300),
  });
}
