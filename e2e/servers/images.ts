import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call as the server saw it. */
export interface ImageCall {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: Record<string, unknown>;
}

export interface MockImages {
  readonly url: string;
  readonly calls: ImageCall[];
  close(): Promise<void>;
}

/**
 * A stand-in for three kinds of image service on the loopback interface, with CORS open: SwarmUI, MiniMax, and an
 * OpenAI-compatible end point that refuses its second picture.
 */
export async function mockImages(picture: Buffer): Promise<MockImages> {
  const calls: ImageCall[] = [];
  const base64 = picture.toString('base64');
  const count = (path: string) => calls.filter((call) => call.path === path).length;
  const answer = (path: string): [number, unknown] => {
    if (path === '/API/GetNewSession') return [200, { session_id: 'session-1', version: '0.9.6' }];
    if (path === '/API/GenerateText2Image') return [200, { images: [`data:image/png;base64,${base64}`] }];
    if (path === '/v1/image_generation') {
      return [
        200,
        { data: { image_base64: [base64] }, base_resp: { status_code: 0, status_msg: 'success' } },
      ];
    }
    if (path === '/images/generations' && count(path) > 1) {
      return [400, { error: { code: 'moderation_blocked', message: 'refused' } }];
    }
    if (path === '/images/generations') return [200, { data: [{ b64_json: base64 }] }];
    return [404, { error: 'no such path' }];
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-allow-headers', '*');
      if (request.method === 'OPTIONS') return response.end();
      const path = request.url ?? '';
      calls.push({ path, key: request.headers.authorization, body: JSON.parse(body) });
      const [status, reply] = answer(path);
      response.writeHead(status, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(reply));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
