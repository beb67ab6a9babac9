import { afterEach, describe, expect, it } from 'vitest';
import { type LlamaFault, mockLlama } from '../../e2e/servers/llama';
import { bundleContents, writeZipBundle } from '../evidence/bundle';
import type { JsonObject } from '../evidence/identity/json';
import { sha256 } from '../evidence/identity/sha256';
import type { JournalledExchange, StoredRun } from '../evidence/run';
import { verifyBundle } from '../evidence/verify';
import type { ExchangeRecord } from '../providers/provider';
import { jsonServer } from '../providers/testing/json-server';
import { labEntry, verifiers } from './lab';
import { demoYes, visionRun } from './testing/vision-runs';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function against(fault: LlamaFault): Promise<StoredRun> {
  const server = await mockLlama({ fault, yes: demoYes });
  open.push(server);
  const parameters = { fixture: 'demo', base_url: server.url, annotation: 'none' };
  return (await visionRun('llama-server', parameters)).source;
}

type Change = (exchange: ExchangeRecord, at: number) => Partial<ExchangeRecord>;

/** The findings about a run whose exchanges were changed before it was bundled: every digest of the bundle holds. */
async function verified(source: StoredRun, change: Change = () => ({})) {
  const changed = async function* (): AsyncIterable<JournalledExchange> {
    let at = 0;
    for await (const one of source.exchanges()) {
      yield { ...one, exchange: { ...one.exchange, ...change(one.exchange, at) } };
      at += 1;
    }
  };
  const { experiment } = labEntry('vision-controls');
  const parts: Uint8Array[] = [];
  const contents = bundleContents({ ...source, exchanges: changed }, (run) => experiment.files(run));
  for await (const part of writeZipBundle(contents)) parts.push(part);
  const { findings } = await verifyBundle(new Uint8Array(Buffer.concat(parts)), verifiers, {});
  return {
    failures: findings
      .filter(({ level }) => level === 'failure')
      .map(({ code, where }) => `${code} ${where}`),
    recomputed: findings.find(({ code }) => code === 'exchanges_recomputed')?.message ?? null,
  };
}

function metadata(exchange: ExchangeRecord, change: (kept: Record<string, unknown>) => JsonObject) {
  return { response_metadata_text: JSON.stringify(change(JSON.parse(exchange.response_metadata_text))) };
}

describe('a bundle of scored runs, verified from itself', () => {
  it.each<[LlamaFault, string]>([
    ['none', '15 requests made again from plan and pictures, 15 replies'],
    ['marker-rotates', '16 requests made again from plan and pictures, 15 replies'],
    ['control-beyond-list', '30 requests made again from plan and pictures, 15 replies'],
    ['empty-at-zero', '30 requests made again from plan and pictures, 15 replies'],
    ['marker-rotates-forever', '2 requests made again from plan and pictures, 0 replies'],
    ['context-too-small', '1 requests'],
    ['other-model', '1 requests'],
    ['down-after-four', '5 requests made again from plan and pictures, 4 replies'],
  ])('%s: %s', async (fault, says) => {
    const { failures, recomputed } = await verified(await against(fault));
    expect(failures).toEqual([]);
    expect(recomputed).toContain(says);
  });

  it.each<[string, Change, string]>([
    ['another request', () => ({ request_sha256: sha256('another') }), 'request_sha256'],
    ['another picture', () => ({ image_sha256: sha256('another') }), 'image_sha256'],
    [
      'a body that does not say what was read of it',
      (exchange) =>
        metadata(exchange, (kept) => {
          const reply = String(kept.reply).replace('-3.506557897319982', '-3.6');
          return { ...kept, reply, reply_bytes: reply.length, reply_sha256: sha256(reply) };
        }),
      'reply_text',
    ],
    ['a body with another digest', (one) => metadata(one, (kept) => ({ ...kept, reply: '{}' })), 'cause'],
    [
      'a body that is left out',
      (one) => metadata(one, ({ reply: _, ...kept }) => kept as JsonObject),
      'response_metadata_text',
    ],
    [
      'a marker that is a text',
      (one) => metadata(one, (kept) => ({ ...kept, media_marker: 'Answer 0. <__media__>' }) as JsonObject),
      'response_metadata_text',
    ],
    [
      'another marker than the one sent',
      (one) => metadata(one, (kept) => ({ ...kept, media_marker: '<__media_y__>' }) as JsonObject),
      'request_sha256',
    ],
    [
      'a list of a length that nobody asked for',
      (one) => metadata(one, (kept) => ({ ...kept, n_probs: 300 }) as JsonObject),
      'response_metadata_text',
    ],
    ['metadata that says nothing', () => ({ response_metadata_text: '[]' }), 'response_metadata_text'],
    ['another model in the reply', () => ({ model_in_reply: 'another' }), 'model_in_reply'],
    ['other token counts', () => ({ tokens: { prompt: 1, completion: 1 } }), 'tokens'],
  ])('%s is named', async (_, change, field) => {
    const { failures } = await verified(await against('none'), (exchange, at) =>
      at === 0 ? change(exchange, at) : {},
    );
    expect(failures).toContain(`exchange_mismatch exchanges.jsonl line 1 ${field}`);
  });

  it('a refusal that its status and words do not give is named', async () => {
    const source = await against('marker-rotates');
    const { failures } = await verified(source, ({ cause }) =>
      cause === null ? {} : { cause: { code: 'provider_loading', message: 'The server was loading.' } },
    );
    expect(failures).toEqual([expect.stringMatching(/^exchange_mismatch exchanges.jsonl line \d+ cause$/)]);
  });

  it('a body that was too long to be kept is known by its digest', async () => {
    const { failures, recomputed } = await verified(await against('long-reply'));
    expect(failures).toEqual([]);
    expect(recomputed).toContain(
      '14 replies read again from their bodies. Known by digest only, being long: 1.',
    );
  });

  const top = [
    { token: '0', logprob: -0.2 },
    { token: '1', logprob: -1.8 },
  ];
  const logprobs = { content: [{ top_logprobs: top }] };
  const usage = { prompt_tokens: 300, completion_tokens: 1, input_tokens: 300, output_tokens: 1 };
  it.each(['llama-chat', 'vllm', 'ollama', 'lm-studio', 'openai', 'openai-sampled'])(
    '%s: requests and replies of a chat route',
    async (provider) => {
      const server = await jsonServer(({ path, body }) => {
        if (path === '/tokenize')
          return { body: { tokens: [(body.content ?? body.prompt) === '0' ? 5 : 6] } };
        if (path === '/api/tags') return { body: { models: [{ name: 'm', digest: 'd' }] } };
        if (path === '/v1/models') return { body: { data: [{ id: 'm' }] } };
        if (body.logprob_token_ids !== undefined) return { status: 400, body: { error: 'unknown field' } };
        return {
          body: {
            model: 'm',
            choices: [{ logprobs, message: { content: '0' } }],
            usage,
            logprobs: [{ top_logprobs: top }],
            prompt_eval_count: 300,
            eval_count: 1,
            output: [{ content: [{ logprobs: [{ top_logprobs: top }] }] }],
          },
        };
      });
      open.push(server);
      const parameters = { fixture: 'demo', base_url: server.url, model: 'm', annotation: 'picture' };
      const { source } = await visionRun(provider, parameters);
      const { failures, recomputed } = await verified(source);
      expect(failures).toEqual([]);
      const requests = provider === 'vllm' ? 26 : 25;
      expect(recomputed).toContain(`${requests} requests made again from plan and pictures, 25 replies`);
      const changed = await verified(source, (exchange, at) =>
        at === 3 ? { request_sha256: sha256('another') } : exchange,
      );
      expect(changed.failures).toEqual(['exchange_mismatch exchanges.jsonl line 4 request_sha256']);
    },
  );

  it.each(['scripted', 'blind', 'replay'])('%s: the answers follow from the plan', async (provider) => {
    const { source } = await visionRun(provider, provider === 'replay' ? {} : { fixture: 'demo' });
    const { failures, recomputed } = await verified(source);
    expect(failures).toEqual([]);
    expect(recomputed).toMatch(/^\d+ answers follow from the plan\.$/);
    const changed = await verified(source, (exchange, at) =>
      at === 1 ? { reply_text: (exchange.reply_text ?? '').replace('tokens_evaluated":', '$&1') } : {},
    );
    expect(changed.failures).toContain('exchange_mismatch exchanges.jsonl line 2 reply_text');
  });
});
