import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { JournalStore } from './journal-store';
import { main } from './main';

const folder = mkdtempSync(join(tmpdir(), 'pixelproof-codes-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

/** Runs a command line; gives its exit code and the code that it said on standard error. */
async function run(...args: string[]): Promise<{ code: number; said: string }> {
  let err = '';
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += text;
    return true;
  });
  const code = await main(args);
  vi.restoreAllMocks();
  return { code, said: /^[a-z_]+(?=: )/m.exec(err)?.[0] ?? err };
}

function piped(...parts: Buffer[]): void {
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from(parts) as never);
}

describe('a reply on standard input', () => {
  it('that is no UTF-8 text is refused', async () => {
    piped(Buffer.from([0xff, 0xfe]));
    expect(await run('png', 'parse')).toEqual({ code: 2, said: 'input_not_text' });
  });

  it('that is larger than any reply is not read to its end', async () => {
    const part = Buffer.alloc(1024 * 1024, 97);
    piped(...Array.from({ length: 9 }, () => part));
    expect(await run('png', 'parse')).toEqual({ code: 2, said: 'input_too_large' });
  });
});

describe('what is not there, or not readable', () => {
  it('a bundle', async () => {
    expect(await run('verify', join(folder, 'none.zip'))).toEqual({ code: 2, said: 'input_unreadable' });
  });

  it('a bundle larger than any, or a file of any size that begins as none', async () => {
    const file = join(folder, 'huge.zip');
    writeFileSync(file, 'PK');
    truncateSync(file, 1.5 * 1024 ** 3);
    expect(await run('verify', file)).toEqual({ code: 2, said: 'bundle_too_large' });
    writeFileSync(file, '');
    truncateSync(file, 1024 ** 3);
    const before = process.memoryUsage().rss;
    expect(await run('verify', file)).toEqual({
      code: 1,
      said: expect.stringMatching(/^failure {2}bundle_foreign {2}bundle/),
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 ** 2);
  });

  it('a run to go on with', async () => {
    const out = join(folder, 'empty');
    const begun = ['png', 'run', '--provider', 'scripted', '--out'];
    expect(await run(...begun, out, '--resume')).toEqual({ code: 2, said: 'output_missing' });
  });

  it('a line of a journal, unless it is the last and broken off', async () => {
    const journal = join(folder, 'journal');
    mkdirSync(journal);
    const file = join(journal, 'journal.jsonl');
    writeFileSync(file, '{"op":\n{}\n');
    await expect(JournalStore.open(journal)).rejects.toMatchObject({ code: 'journal_damaged' });
    writeFileSync(file, '{"op":');
    const store = await JournalStore.open(journal);
    expect((await store.list({ offset: 0, limit: 1 })).total).toBe(0);
    store.close();
  });
});
