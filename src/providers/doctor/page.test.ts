import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { entryOf } from '../catalogue';
import { type Code, examine, type PageAround, type PermissionState, type Report } from '.';

// What a browser does is imitated by how `fetch` fails and what the permission says before and after; the real browser
// is asked in e2e/doctor.spec.ts.

afterEach(() => vi.unstubAllGlobals());

const SITE: PageAround = {
  origin: 'https://site.example',
  secure: true,
  framed: false,
  permission: async () => null,
  chromium: true,
};

interface Browser {
  /** Milliseconds until the request fails, and what the permission is then; `never` leaves it hanging. */
  readonly fails: { readonly after: number | 'never'; readonly state: PermissionState };
  /** A request whose answer may not be read gets one. */
  readonly opaque?: boolean;
  readonly page?: Partial<PageAround>;
  readonly baseUrl?: string;
  readonly provider?: string;
}

async function said({
  fails,
  opaque = false,
  page = {},
  baseUrl = 'http://127.0.0.1:11434',
  provider = 'ollama',
}: Browser): Promise<Report> {
  const names: string[] = [];
  vi.stubGlobal('fetch', async (_: string, init: { mode?: string; signal: AbortSignal }) => {
    if (init.mode === 'no-cors') {
      if (opaque) return { type: 'opaque' };
      throw new TypeError('Failed to fetch');
    }
    await new Promise((_resolve, reject) => {
      init.signal.addEventListener('abort', () => reject(init.signal.reason), { once: true });
      if (fails.after !== 'never') setTimeout(() => reject(new TypeError('Failed to fetch')), fails.after);
    });
  });
  const permission = async (name: string) => {
    names.push(name);
    return name === 'local-network-access' ? fails.state : null;
  };
  const subject = {
    entry: entryOf(provider),
    baseUrl,
    model: 'eye',
    key: null,
    capability: null,
    patience: { listSeconds: 1, askSeconds: 1 },
  };
  const around = { ...SITE, permission, ...page };
  const checking = examine(subject, { page: around, forOrigin: null }, new AbortController().signal);
  for (;;) {
    const step = await checking.next();
    if (step.done === true) return step.value;
  }
}

describe('a page whose request fails is told', () => {
  const quick = (state: PermissionState) => ({ after: 5, state });
  it.each<[string, Code, Browser]>([
    ['that nothing answers, where no permission is known', 'server_down', { fails: quick(null) }],
    [
      'that it is refused, where something answers unread',
      'cors_refused',
      { fails: quick(null), opaque: true },
    ],
    [
      'that nothing answers, where the browser had no reason to ask',
      'server_down',
      { fails: quick('prompt') },
    ],
    ['that nothing answers, where the permission is given', 'server_down', { fails: quick('granted') }],
    ['that the permission is refused', 'local_network_denied', { fails: quick('denied') }],
    [
      'that a question was closed without an answer',
      'local_network_not_asked',
      { fails: { after: 800, state: 'prompt' } },
    ],
    [
      'that a question is still open',
      'local_network_not_asked',
      { fails: { after: 'never', state: 'prompt' } },
    ],
    [
      'that a server is silent, where the permission is given',
      'stalled',
      { fails: { after: 'never', state: 'granted' } },
    ],
    [
      'that a server is silent, where the page is on this machine too',
      'stalled',
      { fails: { after: 'never', state: 'prompt' }, page: { origin: 'http://localhost:4173' } },
    ],
    [
      'nothing of a permission that its own machine does not need',
      'server_down',
      { fails: quick('denied'), page: { origin: 'http://127.0.0.1:4173' } },
    ],
    [
      'that a frame passes no permission on',
      'local_network_not_asked',
      { fails: quick('denied'), page: { framed: true } },
    ],
    [
      'that a page by http is not asked for one',
      'local_network_not_asked',
      { fails: quick('denied'), page: { origin: 'http://site.example', secure: false } },
    ],
    [
      'that a hosted service is not reached',
      'server_down',
      { fails: quick('denied'), baseUrl: 'https://api.example.com' },
    ],
    [
      'of mixed content before anything is sent',
      'mixed_content',
      { fails: quick(null), baseUrl: 'http://box:11434' },
    ],
    [
      'of mixed content for a private number too, where the browser is not Chromium',
      'mixed_content',
      { fails: quick(null), baseUrl: 'http://192.168.1.5:11434', page: { chromium: false } },
    ],
    [
      'of no mixed content for a private number in Chromium',
      'server_down',
      { fails: quick(null), baseUrl: 'http://192.168.1.5:11434' },
    ],
  ])('%s: %s', async (_, code, browser) => {
    const { diagnosis, requests } = await said(browser);
    expect(diagnosis.code).toBe(code);
    if (code === 'mixed_content') expect(requests).toEqual([]);
  });
});

describe('an examination', () => {
  it('ends at once with the reason given when it is cancelled', async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const cancel = new AbortController();
    const checking = examine(
      {
        entry: entryOf('ollama'),
        baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        model: 'eye',
        key: null,
        capability: null,
      },
      { page: null, forOrigin: null },
      cancel.signal,
    );
    await checking.next();
    const waiting = checking.next();
    setTimeout(() => cancel.abort(new Error('the person said stop')), 30);
    await expect(waiting).rejects.toThrow('the person said stop');
    server.closeAllConnections();
    server.close();
  });

  it('sends nothing before it is begun', async () => {
    const sent = vi.fn();
    vi.stubGlobal('fetch', sent);
    const { diagnosis } = await said({ fails: { after: 1, state: null } });
    expect(diagnosis.code).toBe('server_down');
    vi.stubGlobal('fetch', sent);
    examine(
      { entry: entryOf('ollama'), baseUrl: 'http://127.0.0.1:1', model: 'eye', key: null, capability: null },
      { page: null, forOrigin: null },
      new AbortController().signal,
    );
    expect(sent).not.toHaveBeenCalled();
  });
});
