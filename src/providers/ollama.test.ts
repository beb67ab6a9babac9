import { afterEach, describe, expect, it } from 'vitest';
import { type ChatHandler, chatReply, type MockOllama, mockOllama, sendJson } from '../../e2e/servers/ollama';
import { OllamaProvider } from './ollama';
import type { ExchangeRecord } from './provider';

let server: MockOllama;
afterEach(() => server?.close());

const image = new Uint8Array([1, 2, 3, 4]);
const never = new AbortController().signal;
const GOOD = 'TANK_COLUMN: 3\nTARGET_COLUMN: NONE\nCOOLDOWN: READY\nCONFIDENCE: 90';

function provider(timeoutSeconds = 2): OllamaProvider {
  return new OllamaProvider({
    baseUrl: `${server.url}//`,
    model: 'mock-vision:latest',
    seed: 7,
    timeoutSeconds,
  });
}

async function ask(
  chat: ChatHandler,
  timeoutSeconds = 2,
): Promise<{ last: ExchangeRecord; all: ExchangeRecord[] }> {
  server = await mockOllama(chat);
  const asked = provider(timeoutSeconds);
  await asked.start(never);
  const all: ExchangeRecord[] = [];
  const last = await asked.readImage(
    { image, mediaType: 'image/png', prompt: 'Look.', promptMode: 'unlabelled' },
    { signal: never, record: (attempt) => void all.push(attempt) },
  );
  return { last, all };
}

const answer =
  (text: string, status = 200, headers: Record<string, string> = {}): ChatHandler =>
  (_call, _n, response) =>
    sendJson(response, text, status, headers);

describe('the request', () => {
  it('has the published shape and its digest is of the bytes sent', async () => {
    const { last, all } = await ask(answer(chatReply(GOOD)));
    const [call] = server.chats();
    expect(call?.body).toEqual({
      model: 'mock-vision:latest',
      messages: [{ role: 'user', content: 'Look.', images: ['AQIDBA=='] }],
      think: false,
      stream: false,
      options: { temperature: 0, seed: 7, num_predict: 128 },
    });
    expect(last.request_sha256).toBe(call?.bodySha256);
    expect(last.image_sha256).toBe(call?.imageSha256);
    expect(all).toEqual([last]);
  });

  it('keeps latency, tokens and the metadata of section 9.5 with their number kinds', async () => {
    const { last } = await ask(answer(chatReply(GOOD)));
    expect(last).toMatchObject({
      cause: null,
      reply_error: null,
      reply_text: GOOD,
      model_in_reply: 'mock-vision:latest',
      latency_us: 1_234_568,
      tokens: { prompt: 900, completion: 24 },
    });
    expect(last.response_metadata_text).toMatch(
      /^\{"backend":"ollama","done_reason":"stop","eval_count":24,"message_keys":\["content","role"\],"model":"mock-vision:latest","model_record":\{.*\},"prompt_eval_count":900,"response_keys":\[.*\],"thinking_length":0,"wall_ms":\d+\.\d+\}$/,
    );
  });
});

describe('what the model said', () => {
  it('a blank content is the model’s fault, in the reference’s words', async () => {
    const text = chatReply('\u001c \n', {
      eval_count: undefined,
      message: { role: 'assistant', content: '\u001c \n', thinking: 'hm🙂' },
    });
    const { last } = await ask(answer(text));
    expect(last.cause).toBeNull();
    expect(last.reply_error).toBe(
      "RuntimeError: Ollama returned empty message.content (thinking_chars=3, eval_count=None, done_reason='stop')",
    );
  });

  it('a byte order mark is not white space to Python', async () => {
    const { last } = await ask(answer(chatReply('\ufeff')));
    expect(last.reply_error).toBeNull();
  });
});

describe('plumbing', () => {
  it.each<[string, string, number, string]>([
    ['HTML with status 200', '<html>hello</html>', 200, 'provider_not_json'],
    ['truncated JSON', chatReply(GOOD).slice(0, 80), 200, 'provider_not_json'],
    ['a NaN literal', '{"message":{"content":"x"},"total_duration":NaN}', 200, 'provider_not_json'],
    ['a list', '[]', 200, 'provider_not_object'],
    ['no message', '{"model":"mock-vision:latest"}', 200, 'provider_reply_shape'],
    ['a content that is no text', '{"message":{"content":3}}', 200, 'provider_reply_shape'],
    ['another model', chatReply(GOOD, { model: 'other:latest' }), 200, 'provider_wrong_model'],
    ['a model that is no name', chatReply(GOOD, { model: 3 }), 200, 'provider_reply_shape'],
    ['status 404', 'model not found', 404, 'provider_http_status'],
    ['status 500', 'boom', 500, 'provider_http_status'],
  ])('%s is an infrastructure failure', async (_name, text, status, code) => {
    const { last, all } = await ask(answer(text, status));
    expect(last.cause?.code).toBe(code);
    expect(last.status).toBe(status);
    expect(all).toHaveLength(1);
    expect(server.chats()).toHaveLength(1);
  });

  it.each([
    ['{"a":1,"a":2}', /twice|occurred before/],
    ['{"a":1e400}', /1e400/],
    ['{} {}', /end of text/],
    ['{"a":', /JSON value/],
  ])('%s is called what it is', async (text, said) => {
    const { last } = await ask(answer(text));
    expect(last.cause?.code).toBe('provider_not_json');
    expect(last.cause?.message).toMatch(said);
    expect(last.cause?.message).not.toContain('non-object');
  });

  it('is written down before it is sent, and each attempt anew', async () => {
    server = await mockOllama((_call, n, response) =>
      n === 1 ? sendJson(response, 'busy', 429, { 'retry-after': '0' }) : sendJson(response, chatReply(GOOD)),
    );
    const told: string[] = [];
    const last = await provider().readImage(
      { image, mediaType: 'image/png', prompt: 'Look.', promptMode: 'unlabelled' },
      {
        signal: never,
        begin: async ({ attempt, cause, request_sha256 }) => {
          expect(request_sha256).toMatch(/^sha256:/);
          told.push(`${attempt} ${cause?.code} ${server.chats().length}`);
        },
        record: ({ attempt, status }) => void told.push(`${attempt} ${status}`),
      },
    );
    expect(last.status).toBe(200);
    expect(told).toEqual(['1 provider_call_unfinished 0', '1 429', '2 provider_call_unfinished 1', '2 200']);
  });

  it('is not sent when it cannot be written down', async () => {
    server = await mockOllama(answer(chatReply(GOOD)));
    const begin = () => Promise.reject(new Error('no room'));
    const question = { image, mediaType: 'image/png', prompt: 'Look.', promptMode: 'unlabelled' } as const;
    await expect(provider().readImage(question, { signal: never, begin, record: () => {} })).rejects.toThrow(
      'no room',
    );
    expect(server.chats()).toHaveLength(0);
  });

  it('quotes the server’s own words', async () => {
    const { last } = await ask(answer('out of memory', 500));
    expect(last.cause?.message).toBe('Ollama HTTP 500: out of memory');
  });

  it('a stalled answer is a timeout', async () => {
    const { last } = await ask((_call, _n, response) => void response.writeHead(200).write('{'), 0.3);
    expect(last.cause?.code).toBe('provider_timeout');
  });

  it('waits for Retry-After at most twice and records each call', async () => {
    const { last, all } = await ask((_call, n, response) =>
      n < 3
        ? sendJson(response, 'busy', n === 1 ? 429 : 503, { 'retry-after': '0' })
        : sendJson(response, chatReply(GOOD)),
    );
    expect(all.map((a) => [a.attempt, a.status])).toEqual([
      [1, 429],
      [2, 503],
      [3, 200],
    ]);
    expect(last.cause).toBeNull();
    expect(server.chats()).toHaveLength(3);
  });

  it('gives up after the second retry', async () => {
    const { last, all } = await ask(answer('busy', 429, { 'retry-after': '0' }));
    expect(all).toHaveLength(3);
    expect(last.cause?.code).toBe('provider_http_status');
  });

  it('does not retry without being told when, nor a plain 500', async () => {
    const { all } = await ask(answer('busy', 429));
    expect(all).toHaveLength(1);
  });
});

describe('start', () => {
  it('keeps the model record and the version as runtime evidence', async () => {
    server = await mockOllama(answer('{}'));
    const runtime = await provider().start(never);
    expect(runtime).toMatchObject({
      runtime_name: 'ollama',
      runtime_version: '0.0.0-mock',
      model_digest: 'ab'.repeat(32),
    });
  });

  it('names the installed models when ours is not among them', async () => {
    server = await mockOllama(answer('{}'));
    const other = new OllamaProvider({
      baseUrl: server.url,
      model: 'mock-vision',
      seed: 0,
      timeoutSeconds: 2,
    });
    await expect(other.start(never)).rejects.toMatchObject({
      code: 'provider_model_missing',
      message: "Ollama model 'mock-vision' not found. Installed: mock-vision:latest",
    });
  });

  it('says <none> when nothing is installed', async () => {
    server = await mockOllama(answer('{}'), (response) => sendJson(response, '{"models":[]}'));
    await expect(provider().start(never)).rejects.toThrow('Installed: <none>');
  });

  it.each([
    ...[
      'ftp://x',
      'http://[',
      'http://localhost:99999',
      'http://name:word@localhost',
      'http://',
      'localhost:11434',
      'http://a b',
      'http://localhost/?key=1',
      'http://localhost/#a',
    ].map((baseUrl) => ({ baseUrl, model: 'm', seed: 0, timeoutSeconds: 1 })),
    { baseUrl: 'http://x', model: ' ', seed: 0, timeoutSeconds: 1 },
    { baseUrl: 'http://x', model: 'm', seed: 0, timeoutSeconds: 0 },
    { baseUrl: 'http://x', model: 'm', seed: 0.5, timeoutSeconds: 1 },
  ])('refuses settings %o', (settings) => {
    expect(() => new OllamaProvider(settings)).toThrow(
      expect.objectContaining({ code: 'provider_settings' }),
    );
  });
});

describe('a cancelled call', () => {
  it('is in the record: the server has seen it', async () => {
    const cancel = new AbortController();
    const stop = new Error('the person said stop');
    server = await mockOllama(() => cancel.abort(stop));
    const asked = provider();
    await asked.start(never);
    const all: ExchangeRecord[] = [];
    const question = { image, mediaType: 'image/png', prompt: 'Look.', promptMode: 'unlabelled' } as const;
    const call = { signal: cancel.signal, record: (attempt: ExchangeRecord) => void all.push(attempt) };
    await expect(asked.readImage(question, call)).rejects.toBe(stop);
    expect(all).toMatchObject([{ attempt: 1, status: null, cause: { code: 'provider_cancelled' } }]);
    expect(server.chats()).toHaveLength(1);
    // Nothing is sent, so nothing recorded, once the signal is aborted.
    await expect(asked.readImage(question, call)).rejects.toBe(stop);
    expect(all).toHaveLength(1);
    expect(server.chats()).toHaveLength(1);
  });
});
