import { describe, expect, it } from 'vitest';
import { nodeModelHost } from '../../../cli/model-host';
import { type Node, writeOnnx } from '../../../training/onnx-writer';
import type { Tensor } from './model-host';
import { type OnnxRuntime, openOnnx } from './onnx';

const { signal } = new AbortController();
const host = nodeModelHost();
const open = (model: Uint8Array<ArrayBuffer>) => host.open(model, { name: 'm', backend: 'wasm' }, signal);
const floats = (...data: number[]): Tensor => ({
  type: 'float32',
  shape: [1, data.length],
  data: Float32Array.from(data),
});

function model(node: Omit<Node, 'outputs'>, shape?: readonly bigint[]): Uint8Array<ArrayBuffer> {
  return writeOnnx({
    name: 'm',
    producer: 'test',
    opset: 13,
    nodes: [{ ...node, outputs: ['y'] }],
    weights: shape === undefined ? [] : [{ name: 's', shape: [shape.length], data: shape }],
    inputs: [{ name: 'x', shape: ['N', 'C'] }],
    outputs: [{ name: 'y', shape: ['N', 'C'] }],
  });
}
const RELU = model({ op: 'Relu', inputs: ['x'] });
const EXPAND = { op: 'Expand', inputs: ['x', 's'] };

describe('a model in onnxruntime-web', () => {
  it('says what goes in and out, and answers', async () => {
    const session = await open(RELU);
    expect(session.inputs).toEqual([{ name: 'x', type: 'float32', shape: ['N', 'C'] }]);
    expect(session.outputs).toEqual([{ name: 'y', type: 'float32', shape: ['N', 'C'] }]);
    expect(session.runtime).toMatchObject({ name: 'onnxruntime-web', backend: 'wasm', threads: 1 });
    const { y } = await session.run({ x: floats(-1, 2) }, signal);
    expect(y).toEqual({ type: 'float32', shape: [1, 2], data: Float32Array.of(0, 2) });
    await session.close();
    await session.close();
  });

  it.each([
    ['nothing', new Uint8Array(0)],
    ['text', new TextEncoder().encode('<html>not found</html>')],
    ['a model that is cut off', RELU.slice(0, -9)],
    ['an operator that there is not', model({ op: 'Guess', inputs: ['x'] })],
  ])('%s is refused', async (_what, bytes) => {
    await expect(open(bytes)).rejects.toMatchObject({ code: 'model_unreadable' });
  });

  it('another input than it has is a failure of the run', async () => {
    const session = await open(RELU);
    await expect(session.run({ z: floats(1) }, signal)).rejects.toMatchObject({ code: 'model_run_failed' });
  });

  it('no memory is no wrong answer', async () => {
    const session = await open(model(EXPAND, [1_048_576n, 1023n]));
    await expect(session.run({ x: floats(1) }, signal)).rejects.toMatchObject({
      code: 'model_out_of_memory',
      got: expect.stringContaining('bad_alloc'),
    });
  });

  it('a cancelled question rejects with its reason', async () => {
    const cancel = new AbortController();
    const session = await open(RELU);
    cancel.abort(new DOMException('stop', 'AbortError'));
    await expect(session.run({ x: floats(1) }, cancel.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('a terminal has wasm and no other backend', async () => {
    await expect(host.open(RELU, { name: 'm', backend: 'webgpu' }, signal)).rejects.toMatchObject({
      code: 'model_backend',
    });
  });

  it('a file that is not there is missing', async () => {
    await expect(host.file('no/such.onnx', signal)).rejects.toMatchObject({ code: 'model_missing' });
  });
});

/** A runtime that does what a test says: for what no machine does when it is told to. */
function scripted(create: () => Promise<unknown>): OnnxRuntime {
  return {
    env: { versions: { web: 'test' }, wasm: {} },
    InferenceSession: { create: create as never },
    Tensor: class {} as never,
  };
}

describe('what a browser does to a model', () => {
  it('a lost device ends the question under way and every later one', async () => {
    let lose = (_why: string): void => {};
    const lost = new Promise<string>((resolve) => {
      lose = resolve;
    });
    const stuck = {
      inputMetadata: [],
      outputMetadata: [],
      run: () => new Promise(() => {}),
      release: async () => {},
    };
    const session = await openOnnx(
      scripted(async () => stuck),
      RELU,
      { name: 'm', backend: 'webgpu', lost: () => lost },
    );
    const asked = session.run({}, signal);
    lose('unknown: the driver was reset');
    const gone = { code: 'model_device_lost', got: 'unknown: the driver was reset' };
    await expect(asked).rejects.toMatchObject(gone);
    await expect(session.run({}, signal)).rejects.toMatchObject(gone);
  });

  it.each([
    ['model_out_of_memory', new RangeError('Array buffer allocation failed')],
    ['model_out_of_memory', new Error('Aborted(). Out of memory')],
    ['model_backend', new Error('no available backend found. ERR: [webgpu] no adapter')],
    ['model_unreadable', new Error('protobuf parsing failed')],
  ])('%s', async (code, thrown) => {
    const runtime = scripted(() => Promise.reject(thrown));
    await expect(openOnnx(runtime, RELU, { name: 'm', backend: 'webgpu' })).rejects.toMatchObject({ code });
  });
});
