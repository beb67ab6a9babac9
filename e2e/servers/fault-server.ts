import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net';
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
export async function serverOf(kind: Kind, change: Change = () => false, cors = true): Promise<FaultServer> {
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

export function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Answers everything with one status, preflights aside. */
export const always =
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
export const instead =
  (when: (call: Call) => boolean, answer: (response: ServerResponse, call: Call) => void): Change =>
  (call, response) => {
    if (call.request.method === 'OPTIONS' || !when(call)) return false;
    answer(response, call);
    return true;
  };

export const answering = (content: string, more: object = {}) =>
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

export const faulty =
  (change: Change, cors = true) =>
  (kind: Kind) =>
    serverOf(kind, change, cors);

export async function closed(): Promise<FaultServer> {
  const server = await listening(createPlainServer(), 'http');
  await server.close();
  return { ...server, close: async () => undefined };
}

/** What listens here speaks, but not HTTP. */
export const otherProtocol = () =>
  listening(
    createPlainServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => socket.end('SSH-2.0-nothing\r\n'));
    }),
    'http',
  );

export const untrusted = (kind: Kind) =>
  listening(
    createSecureServer(
      TLS,
      handlerOf(kind, () => false, true, nothing()),
    ),
    'https',
  );

export const HTML = '<!doctype html><html><title>Sign in</title><body>Sign in to the network</body></html>';
