/**
 * Writes ONNX model files: the few messages of onnx.proto (ONNX 1.x, field numbers as published there) that a network of
 * ours needs, in protocol-buffer wire format. The same calls give the same bytes.
 */
type Bytes = readonly number[] | Uint8Array;

function varint(value: number): number[] {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    out.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return [...out, Number(rest)];
}

/** Joins parts without spreading large ones over the stack. */
function join(parts: readonly Bytes[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const int = (field: number, value: number): Bytes => [...varint(field << 3), ...varint(value)];
const bytes = (field: number, value: Bytes): Bytes =>
  join([varint((field << 3) | 2), varint(value.length), value]);
const text = (field: number, value: string): Bytes => bytes(field, new TextEncoder().encode(value));
const message = (field: number, ...parts: readonly Bytes[]): Bytes => bytes(field, join(parts));

/** Values of TensorProto.DataType and AttributeProto.AttributeType. */
const FLOAT = 1;
const INT64 = 7;
const VALUE_TYPES = { float32: FLOAT, int64: INT64, bool: 9 } as const;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;

/** A side that is a text is left open, under that name. */
export interface ValueInfo {
  readonly name: string;
  readonly shape: readonly (number | string)[];
  /** float32 where nothing is said. */
  readonly type?: keyof typeof VALUE_TYPES;
}

export interface Weights {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float32Array | readonly bigint[];
}

export interface Node {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

export interface Model {
  readonly name: string;
  readonly producer: string;
  readonly opset: number;
  readonly nodes: readonly Node[];
  readonly weights: readonly Weights[];
  readonly inputs: readonly ValueInfo[];
  readonly outputs: readonly ValueInfo[];
}

/** The model as a file, IR version 8. */
export function writeOnnx(model: Model): Uint8Array<ArrayBuffer> {
  return join([
    int(1, 8),
    text(2, model.producer),
    message(
      7,
      ...model.nodes.map(nodeOf),
      text(2, model.name),
      ...model.weights.map(weightsOf),
      ...model.inputs.map((value) => valueInfo(11, value)),
      ...model.outputs.map((value) => valueInfo(12, value)),
    ),
    message(8, text(1, ''), int(2, model.opset)),
  ]);
}

function nodeOf({ op, inputs, outputs, attributes = {} }: Node): Bytes {
  return message(
    1,
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, op),
    ...Object.entries(attributes).map(([name, value]) =>
      typeof value === 'number'
        ? message(5, text(1, name), int(3, value), int(20, ATTRIBUTE_INT))
        : message(5, text(1, name), ...value.map((one) => int(8, one)), int(20, ATTRIBUTE_INTS)),
    ),
  );
}

function weightsOf({ name, shape, data }: Weights): Bytes {
  const raw = new Uint8Array(data.length * (data instanceof Float32Array ? 4 : 8));
  const view = new DataView(raw.buffer);
  if (data instanceof Float32Array) data.forEach((value, i) => void view.setFloat32(i * 4, value, true));
  else data.forEach((value, i) => void view.setBigInt64(i * 8, value, true));
  return message(
    5,
    ...shape.map((side) => int(1, side)),
    int(2, data instanceof Float32Array ? FLOAT : INT64),
    text(8, name),
    bytes(9, raw),
  );
}

function valueInfo(field: number, { name, shape, type = 'float32' }: ValueInfo): Bytes {
  const sides = shape.map((side) => message(1, typeof side === 'number' ? int(1, side) : text(2, side)));
  return message(
    field,
    text(1, name),
    message(2, message(1, int(1, VALUE_TYPES[type]), message(2, ...sides))),
  );
}
