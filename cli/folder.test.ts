import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chatReply, mockOllama, sendJson } from '../e2e/servers/ollama';
import { main } from './main';

const folder = mkdtempSync(join(tmpdir(), 'pixelproof-folder-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command line and gives its exit code and what it said on standard error. */
async function run(...args: string[]): Promise<{ code: number; err: string }> {
  let err = '';
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += text;
    return true;
  });
  try {
    return { code: await main(args), err };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
}

const scripted = (out: string, ...more: string[]) =>
  run(
    'png',
    'run',
    '--provider',
    'scripted',
    '--variants',
    'unlabelled-v1',
    '--max-cases',
    '1',
    '--out',
    out,
    ...more,
  );

describe('an output folder', () => {
  const out = join(folder, 'a run');
  beforeAll(async () => {
    expect(await scripted(out)).toMatchObject({ code: 0 });
  });

  it('is replaced with --force while only a run lies in it', async () => {
    expect(await scripted(out)).toMatchObject({ code: 2, err: expect.stringContaining('output_exists') });
    expect(await scripted(out, '--force')).toMatchObject({ code: 0 });
  });

  it.each(['notes.txt', '.env', 'unlabelled-v1/notes.txt'])('is not replaced with %s in it', async (name) => {
    const path = join(out, name);
    writeFileSync(path, 'mine');
    const { code, err } = await scripted(out, '--force');
    expect(err).toMatch(/^output_foreign: /);
    expect(err).toContain(name);
    expect(code).toBe(2);
    expect(readFileSync(path, 'utf8')).toBe('mine');
    rmSync(path);
  });

  it('is not replaced when its pixelproof.json is no manifest', async () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'pixelproof.json'), '{}');
    expect(await scripted(other, '--force')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^output_foreign: /),
    });
    expect(existsSync(join(other, 'pixelproof.json'))).toBe(true);
  });

  it('that cannot be written is a wrong input, with a code', async () => {
    const below = join(out, 'pixelproof.json', 'below');
    const unwritable = { code: 2, err: expect.stringMatching(/^output_unwritable: /) };
    expect(await scripted(below)).toMatchObject(unwritable);
    expect(await scripted('')).toMatchObject(unwritable);
    const render = ['png', 'render', '--variant', 'labelled-v1', '--state', 'tank=3|target=1|cooldown=1'];
    expect(await run(...render, '--out', join(below, 'x.png'))).toMatchObject(unwritable);
  });
});

it('a run that went on to its end leaves nothing of the unfinished one behind', async () => {
  const reply = 'TANK_COLUMN: 3\nTARGET_COLUMN: NONE\nCOOLDOWN: READY\nCONFIDENCE: 90';
  const server = await mockOllama((_call, n, response) =>
    sendJson(response, n === 2 ? 'no' : chatReply(reply), n === 2 ? 500 : 200),
  );
  try {
    const out = join(folder, 'resumed');
    const one = ['--variants', 'unlabelled-v1', '--max-cases', '2', '--out', out];
    const ollama = [
      'png',
      'run',
      '--provider',
      'ollama',
      '--base-url',
      server.url,
      '--model',
      'mock-vision:latest',
    ];
    expect(await run(...ollama, ...one)).toMatchObject({ code: 3 });
    expect(existsSync(join(out, 'artifacts'))).toBe(true);
    expect(await run('png', 'run', '--resume', '--out', out)).toMatchObject({ code: 0 });
    expect(await run('verify', out)).toEqual({ code: 0, err: '' });
    expect(await scripted(out, '--force')).toMatchObject({ code: 0 });
  } finally {
    await server.close();
  }
});
