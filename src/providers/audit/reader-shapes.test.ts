import { describe, expect, it } from 'vitest';
import { FORMS, READER_KINDS } from '../../../e2e/servers/apis';
import { isModel } from './model-name';
import { readerRequestText, readReaderBody } from './reader-protocol';
import type { ReaderShape } from './reader-shape';
import { readerShape } from './reader-shapes';

const question = { image: new Uint8Array([1, 2, 3, 4]), mediaType: 'image/png', prompt: 'Look.' } as const;
const schema = { type: 'object' };

function shape(id: string): ReaderShape {
  const found = readerShape(id);
  if (found === null) throw new Error(`no shape ${id}`);
  return found;
}
const request = (
  id: string,
  answer?: { schema: typeof schema | null; temperature: 0 | null; tokens: number },
) =>
  JSON.parse(
    readerRequestText(
      { shape: shape(id), model: 'm', seed: 7 },
      answer === undefined ? question : { ...question, answer },
    ),
  );

/** The documented reply of each shape. */
function body(id: string, text: string, model = 'm'): Record<string, unknown> {
  if (id === 'anthropic') return FORMS.anthropic(text, model);
  if (id === 'gemini') return FORMS.gemini(text, model);
  if (id === 'ollama-generate') return FORMS.ollamaGenerate(text, model);
  return id === 'lm-studio' || id === 'openai-responses'
    ? FORMS.responses(text, model)
    : FORMS.chat(text, model);
}
const read = (id: string, value: unknown, status = 200) =>
  readReaderBody(status, typeof value === 'string' ? value : JSON.stringify(value), {
    shape: shape(id),
    model: 'm',
  });
const coded = (code: string) => expect.objectContaining({ code });

describe('a request', () => {
  const image_url = { url: 'data:image/png;base64,AQIDBA==' };
  const chat = {
    model: 'm',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url },
          { type: 'text', text: 'Look.' },
        ],
      },
    ],
    max_tokens: 128,
    temperature: 0,
    seed: 7,
    stream: false,
  };
  const responses = {
    model: 'm',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_image', image_url: image_url.url },
          { type: 'input_text', text: 'Look.' },
        ],
      },
    ],
    max_output_tokens: 128,
    temperature: 0,
  };
  const quiet = { chat_template_kwargs: { enable_thinking: false } };
  it.each<[string, unknown]>([
    ['llama-chat', { ...chat, cache_prompt: false, ...quiet }],
    ['vllm', { ...chat, ...quiet }],
    ['openai', chat],
    ['openrouter', { ...chat, provider: { require_parameters: true } }],
    ['lm-studio', responses],
    ['openai-responses', { ...responses, store: false }],
    [
      'ollama-generate',
      {
        model: 'm',
        prompt: 'Look.',
        images: ['AQIDBA=='],
        think: false,
        stream: false,
        options: { temperature: 0, seed: 7, num_predict: 128 },
      },
    ],
    [
      'anthropic',
      {
        model: 'm',
        max_tokens: 128,
        temperature: 0,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AQIDBA==' } },
              { type: 'text', text: 'Look.' },
            ],
          },
        ],
      },
    ],
    [
      'gemini',
      {
        contents: [
          {
            role: 'user',
            parts: [{ inlineData: { mimeType: 'image/png', data: 'AQIDBA==' } }, { text: 'Look.' }],
          },
        ],
        generationConfig: { temperature: 0, maxOutputTokens: 128, seed: 7 },
      },
    ],
  ])('of %s', (id, expected) => expect(request(id)).toEqual(expected));

  it.each<[string, (body: Record<string, never>) => unknown, unknown]>([
    [
      'openai',
      ({ response_format }) => response_format,
      { type: 'json_schema', json_schema: { name: 'reply', strict: true, schema } },
    ],
    [
      'openai-responses',
      ({ text }) => text,
      { format: { type: 'json_schema', name: 'reply', strict: true, schema } },
    ],
    ['ollama-generate', ({ format }) => format, schema],
    ['anthropic', ({ output_config }) => output_config, { format: { type: 'json_schema', schema } }],
    [
      'gemini',
      ({ generationConfig }) => generationConfig,
      { maxOutputTokens: 300, seed: 7, responseMimeType: 'application/json', responseJsonSchema: schema },
    ],
  ])('of %s with a schema, 300 tokens and the server’s own temperature', (id, part, expected) => {
    const body = request(id, { schema, temperature: null, tokens: 300 });
    expect(part(body)).toEqual(expected);
    expect(JSON.stringify(body)).not.toContain('"temperature"');
    expect(JSON.stringify(body)).toContain('300');
  });

  it('to Gemini names the model in the path and the key nowhere', () => {
    expect(shape('gemini').path('models/gemini-x')).toBe('/v1beta/models/gemini-x:generateContent');
    expect(shape('gemini').auth).toBe('x-goog-api-key');
  });
});

describe.each(READER_KINDS)('a reply of %s', (id) => {
  it('is read with its model and its counts', () => {
    expect(read(id, body(id, 'It is lane 3.'))).toEqual({
      reply_text: 'It is lane 3.',
      model_in_reply: 'm',
      tokens: { prompt: 900, completion: 24 },
      reply_error: null,
    });
  });

  it('of nothing but white space is what the model said, and is rejected', () => {
    expect(read(id, body(id, ' \n'))).toMatchObject({
      reply_text: ' \n',
      reply_error: expect.stringMatching(/^RuntimeError: .* returned no text \(/),
    });
  });

  it('with half a surrogate has text that has bytes', () => {
    expect(read(id, body(id, '\ud800!')).reply_text).toBe('\ufffd!');
  });

  it('is plumbing where it is no reply of the model that was asked', () => {
    expect(() => read(id, body(id, 'x', 'another'))).toThrow(coded('provider_wrong_model'));
    for (const named of [5, ['another'], { name: 'm' }, true]) {
      const wrong = { ...body(id, 'x'), [id === 'gemini' ? 'modelVersion' : 'model']: named };
      expect(() => read(id, wrong)).toThrow(coded('provider_wrong_model'));
    }
    expect(() => read(id, '{}')).toThrow(coded('provider_reply_shape'));
    expect(() => read(id, '[]')).toThrow(coded('provider_not_object'));
    expect(() => read(id, '<html>')).toThrow(coded('provider_not_object'));
    expect(() => read(id, { error: { code: 402, message: 'Insufficient credits' } })).toThrow(
      expect.objectContaining({ code: 'provider_reply_error', got: 'Insufficient credits' }),
    );
    expect(() => read(id, { error: 'overloaded' })).toThrow(coded('provider_reply_error'));
    expect(() => read(id, 'no', 401)).toThrow(coded('provider_unauthorised'));
    expect(() => read(id, 'no', 429)).toThrow(coded('provider_http_status'));
    expect(() => read(id, 'no', 503)).toThrow(coded('provider_loading'));
  });
});

describe('a reply that the server broke off is plumbing, whatever came of it', () => {
  const choice = (more: object) => ({ model: 'm', choices: [{ message: { content: 'TANK CO' }, ...more }] });
  const output = [{ type: 'message', content: [{ type: 'output_text', text: 'TANK CO' }] }];
  const parts = [{ text: 'TANK CO' }];
  it.each<[string, unknown, string]>([
    ['openrouter', choice({ finish_reason: 'error', error: { code: 502, message: 'gone' } }), 'gone'],
    ['openrouter', choice({ finish_reason: 'stop', error: { code: 502 } }), '{"code":502}'],
    ['openai', choice({ finish_reason: 'error' }), 'error'],
    ['vllm', choice({ finish_reason: 'abort' }), 'abort'],
    ['lm-studio', { model: 'm', status: 'in_progress', output: [] }, 'in_progress'],
    ['lm-studio', { model: 'm', status: 'cancelled', output }, 'cancelled'],
    ['openai-responses', { model: 'm', status: 'failed', output }, 'failed'],
    [
      'openai-responses',
      { model: 'm', status: 'incomplete', incomplete_details: { reason: 'server_error' }, output },
      'server_error',
    ],
    ['anthropic', { model: 'm', content: [], stop_reason: null }, 'no stop_reason and no text'],
    ['gemini', { modelVersion: 'm', candidates: [{ finishReason: 'OTHER' }] }, 'OTHER'],
    ['gemini', { modelVersion: 'm', candidates: [{ content: { parts }, finishReason: 'OTHER' }] }, 'OTHER'],
    ['gemini', { modelVersion: 'm', candidates: [{}] }, 'no finishReason and no text'],
    ['ollama-generate', { model: 'm', response: 'TANK CO', done: false }, 'done: false'],
  ])('%s', (id, value, got) =>
    expect(() => read(id, value)).toThrow(
      expect.objectContaining({ code: 'provider_reply_unfinished', got }),
    ),
  );

  it('but a reply that is too long or filtered stays an answer', () => {
    expect(read('openai', choice({ finish_reason: 'length', error: null })).reply_text).toBe('TANK CO');
    expect(read('openrouter', choice({ finish_reason: 'content_filter' })).reply_text).toBe('TANK CO');
    for (const reason of ['max_output_tokens', 'content_filter']) {
      const cut = { model: 'm', status: 'incomplete', incomplete_details: { reason }, output };
      expect(read('lm-studio', cut).reply_text).toBe('TANK CO');
    }
    const unsafe = { modelVersion: 'm', candidates: [{ finishReason: 'SAFETY' }] };
    expect(read('gemini', unsafe).reply_error).toContain('(SAFETY)');
  });
});

describe('a reply without text', () => {
  it.each<[string, unknown, string]>([
    [
      'openai',
      { model: 'm', choices: [{ message: { content: null, refusal: 'I cannot.' }, finish_reason: 'stop' }] },
      'RuntimeError: OpenAI-compatible server returned no text (I cannot.)',
    ],
    [
      'openai-responses',
      { model: 'm', output: [{ type: 'reasoning' }], incomplete_details: { reason: 'max_output_tokens' } },
      'RuntimeError: OpenAI responses returned no text (max_output_tokens)',
    ],
    [
      'anthropic',
      { model: 'm', content: [], stop_reason: 'refusal' },
      'RuntimeError: Anthropic messages returned no text (refusal)',
    ],
    [
      'gemini',
      { promptFeedback: { blockReason: 'SAFETY' } },
      'RuntimeError: Google Gemini returned no text (SAFETY)',
    ],
    [
      'gemini',
      { candidates: [{ content: { parts: [{ text: 'hm', thought: true }] }, finishReason: 'MAX_TOKENS' }] },
      'RuntimeError: Google Gemini returned no text (MAX_TOKENS)',
    ],
  ])('%s says why', (id, value, reason) => expect(read(id, value).reply_error).toBe(reason));

  it('in parts is put together', () => {
    const content = [
      { type: 'text', text: 'lane ' },
      { type: 'text', text: '3' },
    ];
    expect(read('vllm', { model: 'm', choices: [{ message: { content } }] }).reply_text).toBe('lane 3');
    expect(read('anthropic', { model: 'm', content }).reply_text).toBe('lane 3');
  });
});

describe('a model’s name', () => {
  it.each<[Parameters<typeof isModel>[0], string, string, boolean]>([
    ['exact', 'a', 'a', true],
    ['exact', 'gpt-4o', 'gpt-4o-2024-08-06', false],
    ['openai', 'gpt-4o', 'gpt-4o-2024-08-06', true],
    ['openai', 'gpt-4', 'gpt-4-0613', true],
    ['openai', 'gpt-4', 'gpt-4o-2024-08-06', false],
    ['openai', 'gpt-4o', 'gpt-4o-mini', false],
    ['openai', 'gpt-4o', 'gpt-4o-mini-2024-07-18', false],
    ['openai', 'gpt-4o-2024-08-06', 'gpt-4o', false],
    ['openrouter', 'openai/gpt-4o:free', 'openai/gpt-4o', true],
    ['openrouter', 'openai/gpt-4o', 'openai/gpt-4o-2024-08-06', true],
    ['openrouter', 'openai/gpt-4o', 'azure/gpt-4o', false],
    ['anthropic', 'claude-sonnet-4-5', 'claude-sonnet-4-5-20250929', true],
    ['anthropic', 'claude-3-5-sonnet-latest', 'claude-3-5-sonnet-20241022', true],
    ['anthropic', 'claude-sonnet-4', 'claude-sonnet-4-5-20250929', false],
    ['gemini', 'gemini-2.0-flash', 'gemini-2.0-flash-001', true],
    ['gemini', 'models/gemini-2.0-flash', 'gemini-2.0-flash', true],
    ['gemini', 'gemini-2.0-flash', 'gemini-2.0-flash-lite', false],
    ['ollama', 'qwen3.5', 'qwen3.5:latest', true],
    ['ollama', 'qwen3.5:latest', 'qwen3.5', false],
    ['ollama', 'qwen3.5', 'qwen3.5:8b', false],
  ])('by rule %s: %s answered as %s is %s', (rule, asked, named, same) =>
    expect(isModel(rule, asked, named)).toBe(same),
  );
});
