import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call as the server saw it. */
export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyText: string;
  readonly body: Record<string, unknown>;
  /** Digest of the picture in the body, whatever the form; null without one. */
  readonly image: string | null;
  readonly bodySha256: string;
}

/** What a call about a picture is answered with; the rest is the recorded form of its route. */
export interface ApiAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The whole body in place of the recorded form; an object is sent as JSON. */
  readonly body?: unknown;
  /** What the model says. */
  readonly text?: string;
  /** The model that the reply names. */
  readonly model?: string;
  /** Sends half of the body and then nothing. */
  readonly stall?: boolean;
}

export interface MockApi {
  readonly url: string;
  readonly calls: ApiCall[];
  /** Calls about pictures only. */
  asked(): ApiCall[];
  close(): Promise<void>;
}

export interface ApiOptions {
  readonly models?: readonly string[];
  readonly answer?: (call: ApiCall, number: number) => ApiAnswer;
  /** Pictures that read true, for calls that want log-probabilities. */
  readonly yes?: ReadonlySet<string>;
  /** Sends every secret that came back: in a header, in the body's text and beside it, plain and escaped. */
  readonly echo?: boolean;
  readonly port?: number;
}

type Body = Record<string, unknown>;
export const STATE_REPLY = 'TANK_COLUMN: 3\nTARGET_COLUMN: NONE\nCOOLDOWN: READY\nCONFIDENCE: 90';
/** ln p of 0.97 and 0.03. */
const [SURE, UNSURE] = [-0.030459207484708574, -3.506557897319982];

/** Every kind of server that reads a picture by fetch, beside Ollama's published chat route. */
export const READER_KINDS = [
  'llama-chat',
  'vllm',
  'openai',
  'openrouter',
  'lm-studio',
  'openai-responses',
  'ollama-generate',
  'anthropic',
  'gemini',
];

/** Answers in the documented form of each interface. */
export const FORMS = {
  chat: (text: string, model: string, top?: readonly Body[]): Body => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_767_225_600,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal: null },
        logprobs: top === undefined ? null : { content: [{ token: text, logprob: SURE, top_logprobs: top }] },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 900, completion_tokens: 24, total_tokens: 924 },
  }),
  responses: (text: string, model: string, top?: readonly Body[]): Body => ({
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    error: null,
    incomplete_details: null,
    model,
    output: [
      {
        type: 'message',
        id: 'msg_1',
        status: 'completed',
        role: 'assistant',
        content: [
          {
            type: 'output_text',
            text,
            annotations: [],
            logprobs: top === undefined ? [] : [{ token: text, logprob: SURE, top_logprobs: top }],
          },
        ],
      },
    ],
    usage: { input_tokens: 900, output_tokens: 24, total_tokens: 924 },
  }),
  ollamaGenerate: (text: string, model: string): Body => ({
    model,
    created_at: '2026-01-01T00:00:00Z',
    response: text,
    done: true,
    done_reason: 'stop',
    total_duration: 1_234_567_890,
    prompt_eval_count: 900,
    eval_count: 24,
  }),
  anthropic: (text: string, model: string): Body => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 900, output_tokens: 24 },
  }),
  gemini: (text: string, model: string, top?: readonly Body[]): Body => ({
    candidates: [
      {
        content: { parts: [{ text }], role: 'model' },
        finishReason: 'STOP',
        index: 0,
        ...(top === undefined ? {} : { logprobsResult: { topCandidates: [{ candidates: top }] } }),
      },
    ],
    usageMetadata: { promptTokenCount: 900, candidatesTokenCount: 24, totalTokenCount: 924 },
    modelVersion: model,
    responseId: 'r1',
  }),
} as const;

/** A stand-in for every interface at once on the loopback, by path, with CORS open. */
export async function mockApi(options: ApiOptions = {}): Promise<MockApi> {
  const { models = ['mock-vision'], answer = () => ({}), yes = new Set<string>(), echo = false } = options;
  const calls: ApiCall[] = [];
  const asked = () => calls.filter(({ method }) => method === 'POST');
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', Object.keys(request.headers).join(', ') + ALLOWED);
    response.setHeader('access-control-allow-methods', '*');
    response.setHeader('access-control-expose-headers', '*');
    response.setHeader('access-control-allow-private-network', 'true');
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    const call = await seen(request);
    calls.push(call);
    if (call.method === 'GET') return send(response, 200, {}, listing(call.path, models));
    const given: ApiAnswer = answer(call, asked().length);
    const { status = 200, headers = {}, body = recorded(call, given, models, yes), stall = false } = given;
    if (stall) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(JSON.stringify(body).slice(0, 20));
      return;
    }
    send(response, status, { ...headers, ...(echo ? echoed(call) : {}) }, echo ? echoing(body, call) : body);
  });
  await new Promise<void>((done) => server.listen(options.port ?? 0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    asked,
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

const ALLOWED =
  ', content-type, authorization, x-api-key, x-goog-api-key, anthropic-version, anthropic-dangerous-direct-browser-access';

function send(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(text);
}

function listing(path: string, models: readonly string[]): Body {
  if (path.startsWith('/api/version')) return { version: '0.0.0-mock' };
  if (path.startsWith('/api/tags'))
    return { models: models.map((name) => ({ name, model: name, digest: 'ab'.repeat(32), size: 1 })) };
  if (path.startsWith('/v1beta/models'))
    return { models: models.map((name) => ({ name: `models/${name}` })) };
  return { object: 'list', data: models.map((id) => ({ id, object: 'model' })) };
}

/** The answer in its form; a question without a picture has fewer tokens. */
function recorded(...asked: Parameters<typeof inForm>): Body {
  const body = inForm(...asked);
  if (asked[0].image !== null) return body;
  return JSON.parse(
    JSON.stringify(body).replace(/("(?:prompt_tokens|input_tokens|promptTokenCount)":)900/, '$1641'),
  );
}

function inForm(
  { path, body, image }: ApiCall,
  given: ApiAnswer,
  models: readonly string[],
  yes: ReadonlySet<string>,
): Body {
  const config = (body.generationConfig ?? {}) as Body;
  const scored = 'logprobs' in body || 'top_logprobs' in body || 'logprobs' in config;
  const told = image === null ? null : yes.has(image);
  const sure =
    told === null ? [-0.2876820724517809, -1.3862943611198906] : told ? [SURE, UNSURE] : [UNSURE, SURE];
  const top = scored
    ? sure.map((logprob, token) =>
        path.startsWith('/v1beta')
          ? { token: String(token), tokenId: 100 + token, logProbability: logprob }
          : { token: String(token), logprob },
      )
    : undefined;
  const text = given.text ?? (scored ? '0' : STATE_REPLY);
  const model = given.model ?? models[0] ?? 'mock-vision';
  if (path.startsWith('/v1/chat')) return FORMS.chat(text, model, top);
  if (path.startsWith('/v1/responses')) return FORMS.responses(text, model, top);
  if (path.startsWith('/api/generate')) return FORMS.ollamaGenerate(text, model);
  if (path.startsWith('/v1/messages')) return FORMS.anthropic(text, model);
  if (path.startsWith('/v1beta/')) return FORMS.gemini(text, model, top);
  return { error: `no such route: ${path}` };
}

/** Every secret that a call brought along. */
export function secretsOf({ headers }: Pick<ApiCall, 'headers'>): string[] {
  return [
    headers.authorization?.replace(/^Bearer /, ''),
    headers['x-api-key'],
    headers['x-goog-api-key'],
  ].filter((value) => value !== undefined);
}

function echoed(call: ApiCall): Record<string, string> {
  return Object.fromEntries(secretsOf(call).map((secret, at) => [`x-echo-${at}`, secret]));
}

/** The body with the secrets beside what was said, as they are and with each character escaped. */
function echoing(body: unknown, call: ApiCall): unknown {
  const secrets = secretsOf(call);
  const escaped = secrets.map((secret) =>
    Array.from(secret, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  );
  const text = typeof body === 'string' ? body : JSON.stringify({ ...(body as Body), echo: secrets });
  return text.replace(/\}$/, `,"escaped":["${escaped.join('","')}"]}`);
}

async function seen(request: IncomingMessage): Promise<ApiCall> {
  let bodyText = '';
  for await (const part of request) bodyText += part;
  const picture = /iVBORw0KGgo[A-Za-z0-9+/]*={0,2}/.exec(bodyText)?.[0];
  const digest = (bytes: Buffer | string) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    bodyText,
    body: bodyText === '' ? {} : (JSON.parse(bodyText) as Body),
    image: picture === undefined ? null : digest(Buffer.from(picture, 'base64')),
    bodySha256: digest(bodyText),
  };
}
