import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { type MockApi, mockApi } from '../e2e/servers/apis';
import { CATALOGUE } from '../src/providers/catalogue';
import { main } from './main';

const folder = mkdtempSync(join(tmpdir(), 'pixelproof-providers-'));
const CANARY = 'sk-canary-7f3a/9"c';
const open: MockApi[] = [];
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const server of open.splice(0)) await server.close();
});

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += text;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += text;
    return true;
  });
  const code = await main(args);
  vi.restoreAllMocks();
  return { code, out, err };
}

/** Every file below a folder as text. */
function files(dir: string): string[] {
  return readdirSync(dir, { recursive: true })
    .map((name) => join(dir, String(name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'));
}

describe('pixelproof providers', () => {
  it('lists everybody, as text and as JSON', async () => {
    const { code, out } = await run('providers');
    expect(code).toBe(0);
    for (const { id } of CATALOGUE) expect(out).toMatch(new RegExp(`^${id} `, 'm'));
    expect(JSON.parse((await run('providers', '--json')).out)).toEqual(JSON.parse(JSON.stringify(CATALOGUE)));
  });
});

describe('a key of the command line', () => {
  it.each([
    ['anthropic', 'png'],
    ['gemini', 'png'],
    ['openai', 'png'],
    ['openai-responses', 'vision'],
    ['gemini', 'vision'],
  ])(
    'of %s by %s run is in no file and in no word, though the server sends it back',
    async (provider, command) => {
      vi.stubEnv('A_KEY', CANARY);
      const server = await mockApi({ echo: true });
      open.push(server);
      const out = join(folder, `${command}-${provider}`);
      const more =
        command === 'png' ? ['--variants', 'labelled-v1', '--max-cases', '1'] : ['--annotation', 'none'];
      const asked = ['--provider', provider, '--base-url', server.url, '--model', 'mock-vision'];
      const ran = await run(
        command,
        'run',
        ...asked,
        '--api-key-env',
        'A_KEY',
        '--out',
        out,
        '--json',
        ...more,
      );
      expect(server.asked().length).toBeGreaterThan(0);
      expect(JSON.stringify(server.calls)).toContain('sk-canary');
      const written = files(out);
      expect(written.length).toBeGreaterThan(3);
      // What proves that this search can fail: the same files do hold what the server said beside the key.
      expect(written.join('\n')).toContain('REDACTED');
      for (const text of [...written, ran.out, ran.err]) expect(text).not.toContain('canary');
      expect((await run('verify', out)).code).toBe(0);
    },
  );

  it('that is not in the environment stops the command before anything is asked', async () => {
    const server = await mockApi();
    open.push(server);
    const asked = [
      '--provider',
      'gemini',
      '--base-url',
      server.url,
      '--model',
      'm',
      '--out',
      join(folder, 'none'),
    ];
    const { code, err } = await run('png', 'run', ...asked, '--api-key-env', 'NOT_SET');
    expect({ code, said: /^[a-z_]+/.exec(err)?.[0] }).toEqual({ code: 2, said: 'key_not_set' });
    expect(server.calls).toEqual([]);
  });

  it('in the address is refused, and the refusal does not repeat it', async () => {
    const { code, out, err } = await run(
      ...['png', 'run', '--provider', 'openai', '--model', 'm', '--json', '--out', join(folder, 'no')],
      ...['--base-url', `http://me:${encodeURIComponent(CANARY)}@127.0.0.1:1/?key=canary`],
    );
    expect(code).toBe(2);
    expect(`${out}${err}`).toContain('provider_settings');
    expect(`${out}${err}`).not.toContain('canary');
  });
});

describe('limits and answer options', () => {
  it('reach the plan: limits as circumstances, options as identity', async () => {
    const server = await mockApi();
    open.push(server);
    const out = join(folder, 'limits');
    const { code } = await run(
      ...[
        'png',
        'run',
        '--provider',
        'vllm',
        '--model',
        'mock-vision',
        '--base-url',
        server.url,
        '--out',
        out,
      ],
      ...['--variants', 'labelled-v1', '--max-cases', '1', '--max-in-flight', '1', '--min-interval', '5'],
      ...['--structured', '--max-tokens', '200', '--server-temperature'],
    );
    expect(code).toBe(0);
    const { circumstances } = JSON.parse(readFileSync(join(out, 'environment.json'), 'utf8'));
    expect(circumstances).toMatchObject({ max_in_flight: 1, min_interval_ms: 5 });
    const { plan } = JSON.parse(readFileSync(join(out, 'pixelproof.json'), 'utf8'));
    expect(plan.provider.configuration.inference_options).toEqual({
      num_predict: 200,
      structured_output: expect.stringMatching(/^sha256:/),
    });
    expect(server.asked()[0]?.body).not.toHaveProperty('temperature');
    expect((await run('verify', out)).code).toBe(0);
  });

  it('a provider that cannot be asked this says so', async () => {
    const { code, err } = await run('vision', 'run', '--provider', 'anthropic', '--out', join(folder, 'x'));
    expect(err).toContain('provider_capability');
    expect(code).toBe(2);
  });
});
