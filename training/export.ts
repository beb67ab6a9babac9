import type { Network } from './network';
import { type Node, type Weights, writeOnnx } from './onnx-writer';
import { INPUT } from './recipe';

export const OPSET = 13;

/** The network as an ONNX file: pictures in, one row of logits a head out, any number of pictures at once. */
export function toOnnx(network: Network, name: string): Uint8Array<ArrayBuffer> {
  const nodes: Node[] = [];
  const weights: Weights[] = network.parameters.map(({ name: each, shape, data }) => ({
    name: each,
    shape,
    data,
  }));
  let value = 'image';
  for (const { parameters } of network.convolutions) {
    const [weight, bias] = parameters;
    const raw = `${weight.name}.sum`;
    const out = `${weight.name}.out`;
    nodes.push({
      op: 'Conv',
      inputs: [value, weight.name, bias.name],
      outputs: [raw],
      attributes: { dilations: [1, 1], group: 1, kernel_shape: [3, 3], pads: [1, 1, 1, 1], strides: [2, 2] },
    });
    nodes.push({ op: 'Relu', inputs: [raw], outputs: [out] });
    value = out;
  }
  nodes.push({ op: 'Flatten', inputs: [value], outputs: ['features'], attributes: { axis: 1 } });
  for (const { name: head, parameters } of network.heads) {
    const [weight, bias] = parameters;
    nodes.push({
      op: 'Gemm',
      inputs: ['features', weight.name, bias.name],
      outputs: [head],
      attributes: { transB: 1 },
    });
  }
  return writeOnnx({
    name,
    producer: 'pixelproof training/train.ts',
    opset: OPSET,
    nodes,
    weights,
    inputs: [{ name: 'image', shape: ['pictures', INPUT.channels, INPUT.height, INPUT.width] }],
    outputs: network.heads.map(({ name: head, classes }) => ({ name: head, shape: ['pictures', classes] })),
  });
}
