import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { httpCall, retryAfterMs } from './http';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function server(listener: RequestListener): Promise<string> {
  const made = createServer(listener);
  await new Promise<void>((done) => made.listen(0, '127.0.0.1', done));
  open.push(
    () =>
      new Promise((done) => {
        made.closeAllConnections();
        made.close(() => done());
      }),
  );
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}/`;
}

const get = (url: string, timeoutMs = 2000, signal = new AbortController().signal) =>
  httpCall({ url, method: 'GET', headers: {}, timeoutMs, signal });

describe('httpCall', () => {
  it('gives status, text and the time taken', async () => {
    const reply = await get(await server((_, r) => r.writeHead(418, { 'retry-after': '7' }).end('tea')));
    expect(reply).toMatchObject({ status: 418, text: 'tea', retryAfter: '7' });
    expect(reply.milliseconds).toBeGreaterThan(0);
  });

  it('does not follow a redirect', async () => {
    let asked = 0;
    const other = await server((_, r) => {
      asked += 1;
      r.end('other');
    });
    const url = await server((_, r) => r.writeHead(302, { location: other }).end());
    await expect(get(url)).rejects.toMatchObject({ code: 'provider_redirect' });
    expect(asked).toBe(0);
  });

  it('names a server that is not there', async () => {
    await expect(get('http://127.0.0.1:9/')).rejects.toMatchObject({ code: 'provider_unreachable' });
  });

  it('gives up when the answer stalls in the middle', async () => {
    const url = await server((_, r) => {
      r.writeHead(200, { 'content-length': '100' });
      r.write('half');
    });
    await expect(get(url, 200)).rejects.toMatchObject({ code: 'provider_timeout' });
  });

  it('calls an answer that breaks off unreachable, not an answer', async () => {
    const url = await server((_, r) => {
      r.writeHead(200, { 'content-length': '100' });
      r.write('half');
      setTimeout(() => r.destroy(), 20);
    });
    await expect(get(url)).rejects.toMatchObject({ code: 'provider_unreachable' });
  });

  it('stops reading a body over 8 MiB', async () => {
    const url = await server((_, r) => r.end(Buffer.alloc(8 * 1024 * 1024 + 1, 32)));
    await expect(get(url, 10_000)).rejects.toMatchObject({ code: 'provider_body_too_large' });
  });

  it('refuses a body that is not UTF-8', async () => {
    const url = await server((_, r) => r.end(Buffer.from([0x7b, 0xff, 0x7d])));
    await expect(get(url)).rejects.toMatchObject({ code: 'provider_body_not_text' });
  });

  it('stops at once when cancelled, with the reason given', async () => {
    const url = await server(() => {});
    const cancel = new AbortController();
    const call = get(url, 5000, cancel.signal);
    setTimeout(() => cancel.abort(new Error('the person said stop')), 30);
    await expect(call).rejects.toThrow('the person said stop');
  });
});

describe('retryAfterMs', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    ['3', 3000],
    ['0', 0],
    ['120', 120_000],
    ['121', null],
    ['-1', null],
    ['soon', null],
    ['1e3', null],
    [null, null],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
    ['Thu, 01 Jan 2026 01:00:00 GMT', null],
  ])('%s -> %s', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
