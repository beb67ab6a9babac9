import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { SMOKE_RUNS } from '../src/lab/smoke-runs';
import { run } from './testing/run';

const folder = mkdtempSync(join(tmpdir(), 'pixelproof-smoke-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('writes a bundle for each smoke run, under a name of its own, and each verifies', async () => {
  const out = join(folder, 'bundles');
  const { code, out: said } = await run('smoke', '--json', '--out', out);
  expect(code).toBe(0);
  expect(JSON.parse(said)).toMatchObject({ ok: true });
  const names = SMOKE_RUNS.map(({ request }) => `${request.experiment}-${request.provider.id}.zip`);
  expect(readdirSync(out).sort()).toEqual([...names].sort());
  expect(new Set(names).size).toBe(SMOKE_RUNS.length);
  for (const { request, root } of SMOKE_RUNS) {
    const file = join(out, `${request.experiment}-${request.provider.id}.zip`);
    expect((await run('verify', file, '--root', root)).code, file).toBe(0);
  }
});

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
