import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net';
import type { Code } from '../../src/providers/doctor';
import { testPictureBase64 } from '../../src/providers/doctor/test-pictures';

/** Two interfaces that differ in every route: Ollama's own, and the OpenAI-compatible one as vLLM has it. */
export const KINDS = ['ollama', 'vllm'] as const;
export type Kind = (typeof KINDS)[number];

export const MODEL = 'eye:latest';
/** Planted as key; no report, page or printed line may have it. */
export const CANARY = 'sk-canary-0123456789abcdef';

export interface FaultServer {
  readonly url: string;
  readonly paths: readonly string[];
  /** What came as authorization, request by request. */
  readonly keys: readonly (string | null)[];
  close(): Promise<void>;
}

/** One thing that can be wrong, and what the doctor has to say of it. */
export interface Fault {
  readonly name: string;
  readonly kinds?: readonly Kind[];
  serve(kind: Kind): Promise<FaultServer>;
  /** What the doctor says in a terminal; null for what only a browser does. */
  readonly node: Code | null;
  /** What it says in a page; null for what the page's own fields refuse. */
  readonly page: Code | null;
  /** How the page is opened; `local` is what `npm start` gives. */
  readonly opened?: 'local' | 'public' | 'public, allowed' | 'framed' | 'https' | 'insecure';
  /** The page is shown every kind of server; else one of them, and the terminal all. */
  readonly both?: true;
  /** Instead of the canary, which goes along with half of the cases. */
  readonly key?: string;
  /** What is typed instead of the server's address and of its model. */
  readonly typed?: { url?(url: string): string; readonly model?: string };
  /** The terminal's doctor asks for a page of this origin. */
  readonly forOrigin?: string;
  /** Seconds to wait for an answer. */
  readonly seconds?: number;
}

/** A certificate that no browser and no Node accepts unless it is told to. */
export const TLS = {
  key: readFileSync(new URL('../../fixtures/doctor/self-signed-key.pem', import.meta.url)),
  cert: readFileSync(new URL('../../fixtures/doctor/self-signed.pem', import.meta.url)),
};

type Change = (call: Call, response: ServerResponse) => boolean;
interface Call {
  readonly path: string;
  readonly text: string;
  readonly request: IncomingMessage;
  readonly question: boolean;
  readonly list: boolean;
}

interface Seen {
  readonly paths: string[];
  readonly keys: (string | null)[];
}
const nothing = (): Seen => ({ paths: [], keys: [] });

async function listening(server: Server, scheme: string, seen = nothing()): Promise<FaultServer> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const open = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => undefined);
  });
  return {
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...seen,
    close: () =>
      new Promise((done) => {
        for (const socket of open) socket.destroy();
        server.close(() => done());
      }),
  };
}

/** A healthy server of a kind, where `change` does not answer first. `cors` false: no page is let in. */
async function serverOf(kind: Kind, change: Change = () => false, cors = true): Promise<FaultServer> {
  const seen = nothing();
  return listening(createServer(handlerOf(kind, change, cors, seen)), 'http', seen);
}

function handlerOf(kind: Kind, change: Change, cors: boolean, seen: Seen): RequestListener {
  return async (request, response) => {
    if (cors) {
      response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
      response.setHeader(
        'access-control-allow-headers',
        request.headers['access-control-request-headers'] ?? '*',
      );
    }
    let text = '';
    for await (const part of request) text += part;
    const path = request.url ?? '';
    if (request.method !== 'OPTIONS') {
      seen.paths.push(path);
      seen.keys.push(request.headers.authorization ?? null);
    }
    const list = /^\/(?:api\/tags|v1\/models)/.test(path);
    const question = /^\/(?:api\/chat|v1\/chat)/.test(path);
    if (change({ path, text, request, list, question }, response)) return;
    if (request.method === 'OPTIONS') {
      response.writeHead(cors ? 204 : 403).end();
      return;
    }
    const found = healthy(kind, path, text);
    if (found === undefined) json(response, { error: { message: 'not found' } }, 404);
    else json(response, found);
  };
}

/** What a healthy server answers, by route; undefined for a route that it does not have. */
function healthy(kind: Kind, path: string, text: string): unknown {
  const said = text.includes(testPictureBase64('blue')) ? 'Blue.' : 'Red.';
  const logprobs = [{ token: said, logprob: -0.01, top_logprobs: [{ token: said, logprob: -0.01 }] }];
  const routes: Record<Kind, Record<string, unknown>> = {
    ollama: {
      '/api/tags': { models: [{ name: MODEL, model: MODEL, digest: 'f00d' }] },
      '/v1/models': { data: [{ id: MODEL, owned_by: 'library' }] },
      '/api/show': { capabilities: ['completion', 'vision'] },
      '/api/chat': { model: MODEL, message: { role: 'assistant', content: said }, logprobs },
    },
    vllm: {
      '/v1/models': { data: [{ id: MODEL, owned_by: 'vllm' }] },
      '/v1/chat/completions': {
        model: MODEL,
        choices: [{ message: { content: said }, logprobs: { content: logprobs } }],
      },
    },
  };
  return routes[kind][path];
}

function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Answers everything with one status, preflights aside. */
const always =
  (status: number, message: string, headers: Record<string, string> = {}): Change =>
  ({ request }, response) => {
    if (request.method === 'OPTIONS') return false;
    json(response, { error: { message } }, status, {
      ...headers,
      'access-control-expose-headers': 'retry-after',
    });
    return true;
  };

/** Answers what `when` picks with a body of its own. */
const instead =
  (when: (call: Call) => boolean, answer: (response: ServerResponse, call: Call) => void): Change =>
  (call, response) => {
    if (call.request.method === 'OPTIONS' || !when(call)) return false;
    answer(response, call);
    return true;
  };

const answering = (content: string, more: object = {}) =>
  instead(
    ({ question }) => question,
    (response, { path }) =>
      json(
        response,
        path === '/api/chat'
          ? {
              model: MODEL,
              message: { content },
              logprobs: [{ top_logprobs: [{ token: content, logprob: -1 }] }],
              ...more,
            }
          : {
              model: MODEL,
              choices: [
                {
                  message: { content },
                  logprobs: { content: [{ top_logprobs: [{ token: content, logprob: -1 }] }] },
                },
              ],
              ...more,
            },
      ),
  );

const whole = (page: Code, node: Code = page) => ({ node, page });
const faulty =
  (change: Change, cors = true) =>
  (kind: Kind) =>
    serverOf(kind, change, cors);

async function closed(): Promise<FaultServer> {
  const server = await listening(createPlainServer(), 'http');
  await server.close();
  return { ...server, close: async () => undefined };
}

/** What listens here speaks, but not HTTP. */
const otherProtocol = () =>
  listening(
    createPlainServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => socket.end('SSH-2.0-nothing\r\n'));
    }),
    'http',
  );

const untrusted = (kind: Kind) =>
  listening(
    createSecureServer(
      TLS,
      handlerOf(kind, () => false, true, nothing()),
    ),
    'https',
  );

const HTML = '<!doctype html><html><title>Sign in</title><body>Sign in to the network</body></html>';

export const FAULTS: readonly Fault[] = [
  { name: 'nothing is wrong', both: true, serve: faulty(() => false), ...whole('doctor_ok') },
  { name: 'the server is down', serve: closed, ...whole('server_down') },
  {
    name: 'wrong port: another product',
    both: true,
    serve: (kind) => serverOf(kind === 'ollama' ? 'vllm' : 'ollama'),
    ...whole('wrong_port'),
  },
  {
    name: 'wrong port: another program',
    serve: faulty(
      instead(
        () => true,
        (response) => json(response, { hello: 'I am a printer' }, 404),
      ),
    ),
    ...whole('wrong_port'),
  },
  {
    name: 'wrong port: no HTTP at all',
    kinds: ['ollama'],
    serve: otherProtocol,
    ...whole('server_down', 'not_http'),
  },
  {
    name: 'the certificate is not accepted',
    serve: untrusted,
    ...whole('server_down', 'certificate_refused'),
  },
  {
    name: 'CORS refused',
    both: true,
    serve: faulty(() => false, false),
    ...whole('cors_refused'),
    forOrigin: 'https://pixelproof.test',
  },
  {
    name: 'CORS refused for questions only',
    both: true,
    serve: faulty(({ request }, response) => {
      if (request.method === 'OPTIONS') response.removeHeader('access-control-allow-origin');
      return false;
    }),
    ...whole('cors_refused'),
    forOrigin: 'https://pixelproof.test',
  },
  {
    name: 'local network permission denied',
    kinds: ['ollama'],
    serve: faulty(() => false),
    node: null,
    page: 'local_network_denied',
    opened: 'public',
  },
  {
    name: 'local network permission given',
    kinds: ['ollama'],
    serve: faulty(() => false),
    node: null,
    page: 'doctor_ok',
    opened: 'public, allowed',
  },
  {
    name: 'local network permission never asked: in a frame',
    kinds: ['ollama'],
    serve: faulty(() => false),
    node: null,
    page: 'local_network_not_asked',
    opened: 'framed',
  },
  {
    name: 'local network permission never asked: page by http',
    kinds: ['ollama'],
    serve: faulty(() => false),
    node: null,
    page: 'local_network_not_asked',
    opened: 'insecure',
  },
  {
    name: 'mixed content',
    kinds: ['ollama'],
    serve: faulty(() => false),
    node: null,
    page: 'mixed_content',
    opened: 'https',
    typed: { url: (url) => url.replace('127.0.0.1', 'server.test') },
  },
  {
    name: 'HTTP 401, and the key echoed',
    both: true,
    serve: faulty(always(401, `Incorrect API key: ${CANARY}`)),
    ...whole('unauthorised'),
    key: CANARY,
  },
  { name: 'HTTP 403', kinds: ['ollama'], serve: faulty(always(403, 'forbidden')), ...whole('unauthorised') },
  {
    name: 'HTTP 402',
    kinds: ['ollama'],
    serve: faulty(always(402, 'no credit')),
    ...whole('payment_required'),
  },
  {
    name: 'the model is not there',
    both: true,
    serve: faulty(() => false),
    ...whole('model_missing'),
    typed: { model: 'ear:latest' },
  },
  {
    name: 'HTTP 404 for the model at the question',
    serve: faulty(
      instead(
        ({ question }) => question,
        (response) => json(response, { error: { message: `model "${MODEL}" not found` } }, 404),
      ),
    ),
    ...whole('model_missing'),
  },
  {
    name: 'HTTP 429, in seconds',
    serve: faulty(always(429, 'slow down', { 'retry-after': '37' })),
    ...whole('rate_limited'),
  },
  {
    name: 'HTTP 429, until a date',
    kinds: ['ollama'],
    serve: faulty(always(429, 'slow down', { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' })),
    ...whole('rate_limited'),
  },
  { name: 'HTTP 500', serve: faulty(always(500, 'out of memory')), ...whole('server_error') },
  { name: 'HTTP 503', serve: faulty(always(503, 'overloaded')), ...whole('server_error') },
  { name: 'HTTP 503 while loading', serve: faulty(always(503, 'Loading model')), ...whole('model_loading') },
  {
    name: 'HTTP 400',
    serve: faulty(
      instead(
        ({ question }) => question,
        (response) => json(response, { error: { message: 'unknown field' } }, 400),
      ),
    ),
    ...whole('request_refused'),
  },
  {
    name: 'HTML instead of JSON',
    serve: faulty(
      instead(
        () => true,
        (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(HTML),
      ),
    ),
    ...whole('html_instead_of_json'),
  },
  {
    name: 'a text-only model, by its description',
    kinds: ['ollama'],
    serve: faulty(
      instead(
        ({ path }) => path === '/api/show',
        (response) => json(response, { capabilities: ['completion'] }),
      ),
    ),
    ...whole('text_only_model'),
  },
  {
    name: 'a text-only model, by refusal',
    serve: faulty(
      instead(
        ({ question }) => question,
        (response) => json(response, { error: { message: 'this model does not support image input' } }, 400),
      ),
    ),
    ...whole('text_only_model'),
  },
  {
    name: 'a text-only model, by equal answers',
    kinds: ['vllm'],
    serve: faulty(answering('I see red.')),
    ...whole('text_only_model'),
  },
  {
    name: 'answers that say nothing',
    kinds: ['ollama'],
    serve: faulty(answering('A picture.')),
    ...whole('vision_unclear'),
  },
  {
    name: 'another model answers',
    serve: faulty(answering('Red.', { model: 'other:latest' })),
    ...whole('wrong_model'),
  },
  {
    name: 'no log-probabilities',
    kinds: ['vllm'],
    serve: faulty(answering('Red.', { choices: [{ message: { content: 'Red.' }, logprobs: null }] })),
    ...whole('no_logprobs'),
  },
  {
    name: 'it stalls before its reply',
    serve: faulty(
      instead(
        () => true,
        () => undefined,
      ),
    ),
    ...whole('stalled'),
    seconds: 1,
  },
  {
    name: 'it stalls in the middle of its reply',
    serve: faulty(
      instead(
        ({ question }) => question,
        (response) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.write('{"model":');
        },
      ),
    ),
    ...whole('stalled'),
    seconds: 1,
  },
  {
    name: 'a redirect',
    serve: faulty(
      instead(
        () => true,
        (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
      ),
    ),
    ...whole('redirect'),
  },
  {
    name: 'truncated JSON',
    serve: faulty(
      instead(
        ({ question }) => question,
        (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"model":"eye:la'),
      ),
    ),
    ...whole('reply_broken'),
  },
  {
    name: 'the connection ends in the middle of the reply',
    serve: faulty(
      instead(
        ({ question }) => question,
        (response) => {
          response.writeHead(200, { 'content-length': '500' });
          response.write('{"model":');
          setTimeout(() => response.destroy(), 30);
        },
      ),
    ),
    ...whole('reply_broken'),
  },
  {
    name: 'a reply without an end',
    serve: faulty(
      instead(
        ({ list }) => list,
        (response) => response.end(Buffer.alloc(9 * 1024 * 1024, 32)),
      ),
    ),
    ...whole('body_too_large'),
  },
  {
    name: 'bytes that are no text',
    kinds: ['ollama'],
    serve: faulty(
      instead(
        ({ list }) => list,
        (response) => response.end(Buffer.from([0x7b, 0xff, 0x7d])),
      ),
    ),
    ...whole('reply_broken'),
  },
  {
    name: 'an address with its route',
    kinds: ['ollama'],
    serve: faulty(() => false),
    ...whole('bad_address'),
    typed: { url: (url) => `${url}/api/chat` },
  },
  {
    name: 'an address without a scheme',
    kinds: ['ollama'],
    serve: faulty(() => false),
    ...whole('bad_address'),
    typed: { url: (url) => url.replace('http://', '') },
  },
  {
    name: 'a key with a space in it',
    serve: faulty(() => false),
    node: 'bad_key',
    page: null,
    key: `${CANARY} copied`,
    kinds: ['ollama'],
  },
];

/** Every fault with every kind of server that can have it. */
export const CASES: readonly { readonly fault: Fault; readonly kind: Kind }[] = FAULTS.flatMap((fault) =>
  (fault.kinds ?? KINDS).map((kind) => ({ fault, kind })),
);

/** What a page is shown: it takes longer there, and what it says seldom depends on the kind. */
export const PAGE_CASES = CASES.filter(({ fault, kind }) => {
  const kinds = fault.kinds ?? KINDS;
  return fault.page !== null && (fault.both || kind === kinds[FAULTS.indexOf(fault) % kinds.length]);
});

/** Half of the servers get a key, which changes how a browser asks: each request is preceded by its permission. */
export function keyOf({ fault, kind }: (typeof CASES)[number]): string | null {
  return fault.key ?? (kind === 'vllm' ? CANARY : null);
}
