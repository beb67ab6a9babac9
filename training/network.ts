/**
 * A small convolutional network with several heads, and its gradients: what arcade-reader is trained with. Everything is
 * additions and multiplications of doubles kept as float32, in a fixed order, so that a training run gives the same bytes
 * on every machine.
 */
export interface Shape {
  readonly channels: number;
  readonly height: number;
  readonly width: number;
}

export interface Parameter {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float32Array;
  readonly gradient: Float32Array;
}

/** A number from 0 up to 1. */
export type Draw = () => number;

const SIDE = 3;
const TAPS = SIDE * SIDE;

function parameter(name: string, shape: readonly number[], fill: () => number): Parameter {
  const size = shape.reduce((product, side) => product * side, 1);
  return { name, shape, data: Float32Array.from({ length: size }, fill), gradient: new Float32Array(size) };
}

/** Uniform, with the variance that keeps signals alive through rectifiers (He et al. 2015). */
function spread(inputs: number, draw: Draw): () => number {
  const bound = Math.sqrt(6 / inputs);
  return () => (2 * draw() - 1) * bound;
}

/** 3 x 3 taps, stride 2, a margin of one zero, then a rectifier. Sides must be even. */
export class Convolution {
  readonly parameters: readonly [Parameter, Parameter];
  readonly to: Shape;
  readonly #from: Shape;
  readonly #patches: Float32Array;
  readonly #out: Float32Array;
  readonly #back: Float32Array;

  constructor(name: string, from: Shape, channels: number, draw: Draw) {
    const taps = from.channels * TAPS;
    this.#from = from;
    this.to = { channels, height: from.height / 2, width: from.width / 2 };
    const places = this.to.height * this.to.width;
    this.parameters = [
      parameter(`${name}.weight`, [channels, from.channels, SIDE, SIDE], spread(taps, draw)),
      parameter(`${name}.bias`, [channels], () => 0),
    ];
    this.#patches = new Float32Array(taps * places);
    this.#out = new Float32Array(channels * places);
    this.#back = new Float32Array(from.channels * from.height * from.width);
  }

  forward(input: Float32Array): Float32Array {
    this.#gather(input);
    const [weight, bias] = this.parameters;
    const places = this.to.height * this.to.width;
    const taps = this.#from.channels * TAPS;
    const out = this.#out;
    const patches = this.#patches;
    for (let channel = 0; channel < this.to.channels; channel += 1) {
      const at = channel * places;
      out.fill(bias.data[channel] as number, at, at + places);
      for (let tap = 0; tap < taps; tap += 1) {
        const w = weight.data[channel * taps + tap] as number;
        const row = tap * places;
        for (let p = 0; p < places; p += 1) (out[at + p] as number) += w * (patches[row + p] as number);
      }
    }
    for (let i = 0; i < out.length; i += 1) if ((out[i] as number) < 0) out[i] = 0;
    return out;
  }

  /** `gradient` is of the last output and is changed here; returns that of the last input, null where nobody needs it. */
  backward(gradient: Float32Array, wanted: boolean): Float32Array | null {
    const [weight, bias] = this.parameters;
    const places = this.to.height * this.to.width;
    const taps = this.#from.channels * TAPS;
    const patches = this.#patches;
    for (let i = 0; i < gradient.length; i += 1) if (this.#out[i] === 0) gradient[i] = 0;
    for (let channel = 0; channel < this.to.channels; channel += 1) {
      const at = channel * places;
      let whole = 0;
      for (let p = 0; p < places; p += 1) whole += gradient[at + p] as number;
      (bias.gradient[channel] as number) += whole;
      for (let tap = 0; tap < taps; tap += 1) {
        const row = tap * places;
        let sum = 0;
        for (let p = 0; p < places; p += 1)
          sum += (gradient[at + p] as number) * (patches[row + p] as number);
        (weight.gradient[channel * taps + tap] as number) += sum;
      }
    }
    if (!wanted) return null;
    // The patches are not needed any more, so their gradients take their place.
    patches.fill(0);
    for (let tap = 0; tap < taps; tap += 1) {
      const row = tap * places;
      for (let channel = 0; channel < this.to.channels; channel += 1) {
        const w = weight.data[channel * taps + tap] as number;
        const at = channel * places;
        for (let p = 0; p < places; p += 1) (patches[row + p] as number) += w * (gradient[at + p] as number);
      }
    }
    return this.#scatter();
  }

  #gather(input: Float32Array): void {
    this.#patches.fill(0);
    this.#each((patch, pixel) => {
      this.#patches[patch] = input[pixel] as number;
    });
  }

  #scatter(): Float32Array {
    this.#back.fill(0);
    this.#each((patch, pixel) => {
      (this.#back[pixel] as number) += this.#patches[patch] as number;
    });
    return this.#back;
  }

  /** Every pair of a place in the patches and the pixel that it shows; margins are left out. */
  #each(take: (patch: number, pixel: number) => void): void {
    const { channels, height, width } = this.#from;
    let patch = 0;
    for (let channel = 0; channel < channels; channel += 1) {
      for (let tap = 0; tap < TAPS; tap += 1) {
        const [dy, dx] = [Math.floor(tap / SIDE) - 1, (tap % SIDE) - 1];
        for (let y = dy; y < height + dy; y += 2) {
          for (let x = dx; x < width + dx; x += 2, patch += 1) {
            if (y >= 0 && x >= 0 && y < height && x < width) take(patch, (channel * height + y) * width + x);
          }
        }
      }
    }
  }
}

/** A plain linear layer: one score a class. */
export class Head {
  readonly name: string;
  readonly classes: number;
  readonly parameters: readonly [Parameter, Parameter];
  readonly #inputs: number;
  readonly #out: Float32Array;

  constructor(name: string, inputs: number, classes: number, draw: Draw) {
    this.name = name;
    this.classes = classes;
    this.#inputs = inputs;
    this.parameters = [
      parameter(`${name}.weight`, [classes, inputs], spread(inputs, draw)),
      parameter(`${name}.bias`, [classes], () => 0),
    ];
    this.#out = new Float32Array(classes);
  }

  forward(input: Float32Array): Float32Array {
    const [weight, bias] = this.parameters;
    for (let one = 0; one < this.classes; one += 1) {
      let sum = bias.data[one] as number;
      const row = one * this.#inputs;
      for (let i = 0; i < this.#inputs; i += 1)
        sum += (weight.data[row + i] as number) * (input[i] as number);
      this.#out[one] = sum;
    }
    return this.#out;
  }

  /** Adds this head's part to `back`, the gradient of the input. */
  backward(gradient: readonly number[], input: Float32Array, back: Float32Array): void {
    const [weight, bias] = this.parameters;
    for (let one = 0; one < this.classes; one += 1) {
      const g = gradient[one] as number;
      (bias.gradient[one] as number) += g;
      const row = one * this.#inputs;
      for (let i = 0; i < this.#inputs; i += 1) {
        (weight.gradient[row + i] as number) += g * (input[i] as number);
        (back[i] as number) += g * (weight.data[row + i] as number);
      }
    }
  }
}

export class Network {
  readonly from: Shape;
  readonly convolutions: readonly Convolution[];
  readonly heads: readonly Head[];
  readonly parameters: readonly Parameter[];
  readonly #back: Float32Array;
  #features: Float32Array = new Float32Array(0);

  constructor(
    from: Shape,
    channels: readonly number[],
    heads: readonly (readonly [name: string, classes: number])[],
    draw: Draw,
  ) {
    this.from = from;
    const convolutions: Convolution[] = [];
    let shape = from;
    for (const [index, count] of channels.entries()) {
      const next = new Convolution(`conv${index + 1}`, shape, count, draw);
      convolutions.push(next);
      shape = next.to;
    }
    const features = shape.channels * shape.height * shape.width;
    this.convolutions = convolutions;
    this.heads = heads.map(([name, classes]) => new Head(name, features, classes, draw));
    this.parameters = [...convolutions, ...this.heads].flatMap(({ parameters }) => parameters);
    this.#back = new Float32Array(features);
  }

  /** One score a class for each head, which the next call overwrites. `input` is channels x height x width. */
  forward(input: Float32Array): readonly Float32Array[] {
    let values = input;
    for (const convolution of this.convolutions) values = convolution.forward(values);
    this.#features = values;
    return this.heads.map((head) => head.forward(values));
  }

  /** Adds the gradients of the last forward call to those of the parameters. */
  backward(gradients: readonly (readonly number[])[]): void {
    this.#back.fill(0);
    for (const [index, head] of this.heads.entries())
      head.backward(gradients[index] ?? [], this.#features, this.#back);
    let back: Float32Array | null = this.#back;
    for (let index = this.convolutions.length - 1; index >= 0 && back !== null; index -= 1)
      back = this.convolutions[index]?.backward(back, index > 0) ?? null;
  }
}
