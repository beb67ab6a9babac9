import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type ApiAnswer, type ApiOptions, type MockApi, mockApi, STATE_REPLY } from '../../e2e/servers/apis';
import { auditReader, readerMetadata } from './audit/reader-audit';
import { readerShape } from './audit/reader-shapes';
import { DEFAULT_LIMITS, retryWaitMs } from './call-policy';
import { FetchReader, type FetchReaderSettings } from './fetch-reader';
import type { ExchangeRecord } from './provider';
import { redact, usableKey } from './secret';

const KEY = 'sk-canary/9"f3+A~z';
const never = new AbortController().signal;
const image = new Uint8Array(Buffer.from('iVBORw0KGgo=', 'base64'));
const question = { image, mediaType: 'image/png', prompt: 'Look.', promptMode: 'unlabelled' } as const;
const coded = (code: string) => expect.objectContaining({ code });

const open: MockApi[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});
async function serve(options: ApiOptions = {}): Promise<MockApi> {
  const server = await mockApi(options);
  open.push(server);
  return server;
}

function reader(id: string, baseUrl: string, more: Partial<FetchReaderSettings> = {}): FetchReader {
  const shape = readerShape(id);
  if (shape === null) throw new Error(id);
  return new FetchReader(shape, {
    baseUrl,
    model: 'mock-vision',
    seed: 0,
    timeoutSeconds: 5,
    apiKey: KEY,
    keyRequired: true,
    limits: DEFAULT_LIMITS,
    ...more,
  });
}

async function ask(id: string, options: ApiOptions, more: Partial<FetchReaderSettings> = {}) {
  const server = await serve(options);
  const all: ExchangeRecord[] = [];
  const begun: ExchangeRecord[] = [];
  const last = await reader(id, server.url, more).readImage(question, {
    signal: never,
    begin: async (attempt) => void begun.push(attempt),
    record: (attempt) => void all.push(attempt),
  });
  return { server, last, all, begun };
}
/** Where the verifier would contradict a record. */
function audited(id: string, record: ExchangeRecord) {
  const { request_sha256, image_sha256 } = record;
  const shape = readerShape(id);
  if (shape === null || request_sha256 === null || image_sha256 === null)
    throw new Error(`no record of ${id}`);
  return [...auditReader([record], { shape, model: 'mock-vision', request_sha256, image_sha256 })];
}
const answers = (...given: readonly ApiAnswer[]): ApiOptions => ({
  answer: (_call, number) => given[number - 1] ?? {},
});

describe('each kind of server', () => {
  it.each([
    ['llama-chat', '/v1/models', '/v1/chat/completions', 'authorization'],
    ['vllm', '/v1/models', '/v1/chat/completions', 'authorization'],
    ['openai', '/v1/models', '/v1/chat/completions', 'authorization'],
    ['openrouter', '/v1/models', '/v1/chat/completions', 'authorization'],
    ['lm-studio', '/v1/models', '/v1/responses', 'authorization'],
    ['openai-responses', '/v1/models', '/v1/responses', 'authorization'],
    ['ollama-generate', '/api/tags', '/api/generate', 'authorization'],
    ['anthropic', '/v1/models?limit=1000', '/v1/messages', 'x-api-key'],
    [
      'gemini',
      '/v1beta/models?pageSize=1000',
      '/v1beta/models/mock-vision:generateContent',
      'x-goog-api-key',
    ],
  ])('%s is found at %s and asked at %s, with the key in %s', async (id, models, path, header) => {
    const server = await serve();
    const asked = reader(id, `${server.url}/`);
    expect(await asked.start(never)).toMatchObject({ details: { listed_as: 'mock-vision' } });
    const last = await asked.readImage(question, { signal: never, record: () => {} });
    expect(last).toMatchObject({ cause: null, status: 200, attempt: 1, reply_text: STATE_REPLY });
    expect(server.calls.map((call) => call.path)).toEqual([models, path]);
    for (const { headers } of server.calls) {
      expect(headers[header]).toBe(header === 'authorization' ? `Bearer ${KEY}` : KEY);
    }
    const [call] = server.asked();
    expect(last.request_sha256).toBe(call?.bodySha256);
    expect(last.image_sha256).toBe(call?.image);
    expect(call?.path).not.toContain('canary');
    if (id === 'anthropic') {
      expect(call?.headers).toMatchObject({
        'anthropic-version': '2023-06-01',
        'anthropic-dangerous-direct-browser-access': 'true',
      });
    }
  });

  it('takes an address that ends in /v1, as many write it', async () => {
    const server = await serve();
    await reader('openai', `${server.url}/v1/`).start(never);
    expect(server.calls[0]?.path).toBe('/v1/models');
  });
});

describe('before anything is asked', () => {
  it('a model that is not listed, a key that is missing, a model without eyes', async () => {
    const server = await serve({ models: ['another'] });
    await expect(reader('gemini', server.url).start(never)).rejects.toThrow(coded('provider_model_missing'));
    const bare = reader('anthropic', server.url, { apiKey: null });
    await expect(bare.start(never)).rejects.toThrow(coded('provider_key_missing'));
    expect(server.asked()).toEqual([]);
  });

  it('a model that is listed as taking text only', async () => {
    const real = globalThis.fetch;
    globalThis.fetch = async () =>
      new Response('{"data":[{"id":"mock-vision","architecture":{"input_modalities":["text"]}}]}');
    try {
      const asked = reader('openrouter', 'http://127.0.0.1:1');
      await expect(asked.start(never)).rejects.toThrow(coded('provider_text_only'));
    } finally {
      globalThis.fetch = real;
    }
  });

  it('settings that no call could be made with, without a word of a secret', () => {
    const refused = (more: Partial<FetchReaderSettings>, base = 'http://127.0.0.1') => {
      try {
        reader('openai', base, more);
      } catch (error) {
        return error as { code: string; message: string; expected: string; got: string };
      }
      throw new Error('was made');
    };
    expect(refused({ model: ' ' }).code).toBe('provider_settings');
    expect(refused({ timeoutSeconds: 0 }).code).toBe('provider_settings');
    expect(refused({ seed: 0.5 }).code).toBe('provider_settings');
    for (const id of ['anthropic', 'openai-responses', 'lm-studio']) {
      expect(() => reader(id, 'http://127.0.0.1', { seed: 7 })).toThrow(coded('provider_settings'));
    }
    expect(reader('gemini', 'http://127.0.0.1', { seed: 7 }).description.seed).toBe(7);
    const spaced = refused({ apiKey: 'canary with spaces' });
    const inAddress = refused({}, 'http://me:canary@host/?key=canary');
    for (const error of [spaced, inAddress]) {
      expect(error.code).toBe('provider_settings');
      expect(JSON.stringify([error.message, error.expected, error.got])).not.toContain('canary');
    }
  });
});

describe('every attempt is in the ledger', () => {
  it('429 with seconds, 503 with a date, then an answer: three calls, each begun and ended', async () => {
    const { last, all, begun } = await ask(
      'openai-responses',
      answers(
        { status: 429, headers: { 'retry-after': '0' }, body: { error: { message: 'slow' } } },
        { status: 503, headers: { 'retry-after': new Date(Date.now() - 1000).toUTCString() }, body: {} },
      ),
    );
    expect(all.map(({ attempt, status, cause }) => [attempt, status, cause?.code ?? null])).toEqual([
      [1, 429, 'provider_http_status'],
      [2, 503, 'provider_loading'],
      [3, 200, null],
    ]);
    expect(begun.map(({ attempt, cause }) => [attempt, cause?.code])).toEqual([
      [1, 'provider_call_unfinished'],
      [2, 'provider_call_unfinished'],
      [3, 'provider_call_unfinished'],
    ]);
    expect(last).toBe(all[2]);
  });

  it('at most two retries; none after a wait that is too long or a status that says no', async () => {
    const busy = { status: 429, headers: { 'retry-after': '0' }, body: {} };
    expect((await ask('openai', answers(busy, busy, busy, busy))).all).toHaveLength(3);
    const long = { status: 429, headers: { 'retry-after': '121' }, body: {} };
    expect((await ask('openai', answers(long))).all).toHaveLength(1);
    expect((await ask('openai', answers({ status: 500, body: {} }))).all).toHaveLength(1);
  });

  it('a wait without a header is a second, then two; a header that cannot be read is none', () => {
    const wait = (retryAfter: string | null, attempt: number, status = 429) =>
      retryWaitMs({ status, retryAfter }, attempt, 0);
    expect([wait(null, 1), wait(null, 2), wait(null, 3), wait('7', 1), wait('soon', 1)]).toEqual([
      1000,
      2000,
      null,
      7000,
      null,
    ]);
    expect(wait('7', 1, 500)).toBeNull();
    expect(retryWaitMs(null, 1, 0)).toBeNull();
  });

  it('a server that stalls in the middle of its reply is a timeout', async () => {
    const { last } = await ask('anthropic', answers({ stall: true }), { timeoutSeconds: 0.3 });
    expect(last).toMatchObject({ status: null, reply_text: null, cause: { code: 'provider_timeout' } });
  });

  it('a cancelled call is kept as cancelled', async () => {
    const server = await serve(answers({ stall: true }));
    const cancel = new AbortController();
    const all: ExchangeRecord[] = [];
    const asked = reader('gemini', server.url).readImage(question, {
      signal: cancel.signal,
      record: (attempt) => void all.push(attempt),
    });
    setTimeout(() => cancel.abort(new DOMException('stop', 'AbortError')), 200);
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    expect(all).toMatchObject([{ cause: { code: 'provider_cancelled' } }]);
  });

  it('another model, an error in a reply that says 200, and a page of HTML are plumbing', async () => {
    for (const [given, code] of [
      [{ model: 'another' }, 'provider_wrong_model'],
      [{ body: { error: { message: 'no route' } } }, 'provider_reply_error'],
      [{ body: '<html>' }, 'provider_not_object'],
      [
        {
          body: { model: 'mock-vision', choices: [{ finish_reason: 'error', message: { content: 'TANK' } }] },
        },
        'provider_reply_unfinished',
      ],
    ] as const) {
      const { last } = await ask('openrouter', answers(given));
      expect(last.cause?.code).toBe(code);
      expect(last.reply_error).toBeNull();
      const audit = (record: ExchangeRecord) => audited('openrouter', record);
      expect(audit(last)).toEqual([]);
      // The same body, told as an answer, is found out.
      const told = { cause: null, response_metadata_text: readerMetadata(last.reply_text ?? '') };
      expect(audit({ ...last, ...told }).map(({ field }) => field)).toContain('cause');
    }
  });
});

describe('a refusal', () => {
  const refusal = async (id: string, status: number, body: unknown, apiKey: string | null) => {
    const { last } = await ask(id, answers({ status, body }), { apiKey, keyRequired: false });
    expect(audited(id, last)).toEqual([]);
    return last.cause;
  };

  it('of a key that was sent is not the lack of one', async () => {
    const refused = { code: 'provider_key_refused', message: 'The server does not accept this key.' };
    for (const status of [401, 403]) {
      expect(await refusal('openai', status, { error: 'bad key' }, KEY)).toEqual(refused);
    }
    expect((await refusal('openai', 401, {}, null))?.code).toBe('provider_unauthorised');
    expect((await refusal('openai', 403, { error: 'origin' }, KEY))?.code).toBe('provider_forbidden');
    expect((await refusal('openai', 403, {}, null))?.code).toBe('provider_forbidden');
  });

  it('has llama.cpp’s usual reason only where the server is llama.cpp', async () => {
    expect((await refusal('llama-chat', 500, {}, null))?.message).toContain('raise -c');
    expect((await refusal('openai', 500, {}, null))?.message).toBe('The server failed with HTTP 500.');
    expect((await refusal('vllm', 400, { error: 'context' }, KEY))?.message).not.toContain('-c');
  });
});

describe('a key', () => {
  it('that a server sends back is in nothing that is kept', async () => {
    for (const id of ['openai', 'anthropic', 'gemini', 'ollama-generate']) {
      for (const given of [
        {},
        { text: `the key is ${KEY}` },
        { status: 500 },
        { status: 200, body: '{"x":1}' },
      ]) {
        const { server, all } = await ask(id, { ...answers(given), echo: true });
        const kept = JSON.stringify(all);
        expect(JSON.stringify(server.calls)).toContain('canary');
        expect(kept).not.toContain('canary');
        for (const { response_metadata_text, reply_text } of all) {
          for (const text of [response_metadata_text, reply_text ?? '']) {
            expect(decoded(text)).not.toContain('canary');
          }
        }
      }
    }
  });

  it('is taken out in every way of writing it, and nothing else is', () => {
    fc.assert(
      fc.property(
        fc.string({
          minLength: 8,
          unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)),
        }),
        fc.string(),
        (key, around) => {
          for (const form of [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), btoa(key)]) {
            const out = redact(`a ${form} b`, key);
            expect(out).toBe('a [REDACTED] b');
          }
          if (!around.includes(key)) expect(redact('plain text', key)).toBe('plain text');
        },
      ),
    );
  });

  it('is taken out of texts within texts and of base64 at any place in it', () => {
    const sent = 'sk-ABCdef1234567890xyz+/="Q';
    const escaped = (mark: string) =>
      Array.from(sent, (c) => `${mark}${c.charCodeAt(0).toString(16)}`).join('');
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const nested = JSON.stringify({ authorization: `Bearer ${sent}` });
    const bare = [
      nested.replaceAll('/', '\\/').replaceAll('+', '\\u002B'),
      JSON.stringify(nested),
      escaped('\\u00'),
      JSON.stringify(JSON.stringify(escaped('\\u00'))),
      escaped('\\u005cu00'),
      escaped('%'),
      escaped('%25'),
      Array.from(sent, (c) => `&#${c.charCodeAt(0)};`).join(''),
      Buffer.from(sent).toString('hex'),
      Buffer.from(sent).toString('base64url'),
      base64(sent).replace(/=+$/, ''),
    ];
    const around = ['Bearer ', 'x:', 'y', '', '{"k":"'].flatMap((front) =>
      ['', '"', '"}', '-ab'].map((back) => base64(`${front}${sent}${back}`)),
    );
    for (const form of [...bare, ...around, ...around.map((text) => text.replaceAll('/', '\\/'))]) {
      const raw = JSON.stringify({ error: { message: `got ${form} so` } });
      const out = redact(raw, sent);
      expect(out).toContain('[REDACTED]');
      expect(JSON.parse(out).error.message).toMatch(/^got .* so$/);
      expect(out).not.toMatch(/1234567890|NTY3ODkw|U2Nzg5|1Njc4O/);
      for (const digits of out.match(/[A-Za-z0-9+/_-]{4,}/g) ?? [])
        expect(Buffer.from(digits, 'base64').toString('latin1')).not.toContain('ABCdef');
      expect(redact(form, sent)).not.toBe(form);
    }
  });

  it('is looked for in a long text of backslashes and digits without an end of time', () => {
    const long = `${'\\'.repeat(100_000)}${'\\u005c'.repeat(10_000)}${'c2st'.repeat(100_000)}`;
    const begun = performance.now();
    expect(redact(long, 'sk-a/b"c+d')).toBe(long);
    expect(performance.now() - begun).toBeLessThan(3000);
  });

  it('is one line of visible ASCII', () => {
    expect(usableKey('  12345678 ')).toBe('12345678');
    expect(usableKey('  ')).toBeNull();
    for (const key of ['short', 'with a space', 'with\nline', 'schlüssel-schlüssel'])
      expect(() => usableKey(key)).toThrow(coded('provider_settings'));
  });
});

/** The text with every JSON string in it decoded, two levels deep. */
function decoded(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const strings: string[] = [];
    JSON.stringify(value, (_key, inner) => {
      if (typeof inner === 'string') strings.push(inner, decoded(inner));
      return inner;
    });
    return strings.join('\n');
  } catch {
    return text;
  }
}
