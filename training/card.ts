import { sha256Large } from '../src/evidence/identity/sha256';
import { CANONICAL_STATES } from '../src/experiments/png-representation';
import { ARCADE_READER_CARD, ARCADE_READER_MODEL } from '../src/providers/in-page/arcade-reader-card';
import { OPSET } from './export';
import type { VariantAccuracy } from './measure';
import { heldOut, INPUT, RECIPE } from './recipe';

const COMMAND = 'npm run train:arcade-reader';

/** The model card that ships beside the model: what it is, how it was made, how often it is wrong. */
export async function modelCard(
  model: Uint8Array<ArrayBuffer>,
  parameters: number,
  accuracy: readonly VariantAccuracy[],
): Promise<object> {
  const states = CANONICAL_STATES.map((_, index) => index);
  const kept = states.filter(heldOut).length;
  return {
    name: ARCADE_READER_MODEL,
    licence: 'MIT',
    file: 'model.onnx',
    sha256: await sha256Large(model),
    bytes: model.length,
    opset: OPSET,
    parameters,
    architecture: [
      `picture ${INPUT.width} x ${INPUT.height}, RGB, each pixel the mean of a box of the full picture, (v / 255 - 0.5) / 0.5`,
      ...RECIPE.channels.map((channels) => `convolution 3 x 3, stride 2, ${channels} channels, rectifier`),
      'three linear heads on all features: tank 7, target 8, cooldown 2',
    ],
    asked_by: ARCADE_READER_CARD,
    training: {
      command: COMMAND,
      ...RECIPE,
      states_trained_on: states.length - kept,
      states_held_out: kept,
      steps: RECIPE.epochs * Math.ceil(((states.length - kept) * RECIPE.variants.length) / RECIPE.batch),
      sees: 'renders of this program only; no picture of any other origin',
    },
    accuracy,
    may_not_be_concluded: [
      'That a representation is easier or harder for any other model: this is one small network with one seed.',
      'That it sees as a person or a language model does: it was made for these pictures and knows nothing else.',
      'That its confidence is a probability of being right: it is high on recipes that it reads wrongly.',
      'Anything about states, sizes or games outside the 112 states of this experiment.',
    ],
  };
}
