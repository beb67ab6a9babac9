/** What the outermost fields of an ONNX file say. Null where the bytes are no such fields, or the file breaks off. */
export interface OnnxFacts {
  readonly ir_version: number | null;
  /** Version of the standard operators. */
  readonly opset: number | null;
  readonly producer: string | null;
}

/** Field numbers of ModelProto and OperatorSetIdProto in onnx.proto. */
const IR_VERSION = 1;
const PRODUCER = 2;
const OPSET = 8;
const DOMAIN = 1;
const VERSION = 2;

type Field = readonly [number: number, value: number | Uint8Array];

/** Reads the outermost fields without building anything of what they hold. Never throws. */
export function onnxFacts(bytes: Uint8Array): OnnxFacts | null {
  const fields = fieldsOf(bytes);
  if (fields === null) return null;
  const number = (wanted: number) => fields.find(([at]) => at === wanted)?.[1];
  const producer = number(PRODUCER);
  const ir = number(IR_VERSION);
  let opset: number | null = null;
  for (const [at, value] of fields) {
    if (at !== OPSET || typeof value === 'number') continue;
    const inner = fieldsOf(value) ?? [];
    const domain = inner.find(([one]) => one === DOMAIN)?.[1];
    const version = inner.find(([one]) => one === VERSION)?.[1];
    const standard = domain === undefined || (domain instanceof Uint8Array && domain.length === 0);
    if (standard && typeof version === 'number') opset = version;
  }
  return {
    ir_version: typeof ir === 'number' ? ir : null,
    opset,
    producer: producer instanceof Uint8Array ? new TextDecoder().decode(producer.subarray(0, 200)) : null,
  };
}

/** The fields of one message in protocol-buffer wire format; null where it is none. */
function fieldsOf(bytes: Uint8Array): Field[] | null {
  const found: Field[] = [];
  let at = 0;
  const varint = (): number | null => {
    let value = 0;
    for (let scale = 1; at < bytes.length && scale <= 2 ** 63; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    return null;
  };
  while (at < bytes.length) {
    const tag = varint();
    if (tag === null || tag < 8) return null;
    const field = Math.floor(tag / 8);
    const wire = tag % 8;
    if (wire === 0) {
      const value = varint();
      if (value === null) return null;
      found.push([field, value]);
      continue;
    }
    const length = wire === 2 ? varint() : wire === 1 ? 8 : wire === 5 ? 4 : null;
    if (length === null || at + length > bytes.length) return null;
    found.push([field, bytes.subarray(at, at + length)]);
    at += length;
  }
  return found;
}
