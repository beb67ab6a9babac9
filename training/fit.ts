import type { RgbImage } from '../src/pixels/rgb-image';
import type { Pixels } from '../src/providers/in-page/reduce';
import { softmax } from '../src/providers/in-page/softmax';
import { Network } from './network';
import { moved, noisyPlanes } from './pictures';
import { answersOf, drawsOf, HEADS, heldOut, INPUT, RECIPE } from './recipe';

export interface FitOptions {
  readonly epochs: number;
  /** Renders of states; those that are held out are skipped. */
  readonly renders: readonly { readonly index: number; readonly image: RgbImage }[];
  readonly onEpoch?: (epoch: number, loss: number) => void;
}

/** Trains a network by the recipe. The same options give the same weights, bit by bit. */
export function trainNetwork({ epochs, renders, onEpoch }: FitOptions): Network {
  const { below, draw } = drawsOf(RECIPE.seed);
  const network = new Network(INPUT, RECIPE.channels, HEADS, draw);
  const velocities = network.parameters.map(({ data }) => new Float32Array(data.length));
  const seen = renders.filter(({ index }) => !heldOut(index));
  const shifted = new Map<string, Pixels>();
  const input = new Float32Array(INPUT.channels * INPUT.height * INPUT.width);
  const perEpoch = Math.ceil(seen.length / RECIPE.batch);
  const reach = 2 * RECIPE.noise.shift + 1;
  const [dark, light] = RECIPE.noise.brightness;
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    const order = shuffled(seen.length, below);
    let loss = 0;
    for (let step = 0; step < perEpoch; step += 1) {
      const batch = order.slice(step * RECIPE.batch, (step + 1) * RECIPE.batch);
      for (const { gradient } of network.parameters) gradient.fill(0);
      for (const at of batch) {
        const one = seen[at];
        if (one === undefined) continue;
        const [dx, dy] = [below(reach) - RECIPE.noise.shift, below(reach) - RECIPE.noise.shift];
        const key = `${at} ${dx} ${dy}`;
        const pixels = shifted.get(key) ?? moved(one.image, dx, dy);
        shifted.set(key, pixels);
        noisyPlanes(pixels, dark + (light - dark) * draw(), below(2 ** 32 - 1), input);
        loss += learn(network, input, answersOf(one.index), batch.length);
      }
      const done = (epoch * perEpoch + step) / (epochs * perEpoch);
      move(network, velocities, rateAt(done));
    }
    onEpoch?.(epoch, loss / seen.length);
  }
  return network;
}

/** Adds one picture's gradients; returns its loss, the surprise at the true classes. */
function learn(network: Network, input: Float32Array, answers: readonly number[], batch: number): number {
  let loss = 0;
  const gradients = network.forward(input).map((logits, head) => {
    const shares = softmax(logits);
    loss -= shares[answers[head] ?? 0] ?? 0;
    return shares.map((share, one) => {
      const wanted = (one === answers[head] ? 1 - RECIPE.smoothing : 0) + RECIPE.smoothing / shares.length;
      return (share - wanted) / batch;
    });
  });
  network.backward(gradients);
  return loss + gradients.length;
}

function move(network: Network, velocities: readonly Float32Array[], rate: number): void {
  for (const [index, { data, gradient, shape }] of network.parameters.entries()) {
    const velocity = velocities[index] ?? new Float32Array(0);
    const decay = shape.length > 1 ? RECIPE.weight_decay : 0;
    for (let i = 0; i < data.length; i += 1) {
      const pull = (gradient[i] as number) + decay * (data[i] as number);
      velocity[i] = RECIPE.momentum * (velocity[i] as number) - rate * pull;
      (data[i] as number) += velocity[i] as number;
    }
  }
}

function rateAt(done: number): number {
  const { constant_part, learning_rate } = RECIPE;
  if (done < constant_part) return learning_rate;
  return learning_rate * (1 - (0.99 * (done - constant_part)) / (1 - constant_part));
}

function shuffled(count: number, below: (count: number) => number): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i -= 1) {
    const j = below(i + 1);
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}
