import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { chatReply, type MockOllama, mockOllama, sendJson } from '../e2e/servers/ollama';
import { version } from '../package.json';
import { main } from './main';

const folder = mkdtempSync(join(tmpdir(), 'pixelproof-usage-'));
afterAll(() => rmSync(folder, { recursive: true }));
let server: MockOllama | null = null;
afterEach(() => server?.close());

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      said[name === 'stdout' ? 'out' : 'err'] += text;
      return true;
    }),
  );
  try {
    return { code: await main(args), ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const png = (name: string, ...more: string[]) => run('png', 'run', '--out', join(folder, name), ...more);
const ollama = (name: string, url: string, ...more: string[]) =>
  png(name, '--provider', 'ollama', '--model', 'mock-vision:latest', '--base-url', url, ...more);

describe('wrong usage is told at once, with what was expected and what came', () => {
  it.each([
    ['http://['],
    ['http://localhost:99999'],
    // What may be a secret in an address is not said back.
    ['http://name:word@localhost:11434', 'http://…@localhost:11434'],
    ['localhost'],
    ['ftp://x'],
    ['http://x/?a=1', 'http://x/?…'],
  ])('--base-url %s', async (url, shown = url) => {
    const { code, err } = await ollama('never', url);
    expect(code).toBe(2);
    expect(err).toMatch(/^provider_settings: The base URL is no server's address: /);
    expect(err).toMatch(/expected: http.*\n {2}got: {6}/);
    expect(err).toContain(shown);
    if (shown !== url) expect(err).not.toContain(url);
  });

  it.each([
    ['--combined-lane', 'lane-enhanced-v1'],
    ['--combined-cooldown', 'cooldown-dual-v1'],
  ])('%s without combined-v1', async (option, part) => {
    const { code, err } = await png('never', '--provider', 'scripted', option, part);
    expect(code).toBe(2);
    expect(err).toMatch(/^plan_combined: /);
    expect(err).toContain(part);
    const state = 'tank=3|target=1|cooldown=1';
    const render = await run('png', 'render', '--variant', 'labelled-v1', '--state', state, option, part);
    expect(render).toMatchObject({ code: 2, err: expect.stringMatching(/^plan_combined: /) });
  });

  it.each(['--root', '--record'])('verify %s with what is no digest', async (option) => {
    const toy = 'fixtures/evidence/toy.zip';
    for (const digest of ['xyz', 'sha256:00', `sha256:${'A'.repeat(64)}`, 'a'.repeat(64)]) {
      const { code, err } = await run('verify', toy, option, digest);
      expect(code).toBe(2);
      expect(err).toMatch(/^option_digest: /);
    }
    const other = await run('verify', toy, option, `sha256:${'0'.repeat(64)}`, '--json');
    expect(other.code).toBe(1);
    expect(other.out).toContain(`${option === '--root' ? 'root' : 'record'}_digest_expected`);
  });

  it('an --out that cannot be', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const out of ['/proc/x/y', '/dev/null/x', join(file, 'child'), 'a\0b', `/${'x'.repeat(300)}`]) {
      const { code, err } = await run(
        'png',
        'run',
        '--provider',
        'scripted',
        '--max-cases',
        '1',
        '--out',
        out,
      );
      expect(err).toMatch(/^output_(unwritable|foreign): /);
      expect(code).toBe(2);
    }
  });

  it('--version prints the version', async () => {
    expect(await run('--version')).toMatchObject({ code: 0, out: `${version}\n` });
  });
});

describe('a run that is stopped', () => {
  const GOOD = 'TANK_COLUMN: 3\nTARGET_COLUMN: NONE\nCOOLDOWN: READY\nCONFIDENCE: 90';
  const few = ['--variants', 'unlabelled-v1', '--max-cases', '3'];

  it('by Ctrl+C exits with 130 and goes on where it was', async () => {
    server = await mockOllama((_call, n, response) => {
      if (n === 2) process.emit('SIGINT');
      sendJson(response, chatReply(GOOD));
    });
    expect((await ollama('stopped', server.url, ...few)).code).toBe(130);
    const asked = server.chats().length;
    const again = await png('stopped', '--resume', '--json');
    expect(again.code).toBe(0);
    expect(JSON.parse(again.out)).toMatchObject({ status: 'complete', done: 3, unfinished_calls: 0 });
    // The first answer was kept; the second call was cancelled, which is in the record, and asked again.
    expect(server.chats().length - asked).toBeLessThanOrEqual(2);
    expect((await run('verify', join(folder, 'stopped'))).code).toBe(0);
  });

  it('by a kill says which call it was in, and repeats no answered one', async () => {
    const [from, to] = [join(folder, 'alive'), join(folder, 'killed')];
    server = await mockOllama((_call, n, response) => {
      // What lies on the disk in the middle of the second call is what a kill would leave.
      if (n === 2) cpSync(from, to, { recursive: true });
      sendJson(response, chatReply(GOOD));
    });
    const whole = JSON.parse((await ollama('alive', server.url, ...few, '--json')).out);
    expect(whole).toMatchObject({ status: 'complete', calls: 3, unfinished_calls: 0 });
    const again = JSON.parse((await png('killed', '--resume', '--json')).out);
    expect(again).toMatchObject({ status: 'complete', calls: 4, unfinished_calls: 1 });
    expect(again.root_digest).toBe(whole.root_digest);
    expect(server.chats()).toHaveLength(5);
    const lines = readFileSync(join(to, 'exchanges.jsonl'), 'utf8').trim().split('\n');
    const causes = lines.map((line) => JSON.parse(line).exchange.cause?.code ?? null);
    expect(causes).toEqual([null, 'provider_call_unfinished', null, null]);
    expect((await run('verify', to)).code).toBe(0);
    expect((await png('killed', '--resume')).out).toContain('1 of them begun and never ended');
  });
});
