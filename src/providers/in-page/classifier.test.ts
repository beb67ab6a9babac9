import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nodeModelHost } from '../../../cli/model-host';
import { writeOnnx } from '../../../training/onnx-writer';
import { sha256 } from '../../evidence/identity/sha256';
import { CANONICAL_STATES, materialiseSteps, recipeOf } from '../../experiments/png-representation';
import { decodePng } from '../../pixels/decode/png';
import { classifierIdentity } from '../audit/classifier-protocol';
import type { ExchangeRecord } from '../provider';
import { ARCADE_READER_CARD } from './arcade-reader-card';
import type { ClassifierCard } from './card';
import { ClassifierProvider } from './classifier';
import type { ModelHost, Tensor } from './model-host';

const { signal } = new AbortController();
const model = new Uint8Array(readFileSync('public/models/arcade-reader/model.onnx'));
const state = CANONICAL_STATES[55];
if (state === undefined) throw new Error('no state');
const { final } = await materialiseSteps(recipeOf('unlabelled-v1'), state);
const question = { image: final.png, mediaType: 'image/png', prompt: '', promptMode: 'unlabelled' } as const;
const REPLY = /^TANK_COLUMN: 3\nTARGET_COLUMN: 2\nCOOLDOWN: BLOCKED\nCONFIDENCE: \d\d$/;

function provider(bytes: Uint8Array<ArrayBuffer>, card: ClassifierCard, host: ModelHost = nodeModelHost()) {
  return new ClassifierProvider({
    id: 'classifier',
    model: classifierIdentity(card, sha256(bytes)),
    host,
    decode: decodePng,
    load: async () => ({ bytes, card }),
    sha256: null,
  });
}

async function asked(one: ClassifierProvider): Promise<ExchangeRecord> {
  const recorded: ExchangeRecord[] = [];
  await one.start(signal);
  const last = await one.readImage(question, { signal, record: (each) => void recorded.push(each) });
  expect(recorded).toEqual([last]);
  await one.close();
  return last;
}

const card = (change: Partial<ClassifierCard['input']>, name = 'mine'): ClassifierCard => ({
  ...ARCADE_READER_CARD,
  name,
  input: { ...ARCADE_READER_CARD.input, ...change },
});

describe('a classifier', () => {
  it('answers in the four lines, and says what it ran on', async () => {
    const one = provider(model, card({}));
    const runtime = await one.start(signal);
    expect(runtime).toMatchObject({
      runtime_name: 'onnxruntime-web',
      runtime_version: '1.30.0',
      model_digest: sha256(model),
      details: { backend: 'wasm', threads: 1, opset: 13, model_bytes: model.length },
    });
    const record = await asked(one);
    expect(record).toMatchObject({
      request_sha256: null,
      image_sha256: final.png_sha256,
      attempt: 1,
      cause: null,
      reply_text: expect.stringMatching(REPLY),
      model_in_reply: one.description.model,
    });
  });

  it('with red and blue changed places it is given changed places back', async () => {
    // Means and spreads are equal, so BGR turns the picture's red into its blue: another answer than above.
    const { reply_text } = await asked(provider(model, card({ channels: 'BGR' })));
    expect(reply_text).not.toBeNull();
    const { reply_text: straight } = await asked(provider(model, card({})));
    expect(reply_text).not.toBe(straight);
  });

  it.each<[string, ClassifierCard]>([
    ['another input', card({ name: 'pixels' })],
    ['another size', card({ width: 224 })],
    ['another layout', card({ layout: 'NHWC' })],
    [
      'another output',
      { ...card({}), outputs: card({}).outputs.map((output) => ({ ...output, name: `my ${output.name}` })) },
    ],
    [
      'fewer classes than the model has',
      {
        ...card({}),
        outputs: card({}).outputs.map((output) => ({ ...output, classes: output.classes.slice(0, 2) })),
      },
    ],
  ])('a card of %s is refused before anything is asked', async (_what, wrong) => {
    await expect(provider(model, wrong).start(signal)).rejects.toMatchObject({ code: 'model_inputs' });
  });

  it('other bytes than the identity says are refused', async () => {
    const one = new ClassifierProvider({
      id: 'classifier',
      model: classifierIdentity(card({}), sha256('another file')),
      host: nodeModelHost(),
      decode: decodePng,
      load: async () => ({ bytes: model, card: card({}) }),
      sha256: null,
    });
    await expect(one.start(signal)).rejects.toMatchObject({ code: 'model_changed' });
  });

  it('a model that is cut off is refused', async () => {
    await expect(provider(model.slice(0, -100), card({})).start(signal)).rejects.toMatchObject({
      code: 'model_unreadable',
    });
  });

  it('asked before it is open, it fails and answers nothing', async () => {
    const record = await provider(model, card({})).readImage(question, { signal, record: () => {} });
    expect(record).toMatchObject({ cause: { code: 'model_closed' }, reply_text: null });
  });

  it('a cancelled question rejects', async () => {
    const one = provider(model, card({}));
    await one.start(signal);
    const cancel = AbortSignal.abort(new DOMException('stop', 'AbortError'));
    await expect(one.readImage(question, { signal: cancel, record: () => {} })).rejects.toMatchObject({
      name: 'AbortError',
    });
    await one.close();
  });
});

/** A host whose model says the same to every picture. */
function saying(outputs: Record<string, Tensor>): ModelHost {
  const float = (name: string, shape: (number | string)[]) => ({ name, type: 'float32', shape });
  return {
    file: async () => model,
    open: async () => ({
      inputs: [float('image', [])],
      outputs: ['tank', 'target', 'cooldown'].map((name) => float(name, [])),
      runtime: { name: 'onnxruntime-web', version: 'test', backend: 'wasm', threads: 1 },
      run: async () => outputs,
      close: async () => {},
    }),
  };
}
const floats = (...data: number[]): Tensor => ({
  type: 'float32',
  shape: [1, data.length],
  data: Float32Array.from(data),
});
const zeros = (count: number) => floats(...Array.from({ length: count }, () => 0));
const probabilities: ClassifierCard = {
  ...card({}),
  outputs: card({}).outputs.map((output) => ({ ...output, scores: 'probabilities' })),
};

describe('what a model may say', () => {
  it.each<[string, string, ClassifierCard, Record<string, Tensor>]>([
    [
      'no number',
      'model_not_finite',
      card({}),
      { tank: floats(0, 0, 0, Number.NaN, 0, 0, 0), target: zeros(8), cooldown: zeros(2) },
    ],
    ['too few numbers', 'model_inputs', card({}), { tank: zeros(6), target: zeros(8), cooldown: zeros(2) }],
    ['nothing', 'model_inputs', card({}), {}],
    [
      'logits for probabilities',
      'model_not_distribution',
      probabilities,
      { tank: floats(9, -3, 0, 0, 0, 0, 0), target: zeros(8), cooldown: zeros(2) },
    ],
  ])('%s is a failed attempt, never an answer', async (_what, code, said, outputs) => {
    const record = await asked(provider(model, said, saying(outputs)));
    expect(record).toMatchObject({ cause: { code }, reply_text: null, model_in_reply: null });
  });

  it('of equals the first is taken, and the confidence is the product', async () => {
    const outputs = { tank: zeros(7), target: zeros(8), cooldown: zeros(2) };
    const { reply_text } = await asked(provider(model, card({}), saying(outputs)));
    // 1/7 * 1/8 * 1/2 = 0.9 %
    expect(reply_text).toBe('TANK_COLUMN: 0\nTARGET_COLUMN: NONE\nCOOLDOWN: READY\nCONFIDENCE: 1');
  });

  it('probabilities are taken as they are, in the card’s order', async () => {
    const outputs = {
      tank: floats(0, 0, 0, 0, 0, 0, 1),
      target: floats(0.5, 0.25, 0.25, 0, 0, 0, 0, 0),
      cooldown: floats(0.2, 0.8),
    };
    const turned: ClassifierCard = {
      ...probabilities,
      outputs: probabilities.outputs.map((output) => ({ ...output, classes: output.classes.toReversed() })),
    };
    const { reply_text } = await asked(provider(model, turned, saying(outputs)));
    expect(reply_text).toBe('TANK_COLUMN: 0\nTARGET_COLUMN: 6\nCOOLDOWN: READY\nCONFIDENCE: 40');
  });
});

it('a model of channels last and of open sides is given what its card says', async () => {
  // Mean over the picture of each channel, then three linear heads that look at red alone.
  const head = (name: string) => ({
    op: 'MatMul',
    inputs: ['mean', `${name}.w`],
    outputs: [name],
  });
  const ones = (name: string, classes: number) => ({
    name: `${name}.w`,
    shape: [3, classes],
    data: Float32Array.from({ length: 3 * classes }, (_, at) => (at < classes ? at : 0)),
  });
  const sizes = [
    ['tank', 7],
    ['target', 8],
    ['cooldown', 2],
  ] as const;
  const bytes = writeOnnx({
    name: 'means',
    producer: 'test',
    opset: 13,
    nodes: [
      { op: 'ReduceMean', inputs: ['image'], outputs: ['mean'], attributes: { axes: [1, 2], keepdims: 0 } },
      ...sizes.map(([name]) => head(name)),
    ],
    weights: sizes.map(([name, classes]) => ones(name, classes)),
    inputs: [{ name: 'image', shape: ['N', 'H', 'W', 3] }],
    outputs: sizes.map(([name, classes]) => ({ name, shape: ['N', classes] })),
  });
  const last = card({ layout: 'NHWC', width: 7, height: 5, divide_by: 1, mean: [0, 0, 0], std: [1, 1, 1] });
  const { reply_text, response_metadata_text } = await asked(provider(bytes, last));
  expect(reply_text).toMatch(/^TANK_COLUMN: 6\nTARGET_COLUMN: 6\nCOOLDOWN: BLOCKED\n/);
  const { scores } = JSON.parse(response_metadata_text);
  expect(scores.tank_column).toHaveLength(7);
});
