import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call as the server saw it. */
export interface SeenCall {
  readonly path: string;
  readonly bodySha256: string;
  readonly imageSha256: string | null;
  readonly body: Record<string, unknown> | null;
}

export interface MockOllama {
  readonly url: string;
  readonly calls: SeenCall[];
  /** Calls of /api/chat only. */
  chats(): SeenCall[];
  close(): Promise<void>;
}

export type ChatHandler = (
  call: SeenCall,
  chatNumber: number,
  response: ServerResponse,
) => void | Promise<void>;

/** A reply in Ollama's shape. `content` is what the model says. */
export function chatReply(content: string, extra: Record<string, unknown> = {}): string {
  return JSON.stringify({
    model: 'mock-vision:latest',
    created_at: '2026-01-01T00:00:00Z',
    message: { role: 'assistant', content },
    done: true,
    done_reason: 'stop',
    total_duration: 1_234_567_890,
    prompt_eval_count: 900,
    eval_count: 24,
    ...extra,
  });
}

export function sendJson(
  response: ServerResponse,
  text: string,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text);
}

/** An Ollama stand-in on the loopback interface, with CORS open as a configured server has it. */
export async function mockOllama(
  chat: ChatHandler,
  tags?: (response: ServerResponse) => void,
): Promise<MockOllama> {
  const calls: SeenCall[] = [];
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    response.setHeader('access-control-allow-methods', '*');
    response.setHeader('access-control-allow-private-network', 'true');
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    const call = seen(request.url ?? '/', await bodyOf(request));
    calls.push(call);
    if (call.path === '/api/tags') {
      if (tags !== undefined) return tags(response);
      return sendJson(
        response,
        JSON.stringify({
          models: [
            { name: 'mock-vision:latest', model: 'mock-vision:latest', digest: 'ab'.repeat(32), size: 1 },
          ],
        }),
      );
    }
    if (call.path === '/api/version') return sendJson(response, JSON.stringify({ version: '0.0.0-mock' }));
    if (call.path === '/api/chat') {
      await chat(call, calls.filter((c) => c.path === '/api/chat').length, response);
      return;
    }
    response.writeHead(404).end('not found');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    chats: () => calls.filter((call) => call.path === '/api/chat'),
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function seen(path: string, bytes: Buffer): SeenCall {
  const body = bytes.length > 0 ? (JSON.parse(bytes.toString('utf8')) as Record<string, unknown>) : null;
  const messages = body?.messages as { images?: string[] }[] | undefined;
  const image = messages?.[0]?.images?.[0];
  return {
    path,
    bodySha256: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
    imageSha256:
      image === undefined
        ? null
        : `sha256:${createHash('sha256').update(Buffer.from(image, 'base64')).digest('hex')}`,
    body,
  };
}
