import { describe, expect, it } from 'vitest';
import {
  controlLogprobs,
  logSumExp,
  readVlmMetadata,
  readVlmModel,
  vlmMetadata,
  vlmModel,
  vlmScoredText,
} from '../../audit/vlm-protocol';
import { controlIds, controlLogits } from './scores';

const TOKENS: Readonly<Record<string, readonly number[]>> = {
  '0': [1],
  ' 0': [5, 1],
  '\n0': [6, 1],
  '1': [2],
  ' 1': [3],
  '\n1': [6, 2],
  '10': [2, 1],
};
const encode = (text: string) => TOKENS[text] ?? [9];

describe('the tokens of a control', () => {
  it('are the bare text and those variants that are one token', () => {
    expect(controlIds(['0', '1'], encode)).toEqual([
      { control: '0', ids: [1] },
      { control: '1', ids: [2, 3] },
    ]);
  });

  it.each([
    ['two tokens', ['0', '10'], encode],
    ['no token', ['0'], () => []],
    ['one token for two controls', ['a', 'b'], encode],
  ])('cannot be %s', (_what, controls, read) => {
    expect(() => controlIds(controls, read)).toThrowError(
      expect.objectContaining({ code: 'model_control_tokens' }),
    );
  });
});

describe('scores from logits', () => {
  const ids = controlIds(['0', '1'], encode);

  it('are log-sum-exps of a side over the whole vocabulary', () => {
    // Probabilities 0.5, 0.125 and 0.25 of four tokens, whatever is added to all logits.
    for (const shift of [0, 1000, -1000]) {
      const row = [0.125, 0.5, 0.125, 0.25].map((p) => Math.log(p) + shift);
      const found = controlLogprobs(controlLogits(row, ids));
      expect(found[0]).toBeCloseTo(Math.log(0.5), 9);
      expect(found[1]).toBeCloseTo(Math.log(0.375), 9);
    }
  });

  it('become a whole scored reply, with what is off the options', () => {
    const row = [0.1, 0.6, 0.1, 0.2].map(Math.log);
    const reply = JSON.parse(vlmScoredText({ ...controlLogits(row, ids), prompt_tokens: 77 }));
    expect(reply).toEqual({
      level: 'B',
      controls: [
        { control: '0', token_id: 1, logprob: -0.510826, at_most: null, probability: null },
        { control: '1', token_id: 2, logprob: -1.203973, at_most: null, probability: null },
      ],
      tokens_evaluated: 77,
      listed: 4,
      complete: true,
      off_option_mass: 0.1,
    });
  });

  it.each([
    ['NaN', [0, Number.NaN, 0, 0]],
    ['an infinity', [0, Number.POSITIVE_INFINITY, 0, 0]],
    ['too few', [0, 0]],
    ['none', []],
  ])('are refused for %s', (_what, row) => {
    expect(() => controlLogits(row, ids)).toThrowError(expect.objectContaining({ code: 'model_not_finite' }));
  });

  it('know the sum of nothing', () => {
    expect(logSumExp([])).toBe(Number.NEGATIVE_INFINITY);
    expect(logSumExp([-1e308, -1e308])).toBeCloseTo(-1e308, 0);
  });

  it('are kept with all that they came from', () => {
    const scored = { ...controlLogits([0.5, -1.25, 3e-9, 7], ids), prompt_tokens: 3 };
    expect(readVlmMetadata(vlmMetadata(scored))).toEqual(scored);
  });

  it.each([
    '',
    '{}',
    '[]',
    '{"controls":[],"normaliser":1,"prompt_tokens":1,"vocabulary":1}',
    '{"controls":[{}],"normaliser":1.0,"prompt_tokens":1,"vocabulary":1}',
    '{"controls":[{"control":"0","ids":[1,2],"logits":[1.0]}],"normaliser":1.0,"prompt_tokens":1,"vocabulary":1}',
    '{"controls":[{"control":"0","ids":[1],"logits":["1"]}],"normaliser":1.0,"prompt_tokens":1,"vocabulary":1}',
  ])('are not read from %s', (text) => {
    expect(readVlmMetadata(text)).toBeNull();
  });
});

describe('the name of a model', () => {
  it('says weights, precision and what they run on, and is read back', () => {
    const choice = { name: 'owner/a model', dtype: 'q4', backend: 'webgpu' } as const;
    expect(vlmModel(choice)).toBe('owner/a model q4 on webgpu');
    expect(readVlmModel('owner/a model q4 on webgpu')).toEqual(choice);
    expect(readVlmModel('tiny fp32')).toEqual({ name: 'tiny', dtype: 'fp32', backend: 'wasm' });
  });

  it.each(['', 'tiny', 'fp32', ' tiny fp32', 'tiny fp64', 'tiny fp32 on cpu'])('is not “%s”', (model) => {
    expect(readVlmModel(model)).toBeNull();
  });
});
