import type { Code } from '../../src/providers/doctor';
import {
  always,
  answering,
  CANARY,
  closed,
  type FaultServer,
  faulty,
  HTML,
  instead,
  json,
  KINDS,
  type Kind,
  MODEL,
  otherProtocol,
  serverOf,
  untrusted,
} from './fault-server';

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

const whole = (page: Code, node: Code = page) => ({ node, page });

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
