import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../evidence/identity/sha256';
import { ARCADE_READER_CARD, ARCADE_READER_MODEL, ARCADE_READER_MODELS } from './arcade-reader-card';
import { readCard } from './card';
import { onnxFacts } from './onnx-file';

const schema = new Ajv2020({ strict: true, strictTypes: false }).compile(
  JSON.parse(readFileSync('public/schemas/classifier-card-1.schema.json', 'utf8')),
);

/** The card of arcade-reader with one place changed, as text; undefined takes the place away. */
function changed(path: readonly (string | number)[], value: unknown): string {
  const card = JSON.parse(JSON.stringify(ARCADE_READER_CARD));
  const last = path.at(-1) ?? '';
  const at = path.slice(0, -1).reduce((inner, key) => inner[key], card);
  if (value === undefined) delete at[last];
  else at[last] = value;
  return JSON.stringify(card);
}

it('a good card is read as it is, and fits the published schema', () => {
  expect(readCard(JSON.stringify(ARCADE_READER_CARD))).toEqual(ARCADE_READER_CARD);
  expect(schema(ARCADE_READER_CARD)).toBe(true);
});

describe('a hostile card', () => {
  it.each<[string, string]>([
    ['that is no JSON', 'name: mine'],
    ['that is a list', '[]'],
    ['with a key that there is not', changed(['url'], 'http://elsewhere')],
    ['of another form', changed(['schema'], 'pixelproof.classifier-card/9')],
    ['without a licence', changed(['licence'], undefined)],
    ['with a name of two lines', changed(['name'], 'a\nb')],
    ['with a name of no end', changed(['name'], 'x'.repeat(10_000))],
    ['with a side of a million', changed(['input', 'width'], 1_000_000)],
    ['that divides by zero', changed(['input', 'divide_by'], 0)],
    ['with a spread of zero', changed(['input', 'std'], [1, 0, 1])],
    ['with two means', changed(['input', 'mean'], [0, 0])],
    ['with an unknown layout', changed(['input', 'layout'], 'CHWN')],
    ['without an output', changed(['outputs'], ARCADE_READER_CARD.outputs.slice(1))],
    ['with a class that no reply has', changed(['outputs', 2, 'classes'], ['READY', 'SOON'])],
  ])('%s is refused, here and by the schema', (_what, text) => {
    expect(() => readCard(text)).toThrow(expect.objectContaining({ code: 'model_card' }));
    let value: unknown = null;
    try {
      value = JSON.parse(text);
    } catch {
      value = text;
    }
    expect(schema(value)).toBe(false);
  });

  // What a schema cannot say.
  it.each([
    ['one output twice', changed(['outputs', 1], ARCADE_READER_CARD.outputs[0])],
    ['a class twice', changed(['outputs', 2, 'classes'], ['READY', 'READY'])],
    ['two outputs of one name', changed(['outputs', 1, 'name'], 'tank')],
    ['more text than a card has', `${JSON.stringify(ARCADE_READER_CARD)}${' '.repeat(300_000)}`],
  ])('%s is refused', (_what, text) => {
    expect(() => readCard(text)).toThrow(expect.objectContaining({ code: 'model_card' }));
  });
});

describe('the outermost fields of a model file', () => {
  const model = readFileSync('public/models/arcade-reader/model.onnx');

  it('say what it is', () => {
    expect(onnxFacts(model)).toEqual({ ir_version: 8, opset: 13, producer: 'pixelproof training/train.ts' });
  });

  it('and its length and digest are those that a verifier expects', () => {
    expect(ARCADE_READER_MODELS.get(ARCADE_READER_MODEL)).toEqual({
      sha256: sha256(model),
      bytes: model.length,
      opset: onnxFacts(model)?.opset,
    });
  });

  it.each([
    ['text', new TextEncoder().encode('<!doctype html>')],
    ['a file that is cut off', model.subarray(0, 5000)],
    ['a length of no end', Uint8Array.of(0x3a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f)],
    ['a number of no end', Uint8Array.from({ length: 40 }, () => 0xff)],
  ])('of %s are none', (_what, bytes) => {
    expect(onnxFacts(bytes)).toBeNull();
  });
});
