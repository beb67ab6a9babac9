import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { run } from './testing/run';

const folder = mkdtempSync(join(tmpdir(), 'pixelproof-smoke-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('writes into no folder that holds something', async () => {
  const out = join(folder, 'mine');
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  expect(await run('smoke', '--out', folder)).toMatchObject({
    code: 2,
    err: expect.stringContaining('output_exists'),
  });
  writeFileSync(out, 'a file');
  expect(await run('smoke', '--out', out)).toMatchObject({
    code: 2,
    err: expect.stringContaining('output_foreign'),
  });
});
