import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Seen {
  readonly path: string;
  readonly body: Record<string, unknown>;
}

/** A loopback server that answers JSON by path and by how often the path was asked; what it was asked is kept. */
export async function jsonServer(
  reply: (seen: Seen, number: number) => { readonly status?: number; readonly body: unknown },
) {
  const seen: Seen[] = [];
  const made = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const call = { path: request.url ?? '', body: text === '' ? {} : JSON.parse(text) };
    seen.push(call);
    const { status = 200, body } = reply(call, seen.filter(({ path }) => path === call.path).length);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((done) => made.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(made.address() as AddressInfo).port}/`,
    seen,
    close: () =>
      new Promise<void>((done) => {
        made.closeAllConnections();
        made.close(() => done());
      }),
  };
}
