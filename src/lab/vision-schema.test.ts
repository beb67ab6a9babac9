import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { type LlamaFault, mockLlama } from '../../e2e/servers/llama';
import {
  attemptOf,
  judgeReceipt,
  publishedReceipt,
  receiptOf,
  receiptText,
  type VisionPlan,
} from '../experiments/vision-controls';
import { bareReceipt, type Receipt, SCENARIOS } from '../experiments/vision-controls/testing/receipts';
import type { RunSource } from '../runner/experiment';
import { demoYes, visionRun } from './testing/vision-runs';

const schema = JSON.parse(readFileSync('public/schemas/vision-receipt-1.schema.json', 'utf8'));
const valid = new Ajv2020().compile(schema);

function expectValid(receipt: unknown): void {
  expect(valid(receipt), JSON.stringify(valid.errors)).toBe(true);
}

async function written(provider: string, parameters: Record<string, string | number>, result = '') {
  const run = await visionRun(provider, parameters);
  const source = run.source as RunSource as RunSource<VisionPlan>;
  const code = run.error?.code ?? null;
  const receipt = await receiptOf(source, result === '' ? null : await attemptOf(source, result, code));
  return JSON.parse(receiptText(receipt));
}

describe('the JSON Schema of receipts', () => {
  it('holds for the published receipt and for a bare one of every revision', async () => {
    expectValid(await publishedReceipt());
    expectValid(bareReceipt(SCENARIOS.perfect));
    expectValid(bareReceipt(SCENARIOS.perfect, 'six-row'));
    expect(schema.$id).toBe('urn:pixelproof:schema:vision-receipt:1');
  });

  it('holds for our own, of every provider that needs no server', async () => {
    expectValid(await written('scripted', { fixture: 'demo' }));
    expectValid(await written('scripted', { fixture: 'demo', annotation: 'none', gate: 'consumer' }));
    expectValid(await written('blind', { fixture: 'six-row', template: 'native_gemma4_turn' }));
    const replayed = await written('replay', {});
    expectValid(replayed);
    expect(replayed.visual_controls).toHaveLength(12);
  });

  it.each<[LlamaFault, string]>([
    ['none', ''],
    ['control-beyond-list', ''],
    ['marker-rotates', ''],
    ['down-after-four', 'error'],
    ['control-missing', 'error'],
    ['vision-false', 'skip'],
  ])('holds for one of a server, %s', async (fault, result) => {
    const server = await mockLlama({ fault, yes: demoYes });
    try {
      const parameters = { fixture: 'demo', base_url: server.url };
      const receipt = await written('llama-server', parameters, result);
      expectValid(receipt);
      expect(receipt.web.attempt?.result).toBe(result === '' ? undefined : result);
      expect(JSON.stringify(receipt)).not.toContain(server.url);
    } finally {
      await server.close();
    }
  });

  it.each<[string, (receipt: Receipt, first: Record<string, unknown>) => void]>([
    ['p above 1', (_, first) => Object.assign(first, { probability: 1.5 })],
    ['no p', (_, first) => Object.assign(first, { probability: undefined })],
    ['half a token', (_, first) => Object.assign(first, { tokens_evaluated: 1.5 })],
    ['no token field', (_, first) => Object.assign(first, { tokens_evaluated: undefined })],
    ['an unknown condition', (_, first) => Object.assign(first, { condition: 'x' })],
    [
      'a picture where it is omitted',
      ({ visual_controls }) => Object.assign(visual_controls[1] ?? {}, { image_unique_data_id: 'x' }),
    ],
    ['no picture where one is shown', (_, first) => Object.assign(first, { image_unique_data_id: null })],
    [
      'gold where it is omitted',
      ({ visual_controls }) => Object.assign(visual_controls[1] ?? {}, { expected: true }),
    ],
    ['gold that is a text', (_, first) => Object.assign(first, { expected: 'true' })],
    ['a row without an id', ({ rows }) => Object.assign(rows[0] ?? {}, { unique_data_id: '' })],
    ['no controls', (receipt) => Object.assign(receipt, { visual_controls: undefined })],
  ])('refuses %s, as the gate does', (_, change) => {
    const receipt = bareReceipt(SCENARIOS.perfect);
    change(receipt, receipt.visual_controls[0] ?? {});
    const text = JSON.stringify(receipt);
    expect(valid(JSON.parse(text))).toBe(false);
    expect(judgeReceipt(text).verdict).toBe('refused');
  });
});
