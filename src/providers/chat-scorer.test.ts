import { afterEach, describe, expect, it } from 'vitest';
import { candidatesOf, readCandidates } from './candidates';
import { ChatScorer } from './chat-scorer';
import { CHAT_SHAPES } from './chat-shapes';
import type { ChoiceQuestion, ExchangeRecord, ScoredReply } from './provider';
import { classifyTemplate } from './template';
import { jsonServer } from './testing/json-server';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function server(reply: Parameters<typeof jsonServer>[0]) {
  const made = await jsonServer(reply);
  open.push(made.close);
  return made;
}

const QUESTION: ChoiceQuestion = {
  image: new Uint8Array([1, 2, 3]),
  mediaType: 'image/png',
  prefix: 'never sent',
  userText: 'state\n\nquestion',
  controls: ['0', '1'],
};

async function score(id: string, baseUrl: string, samples = 0) {
  const shape = CHAT_SHAPES.find((each) => each.id === id);
  if (shape === undefined) throw new Error(id);
  const provider = new ChatScorer(shape, {
    baseUrl,
    model: 'm',
    timeoutSeconds: 5,
    apiKey: null,
    controls: ['0', '1'],
    samples,
  });
  const signal = new AbortController().signal;
  await provider.start(signal);
  const records: ExchangeRecord[] = [];
  const last = await provider.scoreChoices(QUESTION, { signal, record: (one) => void records.push(one) });
  const reply = last.cause === null ? (JSON.parse(last.reply_text ?? '') as ScoredReply) : null;
  return { last, reply, records, provider };
}

const openAi = (top: unknown, more: object = {}) => ({
  model: 'm',
  choices: [{ logprobs: { content: [{ top_logprobs: top }] }, message: { content: '0' } }],
  usage: { prompt_tokens: 300, completion_tokens: 1 },
  ...more,
});
const BOTH = [
  { id: 5, token: '0', logprob: -0.2 },
  { id: 6, token: '1', logprob: -1.8 },
];
const models = { data: [{ id: 'm' }] };

describe('servers that wrap the text in their own template', () => {
  it('llama.cpp’s chat route: ids, picture first, level B', async () => {
    const { url, seen } = await server(({ path, body }) => {
      if (path === '/v1/models') return { body: models };
      if (path === '/tokenize') return { body: { tokens: [body.content === '0' ? 5 : 6] } };
      return { body: openAi(BOTH) };
    });
    const { reply, provider } = await score('llama-chat', url);
    expect(reply).toMatchObject({ level: 'B', tokens_evaluated: 300, off_option_mass: null });
    expect(reply?.controls.map(({ token_id, logprob }) => [token_id, logprob])).toEqual([
      [5, -0.2],
      [6, -1.8],
    ]);
    const { body } = seen.at(-1) ?? { body: {} };
    expect(body).toMatchObject({ top_logprobs: 50, cache_prompt: false, max_tokens: 1 });
    expect(JSON.stringify(body)).toContain('"type":"image_url"');
    expect(JSON.stringify(body)).not.toContain('never sent');
    expect(provider.description).toMatchObject({ id: 'llama-chat', base_url: url.replace(/\/$/, '') });
  });

  it('vLLM: exact ids, and the twenty best where a build refuses the field', async () => {
    const ids = [
      { token: 'token_id:5', logprob: -0.2 },
      { token: 'token_id:6', logprob: -1.8 },
    ];
    const { url, seen } = await server(({ path, body }) => {
      if (path === '/v1/models') return { body: models };
      if (path === '/tokenize') return { body: { tokens: [body.prompt === '0' ? 5 : 6] } };
      return 'logprob_token_ids' in body
        ? { status: 400, body: { error: 'unknown field' } }
        : { body: openAi(ids) };
    });
    const { reply, records } = await score('vllm', url);
    expect(reply?.controls.map(({ token_id }) => token_id)).toEqual([5, 6]);
    expect(records.map(({ status }) => status)).toEqual([400, 200]);
    expect(seen.at(-1)?.body).toMatchObject({ top_logprobs: 20, return_tokens_as_token_ids: true });
  });

  it('Ollama: text of tokens, digest of the model, a missing control is bounded (C)', async () => {
    const { url, seen } = await server(({ path }) => {
      if (path === '/api/tags') return { body: { models: [{ name: 'm', digest: 'abc' }] } };
      const top = [BOTH[0], { token: 'x', logprob: -3 }];
      return { body: { model: 'm', logprobs: [{ token: '0', top_logprobs: top }], prompt_eval_count: 200 } };
    });
    const { reply } = await score('ollama', url);
    expect(reply).toMatchObject({ level: 'C', tokens_evaluated: 200 });
    expect(reply?.controls[1]).toMatchObject({ logprob: null, at_most: -3 });
    expect(seen.at(-1)?.body).toMatchObject({ think: false, options: { num_predict: 1, seed: 0 } });
  });

  it('LM Studio: the responses route; an empty list is a build without log-probabilities', async () => {
    const output = (top: unknown) => [
      { content: [{ type: 'output_text', logprobs: [{ top_logprobs: top }] }] },
    ];
    const { url } = await server(({ path }, number) =>
      path === '/v1/models'
        ? { body: models }
        : { body: { model: 'm', output: output(number === 1 ? BOTH : []), usage: { input_tokens: 310 } } },
    );
    const { reply, provider } = await score('lm-studio', url);
    expect(reply).toMatchObject({ level: 'B', tokens_evaluated: 310 });
    const call = { signal: new AbortController().signal, record: () => {} };
    expect((await provider.scoreChoices(QUESTION, call)).cause?.code).toBe('provider_no_logprobs');
  });

  it('an OpenAI-compatible server without log-probabilities: frequencies of answers, level D', async () => {
    const said = ['0', ' 1', '0', 'maybe'].map((content) => ({ message: { content } }));
    const { url, seen } = await server(({ path }, number) =>
      path === '/v1/models'
        ? { body: models }
        : { body: { model: 'm', choices: number === 1 ? said : said.slice(3), usage: { prompt_tokens: 9 } } },
    );
    const { reply, provider } = await score('openai', url, 4);
    expect(reply).toMatchObject({ level: 'D', controls: [{ probability: 2 / 3 }, { probability: 1 / 3 }] });
    expect(seen.at(-1)?.body).toMatchObject({ n: 4, temperature: 1 });
    expect(seen.at(-1)?.body).not.toHaveProperty('logprobs');
    const call = { signal: new AbortController().signal, record: () => {} };
    expect((await provider.scoreChoices(QUESTION, call)).cause?.code).toBe('provider_control_missing');
  });

  it('a model that is not listed, a refused origin and a wrong address', async () => {
    const { url } = await server(() => ({ body: { data: [] } }));
    await expect(score('openai', url)).rejects.toMatchObject({ code: 'provider_model_missing' });
    const forbidden = await server(() => ({ status: 403, body: {} }));
    await expect(score('ollama', forbidden.url)).rejects.toMatchObject({ code: 'provider_forbidden' });
    await expect(score('openai', 'ftp://x')).rejects.toMatchObject({ code: 'provider_settings' });
  });
});

describe('candidates', () => {
  const listing = {
    controls: [
      { control: '0', id: 5 },
      { control: '1', id: 6 },
    ],
    tokens_evaluated: 1,
    level: 'A',
    bounded: false,
  } as const;

  it('off-option mass only of a whole vocabulary that sums to 1', () => {
    const half = Math.log(0.5);
    const whole = candidatesOf([
      { id: 5, logprob: half },
      { id: 6, logprob: Math.log(0.25) },
      { id: 7, logprob: Math.log(0.25) },
    ]);
    expect(readCandidates({ ...listing, candidates: whole, vocabulary: 3 })).toMatchObject({
      complete: true,
      off_option_mass: 0.25,
    });
    for (const vocabulary of [4, null])
      expect(readCandidates({ ...listing, candidates: whole, vocabulary })).toMatchObject({
        complete: false,
        off_option_mass: null,
      });
    const short = whole.slice(0, 2);
    expect(readCandidates({ ...listing, candidates: short, vocabulary: 2 }).off_option_mass).toBeNull();
  });

  it('a template is one family, and only one', () => {
    expect(classifyTemplate('<start_of_turn>user')).toBe('native_gemma3_turn');
    expect(classifyTemplate('x<turn|>')).toBe('native_gemma4_turn');
    expect(classifyTemplate('<|im_start|>user')).toBe('degraded_chatml');
    expect(classifyTemplate('<|im_start|><end_of_turn>')).toBe('unsupported');
    expect(classifyTemplate('[INST] hello')).toBe('unsupported');
  });
});
