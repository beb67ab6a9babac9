import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { chatReply, type MockOllama, mockOllama, sendJson } from '../e2e/servers/ollama';
import { PixelproofError } from '../src/errors';
import { requireTimeout } from '../src/providers/http';
import { main } from './main';
import { printJson, say, sayError, tell } from './output';

const folder = mkdtempSync(join(tmpdir(), 'pixelproof-shown-'));
afterAll(() => rmSync(folder, { recursive: true }));
let server: MockOllama | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function heard(action: () => unknown): Promise<{ out: string; err: string; code: unknown }> {
  const said = { out: '', err: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      said[name === 'stdout' ? 'out' : 'err'] += text;
      return true;
    }),
  );
  try {
    const code = await action();
    return { ...said, code };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const run = (...args: string[]) => heard(() => main(args));
const HOSTILE = 'a\u001b[2J\nverified\r\u009b1m\u202eevil\u2066\u200f\u2028z\u007f\t\u200b\u{e0041}';
const SHOWN =
  'a\\u001b[2J\\u000averified\\u000d\\u009b1m\\u202eevil\\u2066\\u200f\\u2028z\\u007f\\u0009\\u200b\\udb40\\udc41';

describe('a text from outside', () => {
  it('is one line that a terminal does not act on, on both outputs', async () => {
    const { out, err } = await heard(() => {
      tell(HOSTILE, 'mine');
      say(HOSTILE, 'mine');
    });
    for (const text of [out, err]) expect(text).toBe(`${SHOWN}\nmine\n`);
  });

  it('forges no line of an error, ours or internal', async () => {
    const detail = { expected: HOSTILE, got: HOSTILE };
    const { err } = await heard(() => sayError(new PixelproofError('provider_settings', HOSTILE, detail)));
    expect(err).toBe(`provider_settings: ${SHOWN}\n  expected: ${SHOWN}\n  got:      ${SHOWN}\n`);
    const internal = await heard(() => sayError(new TypeError(HOSTILE)));
    expect(internal.err.split('\n')[0]).toBe(`internal: TypeError: ${SHOWN}`);
    expect(internal.err).not.toMatch(/^verified/m);
  });

  it('is the same value in JSON, and escaped there', async () => {
    const { out } = await heard(() => printJson({ text: HOSTILE }));
    expect(JSON.parse(out)).toEqual({ text: HOSTILE });
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Default_Ignorable_Code_Point}]/u);
  });

  it('is one line in what the command line says of its arguments', async () => {
    const { err, code } = await run(`--a\u001b[2J\u202eb`);
    expect(code).toBe(2);
    expect(err).toContain('--a\\u001b[2J\\u202eb');
  });

  it('is escaped in the records of pictures', async () => {
    const path = join(folder, 'a\u202eb\u009bc.png');
    const { out, err } = await run('signals', path);
    expect(JSON.parse(out)).toMatchObject([{ file: path, error: { code: 'file_unreadable' } }]);
    for (const text of [out, err]) expect(text).toContain('a\\u202eb\\u009bc.png');
  });

  it.each([
    [true, 'a\\u202eb\\u001b[2J.png'],
    [false, 'a\u202eb\u001b[2J.png'],
  ])('is escaped in a table that a terminal shows (%s), and itself in a file', async (terminal, name) => {
    const { isTTY } = process.stdout;
    process.stdout.isTTY = terminal;
    try {
      const { out } = await run('signals', '--csv', join(folder, 'a\u202eb\u001b[2J.png'));
      expect(out.split('\r\n')[1]).toContain(name);
    } finally {
      process.stdout.isTTY = isTTY;
    }
  });
});

const GOOD = 'TANK_COLUMN: 3\nTARGET_COLUMN: NONE\nCOOLDOWN: READY\nCONFIDENCE: 90';
const few = ['--variants', 'unlabelled-v1', '--max-cases', '2'];
const png = (name: string, ...more: string[]) => run('png', 'run', '--out', join(folder, name), ...more);
const ollama = (name: string, url: string, ...more: string[]) =>
  png(name, '--provider', 'ollama', '--model', 'mock-vision:latest', '--base-url', url, ...few, ...more);

describe('a run that stopped', () => {
  it('quotes what the server said, escaped and cut, and says how to go on', async () => {
    server = await mockOllama((_call, _n, response) =>
      sendJson(response, `busy\u001b[2J\ncomplete, 2 of 2${'x'.repeat(400)}`, 500),
    );
    const { code, err } = await ollama('said', server.url);
    expect(code).toBe(3);
    const line = err.split('\n').find((each) => each.startsWith('  the server said'));
    expect(line).toContain('(HTTP 500): busy\\u001b[2J\\u000acomplete, 2 of 2xxx');
    expect(line?.length).toBeLessThan(260);
    expect(line).toMatch(/…$/);
    expect(err).not.toMatch(/^complete/m);
    expect(err).toContain(`go on with: pixelproof png run --resume --out ${join(folder, 'said')}\n`);
  });

  it('names the model that answered in place of the one asked', async () => {
    server = await mockOllama((_call, _n, response) =>
      sendJson(response, chatReply(GOOD, { model: 'another:7b' })),
    );
    const { code, err } = await ollama("it's", server.url);
    expect(code).toBe(3);
    expect(err).toMatch(/^provider_wrong_model: /m);
    expect(err).toContain('  answered by: another:7b\n');
    expect(err).toContain(`--out '${join(folder, "it'\\''s")}'\n`);
  });

  it('goes on with its stored limits: other options are refused, not ignored', async () => {
    server = await mockOllama((_call, n, response) =>
      sendJson(response, n === 2 ? 'no' : chatReply(GOOD), n === 2 ? 500 : 200),
    );
    expect((await ollama('kept', server.url, '--timeout', '7')).code).toBe(3);
    for (const option of [
      ['--timeout', '7'],
      ['--seed', '1'],
      ['--variants', 'labelled-v1'],
      ['--no-write-pngs'],
    ]) {
      const { code, err } = await png('kept', '--resume', ...option);
      expect([code, err.split(': ')[0], err.includes(`${option[0]}: `)]).toEqual([2, 'resume_option', true]);
    }
    const url = server.url;
    for (const option of [
      ['--timeout', '8'],
      ['--max-in-flight', '2'],
      ['--min-interval', '1'],
    ]) {
      const { code, err } = await ollama('kept', url, '--resume', ...option);
      expect([code, err.split(': ')[0]]).toEqual([2, 'resume_option']);
    }
    expect((await ollama('kept', url, '--resume', '--timeout', '7', '--max-in-flight', '4')).code).toBe(0);
    const vision = await run('vision', 'run', '--resume', '--out', join(folder, 'v'), '--timeout', '5');
    expect([vision.code, vision.err.split(': ')[0]]).toEqual([2, 'resume_option']);
  });

  it('by a kill is no bundle yet, and verify says so', async () => {
    server = await mockOllama((_call, n, response) => {
      if (n === 2) cpSync(join(folder, 'alive'), join(folder, 'killed'), { recursive: true });
      sendJson(response, chatReply(GOOD));
    });
    expect((await ollama('alive', server.url)).code).toBe(0);
    const { code, err } = await run('verify', join(folder, 'killed'));
    expect(code).toBe(2);
    expect(err).toMatch(/^bundle_unfinished: .* was interrupted; .*--resume --out /);
    expect((await png('killed', '--resume')).code).toBe(0);
    expect((await run('verify', join(folder, 'killed'))).code).toBe(0);
  });
});

describe('options that cannot be heeded', () => {
  it.each(['arcade-reader', 'ocr', 'scripted', 'replay', 'classifier', 'transformers'])(
    '%s asks no server',
    async (provider) => {
      for (const option of [
        ['--structured'],
        ['--base-url', 'http://127.0.0.1:1'],
        ['--api-key-env', 'HOME'],
        ['--max-in-flight', '2'],
        ['--min-interval', '2'],
      ]) {
        const { code, err } = await png('never', '--provider', provider, ...option);
        expect(code).toBe(2);
        expect(err).toContain(`provider_settings: ${option[0]}: not for the provider ${provider}`);
      }
      expect(existsSync(join(folder, 'never'))).toBe(false);
    },
  );

  it.each([
    ['png', 'ollama'],
    ['png', 'openai'],
    ['vision', 'llama-server'],
  ])('a time limit that no timer can keep, %s run by %s', async (command, provider) => {
    const asked = ['--provider', provider, '--model', 'm', '--base-url', 'http://127.0.0.1:1'];
    for (const timeout of ['1e12', '2147484', '0', '-1']) {
      const { code, err } = await run(
        ...[command, 'run', ...asked, '--out', join(folder, 'never'), '--timeout', timeout],
      );
      expect([code, err.split(': ')[0]]).toEqual([2, 'provider_settings']);
    }
    expect(existsSync(join(folder, 'never'))).toBe(false);
  });

  it('the longest time limit is one that a timer can keep', () => {
    expect(() => requireTimeout(2_147_483)).not.toThrow();
    expect(2_147_483 * 1000).toBeLessThan(2 ** 31);
    for (const seconds of [2_147_484, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => requireTimeout(seconds)).toThrow(expect.objectContaining({ code: 'provider_settings' }));
  });
});
