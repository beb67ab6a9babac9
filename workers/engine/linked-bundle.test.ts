import { afterEach, describe, expect, it, vi } from 'vitest';
import { bundleAddress, fetchBundle, noteOpened, openedBefore } from './linked-bundle';

const SITE = 'https://docs.example/some/lab/index.html?x=1#/evidence?bundle=a.zip';
const code = (name: string) => expect.objectContaining({ code: name });

describe('the address of a linked bundle', () => {
  it.each([
    ['runs/x.zip', 'https://docs.example/some/lab/runs/x.zip'],
    ['./runs/a b.zip#part', 'https://docs.example/some/lab/runs/a%20b.zip'],
    ['../x.json', 'https://docs.example/some/x.json'],
    ['/x.zip', 'https://docs.example/x.zip'],
    ['https://docs.example/far/x.zip?version=2', 'https://docs.example/far/x.zip?version=2'],
  ])('%s is of this site', (path, address) => {
    expect(bundleAddress(path, SITE).href).toBe(address);
  });

  it.each([
    'https://other.example/x.zip',
    '//other.example/x.zip',
    '\\\\other.example\\x.zip',
    'https://docs.example:8443/x.zip',
    'http://docs.example/x.zip',
    'https://docs.example@other.example/x.zip',
    'blob:https://docs.example/1f4c',
    'data:application/zip;base64,UEs=',
    'javascript:alert(1)',
    'file:///etc/passwd',
  ])('%s is of another origin', (path) => {
    expect(() => bundleAddress(path, SITE)).toThrow(code('link_origin'));
  });

  it.each(['https://a:b@docs.example/x.zip', 'https://', 'http://['])('%s is none', (path) => {
    expect(() => bundleAddress(path, SITE)).toThrow(code('link_address'));
  });
});

describe('fetching a linked bundle', () => {
  const ADDRESS = new URL('https://docs.example/lab/runs/x.zip');
  const ZIP = new Uint8Array([0x50, 0x4b, 3, 4, 9, 9]);
  const answer =
    (body: BodyInit | null, init: ResponseInit = {}): typeof fetch =>
    async () =>
      new Response(body, init);

  it('gives its bytes, and asks no other origin', async () => {
    const asked: unknown[] = [];
    const bytes = await fetchBundle(ADDRESS, 100, async (...args) => {
      asked.push(args);
      return new Response(ZIP);
    });
    expect(bytes).toEqual(ZIP);
    expect(asked).toEqual([[ADDRESS, { credentials: 'same-origin', redirect: 'manual', cache: 'no-cache' }]]);
  });

  it.each([
    ['link_missing', answer('gone', { status: 404 })],
    ['link_missing', answer('gone', { status: 410, headers: { 'content-type': 'text/html' } })],
    ['link_missing', answer('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } })],
    ['link_redirected', answer(null, { status: 302, headers: { location: 'https://other.example/' } })],
    ['bundle_too_large', answer(ZIP, { headers: { 'content-length': '101' } })],
    ['bundle_too_large', answer(new Blob([ZIP, new Uint8Array(200)]).stream())],
    ['link_unreachable', (() => Promise.reject(new TypeError('Failed to fetch'))) as typeof fetch],
    [
      'link_unreachable',
      answer(
        new ReadableStream({
          pull: (controller) => controller.error(new TypeError('connection reset')),
        }),
      ),
    ],
  ])('%s', async (name, fetcher) => {
    await expect(fetchBundle(ADDRESS, 100, fetcher)).rejects.toMatchObject({ code: name });
  });

  // What the host cannot give now it may give later: the run that the link opened before stands in for it.
  it.each([403, 429, 500, 503])('HTTP %i is no missing file', async (status) => {
    const page = answer('<!doctype html>', { status, headers: { 'content-type': 'text/html' } });
    await expect(fetchBundle(ADDRESS, 100, page)).rejects.toMatchObject({
      code: 'link_unreachable',
      expected: '/lab/runs/x.zip',
      got: `HTTP ${status}`,
    });
  });

  it('reads no more than the beginning of what is no bundle', async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += 1;
          controller.enqueue(new Uint8Array(1000).fill(97));
        },
      },
      { highWaterMark: 0 },
    );
    const bytes = await fetchBundle(ADDRESS, 1e9, answer(endless));
    expect(bytes).toHaveLength(1000);
    expect(pulled).toBeLessThan(3);
  });
});

afterEach(() => vi.unstubAllGlobals());

it('without storage nothing is known of links, and nothing fails', async () => {
  const address = new URL('https://docs.example/x.zip');
  await noteOpened(address, 'run');
  expect(await openedBefore(address)).toBeNull();
});

it('which run a link opened is known afterwards, and to ask leaves nothing behind', async () => {
  const made = new Map<string, Map<string, Response>>();
  const open = async (name: string) => {
    const cache = made.get(name) ?? new Map<string, Response>();
    made.set(name, cache);
    return {
      match: async (address: URL) => cache.get(address.href),
      put: async (address: URL, response: Response) => void cache.set(address.href, response),
    };
  };
  vi.stubGlobal('caches', { open, has: async (name: string) => made.has(name) });
  const address = new URL('https://docs.example/x.zip');
  expect(await openedBefore(address)).toBeNull();
  expect(made.size).toBe(0);
  await noteOpened(address, 'run');
  expect(await openedBefore(address)).toBe('run');
  expect(await openedBefore(new URL('https://docs.example/y.zip'))).toBeNull();
});
