import { afterEach, describe, expect, it } from 'vitest';
import { entryOf } from '../catalogue';
import type { Capability } from '../provider';
import { jsonServer } from '../testing/json-server';
import { examine, type Report } from '.';
import { testPictureBase64 } from './test-pictures';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const MODEL = 'eye-1';
type Reply = (path: string, said: string, body: Record<string, unknown>) => unknown;

const chat: Reply = (path, said) => {
  if (path.startsWith('/v1/models')) return { data: [{ id: MODEL }] };
  const top = [{ token: said, logprob: -0.1 }];
  return path === '/v1/chat/completions'
    ? {
        model: MODEL,
        choices: [{ message: { content: said }, logprobs: { content: [{ top_logprobs: top }] } }],
      }
    : undefined;
};
const responses: Reply = (path, said) => {
  if (path.startsWith('/v1/models')) return { data: [{ id: MODEL }] };
  const logprobs = [{ top_logprobs: [{ token: said, logprob: -0.1 }] }];
  return path === '/v1/responses'
    ? { model: MODEL, output: [{ content: [{ type: 'output_text', text: said, logprobs }] }] }
    : undefined;
};

/** How each kind of server answers, in the form of its own documentation, and how many requests that takes. */
const SERVERS: readonly (readonly [string, number, Reply])[] = [
  [
    'ollama-generate',
    3,
    (path, said) =>
      ({
        '/api/tags': { models: [{ name: MODEL }] },
        '/api/show': { capabilities: ['vision'] },
        '/api/generate': { model: MODEL, response: said },
      })[path],
  ],
  [
    'llama-server',
    3,
    (path, said, body) =>
      path.startsWith('/props') ? { modalities: { vision: true } } : chat(path, said, body),
  ],
  [
    'lm-studio',
    3,
    (path, said, body) =>
      path === '/api/v0/models' ? { data: [{ id: MODEL, type: 'vlm' }] } : responses(path, said, body),
  ],
  ['vllm', 3, chat],
  ['openai', 3, chat],
  ['openai-sampled', 3, chat],
  [
    'openrouter',
    2,
    (path, said, body) =>
      path.startsWith('/v1/models')
        ? { data: [{ id: MODEL, architecture: { input_modalities: ['text', 'image'] } }] }
        : chat(path, said, body),
  ],
  ['openai-responses', 3, responses],
  [
    'anthropic',
    3,
    (path, said) =>
      path.startsWith('/v1/models')
        ? { data: [{ id: MODEL }] }
        : path === '/v1/messages'
          ? { model: MODEL, content: [{ type: 'text', text: said }] }
          : undefined,
  ],
  [
    'gemini',
    3,
    (path, said) =>
      path.startsWith('/v1beta/models?')
        ? { models: [{ name: `models/${MODEL}` }] }
        : path === `/v1beta/models/${MODEL}:generateContent`
          ? { modelVersion: MODEL, candidates: [{ content: { parts: [{ text: said }] } }] }
          : undefined,
  ],
];

async function report(id: string, baseUrl: string, capability: Capability | null): Promise<Report> {
  const subject = { entry: entryOf(id), baseUrl, model: MODEL, key: 'sk-01234567', capability };
  const checking = examine(subject, { page: null, forOrigin: null }, new AbortController().signal);
  for (;;) {
    const step = await checking.next();
    if (step.done === true) return step.value;
  }
}

describe('the doctor asks in the words of', () => {
  for (const [id, requests, reply] of SERVERS) {
    it(id, async () => {
      const server = await jsonServer(({ path, body }) => {
        const blue = JSON.stringify(body).includes(testPictureBase64('blue'));
        const found = reply(path, blue ? 'Blue' : 'Red', body);
        return found === undefined ? { status: 404, body: {} } : { body: found };
      });
      open.push(server);
      const capability = entryOf(id).capabilities.includes('image-text-to-text')
        ? 'image-text-to-text'
        : 'image-text-to-choices';
      const found = await report(id, server.url, capability);
      expect(found.diagnosis.code, JSON.stringify(found)).toBe('doctor_ok');
      expect(found.checks.filter(({ state }) => state !== 'ok')).toEqual([]);
      expect(found.requests).toHaveLength(requests);
      expect(JSON.stringify(found)).not.toContain('sk-01234567');
    });
  }
});

describe('where a question would decide or draw something', () => {
  it.each([
    [200, 'reached'],
    [302, 'reached'],
    [405, 'reached'],
    [401, 'unauthorised'],
    [429, 'rate_limited'],
    [502, 'server_error'],
  ] as const)('only the address is asked: HTTP %d, %s', async (status, code) => {
    const server = await jsonServer(() => ({ status, body: {} }));
    open.push(server);
    const found = await report('jev', server.url, null);
    expect(found.diagnosis.code).toBe(code);
    expect(found.requests).toHaveLength(1);
    expect(server.seen.every(({ body }) => Object.keys(body).length === 0)).toBe(true);
  });
});
