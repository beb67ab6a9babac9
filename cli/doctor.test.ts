import { afterEach, describe, expect, it, vi } from 'vitest';
import { CANARY, type FaultServer, MODEL } from '../e2e/servers/fault-server';
import { FAULTS } from '../e2e/servers/faults';
import { run } from './testing/run';

const open: FaultServer[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const server of open.splice(0)) await server.close();
});

async function serverWith(fault: string): Promise<FaultServer> {
  const found = FAULTS.find(({ name }) => name === fault);
  if (found === undefined) throw new Error(`no fault ${fault}`);
  const server = await found.serve('ollama');
  open.push(server);
  return server;
}

const doctor = (url: string, ...more: string[]) =>
  run('doctor', '--provider', 'ollama', '--base-url', url, '--model', MODEL, ...more);

describe('pixelproof doctor', () => {
  it('says that all is well, and what it sent', async () => {
    const { url } = await serverWith('nothing is wrong');
    const { code, out, err } = await doctor(url);
    expect(code).toBe(0);
    expect(out).toMatch(/^doctor_ok: Ollama answers with eye:latest/);
    expect(out).toContain(`3 requests:\n  GET ${url}/api/tags  200  `);
    expect(err).toContain('ok       The model takes pictures');
  });

  it('prints one document as JSON, with the next step for this system', async () => {
    const { url } = await serverWith('nothing is wrong');
    const missing = await run(
      'doctor',
      '--provider',
      'ollama',
      '--base-url',
      url,
      '--model',
      'ear',
      '--json',
    );
    expect(missing.code).toBe(3);
    expect(JSON.parse(missing.out)).toMatchObject({
      ok: false,
      code: 'model_missing',
      facts: { installed: [MODEL] },
      next: [{ copy: 'ollama pull ear' }, { copy: MODEL }],
      provider: 'ollama',
      base_url: url,
      model: 'ear',
      requests: [{ method: 'GET', url: `${url}/api/tags`, status: 200 }],
    });
  });

  it('keeps the key out of everything that it prints', async () => {
    vi.stubEnv('A_KEY', CANARY);
    const { url } = await serverWith('HTTP 401, and the key echoed');
    for (const more of [[], ['--json']]) {
      const { code, out, err } = await doctor(url, '--api-key-env', 'A_KEY', ...more);
      expect(code).toBe(3);
      expect(out).toContain('unauthorised');
      expect(out).toContain('[REDACTED]');
      expect(out + err).not.toContain(CANARY);
    }
  });

  it('asks for a page on its behalf', async () => {
    const { url } = await serverWith('CORS refused');
    expect((await doctor(url)).code).toBe(0);
    const { code, out } = await doctor(url, '--origin', 'https://lab.example/some/page');
    expect(code).toBe(3);
    expect(out).toMatch(/^cors_refused: /);
    expect(out).toContain('https://lab.example"');
  });

  it('tells what was typed from what went wrong', async () => {
    expect(await doctor('localhost:11434')).toMatchObject({
      code: 2,
      out: expect.stringMatching(
        /^bad_address: .*\n(.*\n)*- Use this address\.\n {4}http:\/\/localhost:11434\n/,
      ),
    });
    expect(await run('doctor', '--provider', 'replay')).toMatchObject({ code: 2 });
    expect(await run('doctor', '--provider', 'jev')).toMatchObject({
      code: 2,
      out: expect.stringContaining('key_missing'),
    });
    for (const wrong of [
      ['--api-key-env', 'NOT_SET_ANYWHERE'],
      ['--origin', 'nowhere'],
      ['--timeout', '0'],
    ]) {
      const { code, err } = await doctor('http://127.0.0.1:1', ...wrong);
      expect(code).toBe(2);
      expect(err).toMatch(/^(provider_settings|key_not_set): /);
    }
  });

  it('prints nothing that a terminal would act on', async () => {
    const { url } = await serverWith('nothing is wrong');
    const { out } = await run(
      'doctor',
      '--provider',
      'ollama',
      '--base-url',
      url,
      '--model',
      'e\u001b[31mye',
    );
    expect(out).not.toContain('\u001b');
    expect(out).toContain('e\\u001b[31mye');
  });
});
