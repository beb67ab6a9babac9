import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call as the server saw it. */
export interface DecisionCallSeen {
  readonly path: string;
  readonly authorization: string | null;
  readonly text: string;
  readonly body: { readonly model: string } & Record<string, unknown>;
}

export type DecisionHandler = (
  call: DecisionCallSeen,
  /** Counted from 1. */
  number: number,
  response: ServerResponse,
) => void | Promise<void>;

export interface DecisionServer {
  readonly url: string;
  readonly calls: DecisionCallSeen[];
  close(): Promise<void>;
}

const OPTIONS = ['RIGHTFIRE', 'NOOP', 'LEFTFIRE', 'LEFT', 'RIGHT', 'FIRE'];

/** A response in the decision API's shape; `shares` in any order, the others 0. */
export function decisionReply(
  choice: string,
  shares: Readonly<Record<string, number>>,
  extra: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    model: 'jev-1.13.0',
    answers: {
      next_action: {
        type: 'choice',
        choice,
        confidence: 0.5,
        probabilities: Object.fromEntries(OPTIONS.map((option) => [option, shares[option] ?? 0])),
      },
    },
    usage: { input_tokens: 1000, output_tokens: 10 },
    ...extra,
  };
}

export function send(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A decision end point on the loopback interface that answers as it is told, with CORS open. */
export async function decisionServer(handle: DecisionHandler): Promise<DecisionServer> {
  const calls: DecisionCallSeen[] = [];
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    response.setHeader('access-control-allow-private-network', 'true');
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    const text = await textOf(request);
    const call: DecisionCallSeen = {
      path: request.url ?? '/',
      authorization: request.headers.authorization ?? null,
      text,
      body: JSON.parse(text || '{}') as DecisionCallSeen['body'],
    };
    calls.push(call);
    await handle(call, calls.length, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/decide`,
    calls,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
