import { describe, expect, it } from 'vitest';
import { mockLlama } from '../../../e2e/servers/llama';
import { LlamaServerProvider } from '../../providers/llama-server';
import type { ExchangeRecord } from '../../providers/provider';
import { auditProbes, observationOf } from './audit-probes';
import { pairedOrdering, type ScoredControl } from './gate';
import { DEMO_PROFILE } from './profile';
import { noulOf, readScoredReply } from './scored-reply';

const code = (expected: string) => expect.objectContaining({ code: expected });

const score = (control: string, figures: object) => ({
  control,
  token_id: null,
  logprob: null,
  at_most: null,
  probability: null,
  ...figures,
});
const reply = (controls: object[], more: object = {}) =>
  JSON.stringify({
    level: null,
    controls,
    tokens_evaluated: null,
    listed: null,
    complete: false,
    off_option_mass: null,
    ...more,
  });

describe('a scored reply', () => {
  const read = (text: string) => readScoredReply(text, ['0', '1']);

  it('gives one figure, or one side of it', () => {
    const both = read(reply([score('0', { logprob: -0.2 }), score('1', { logprob: -1 })]));
    expect(noulOf(both)).toEqual({
      probability: 0.6899744811276125,
      reading: { low: 0.6899744811276125, high: 0.6899744811276125 },
    });
    const first = noulOf(read(reply([score('0', { logprob: -0.2 }), score('1', { at_most: -1 })])));
    expect(first).toEqual({ probability: 0.6899744811276125, reading: { low: 0.6899744811276125, high: 1 } });
    const second = noulOf(read(reply([score('0', { at_most: -1 }), score('1', { logprob: -0.2 })])));
    expect(second.reading).toEqual({ low: 0, high: second.probability });
  });

  it('is refused where it does not add up', () => {
    const half = (figures: object) => [score('0', figures), score('1', figures)];
    for (const text of [
      '',
      '{}',
      reply([score('0', { logprob: 0 })]),
      reply([score('1', { logprob: 0 }), score('0', { logprob: 0 })]),
      reply(half({})),
      reply(half({ logprob: 0, probability: 1 })),
      reply(half({ at_most: -1 })),
      reply(half({ logprob: -1, token_id: 5 })),
      reply([score('0', { probability: 0.5 }), score('1', { probability: 0.500002 })]),
      reply([score('0', { probability: 0.5 }), score('1', { logprob: -1 })]),
      reply(half({ probability: 0.5 }), { level: 'E' }),
      reply(half({ probability: 0.5 }), { tokens_evaluated: 1.5 }),
    ])
      expect(() => read(text)).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^(reply|json)_/) }),
      );
    expect(() => read(reply(half({})))).toThrow(code('reply_unreadable'));
    expect(read(reply(half({ probability: 0.5000004 }))).controls).toHaveLength(2);
  });
});

describe('an audit', () => {
  const picture = { id: 'a', first: true, bytes: new Uint8Array([1]), media_type: 'image/png' };

  it('needs pictures of both families and figures for both controls', () => {
    expect(() => auditProbes(DEMO_PROFILE, 'native_gemma3_turn', [picture], 1)).toThrow(
      code('audit_pictures'),
    );
    const other = { ...picture, id: 'b', first: false };
    const [probe] = auditProbes(DEMO_PROFILE, 'native_gemma3_turn', [picture, other], 1);
    if (probe === undefined) throw new Error('no probe');
    const bounded = reply([score('0', { logprob: -0.2 }), score('1', { at_most: -1 })]);
    expect(() => observationOf(probe, { reply_text: bounded } as ExchangeRecord)).toThrow(
      code('audit_bounded'),
    );
  });

  it('sends the same probes for the same seed, and as many replays as it says', () => {
    const other = { ...picture, id: 'b', first: false };
    const probes = (seed: number) => auditProbes(DEMO_PROFILE, 'native_gemma3_turn', [picture, other], seed);
    expect(probes(3)).toEqual(probes(3));
    for (const { replays, picture: shown, text } of probes(3)) {
      if (replays === null) continue;
      expect(probes(3)[replays]).toMatchObject({ picture: shown, text });
    }
  });
});

describe('a pair', () => {
  it('needs one picture that should read true and one that should read false', () => {
    const control = (condition: 'present' | 'swapped'): ScoredControl => ({
      unique_data_id: 'a',
      visual_family: 'f',
      condition,
      image_unique_data_id: 'a',
      expected: true,
      counts_as_semantic_hit: true,
      probability: 0.5,
      reading: { low: 0.5, high: 0.5 },
      tokens_evaluated: 1,
    });
    expect(() => pairedOrdering([control('present'), control('swapped')])).toThrow(code('pair_expected'));
  });
});

describe('a server that never finishes loading', () => {
  it('is given up after five tries', async () => {
    const server = await mockLlama({ fault: 'loading-forever' });
    const provider = new LlamaServerProvider({
      baseUrl: server.url,
      model: 'gemma-3-4b-it-q4km-mm',
      timeoutSeconds: 5,
      apiKey: null,
      template: 'native_gemma3_turn',
      controls: ['0', '1'],
      nProbs: 256,
      backoffMs: 1,
    });
    await expect(provider.start(new AbortController().signal)).rejects.toThrow(code('provider_loading'));
    expect(server.calls).toHaveLength(5);
    await server.close();
  });
});
