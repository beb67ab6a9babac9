import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterAll, expect, it } from 'vitest';
import { run } from './testing/run';

const folder = mkdtempSync(join(tmpdir(), 'pixelproof-table-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('writes the cases of a bundle, and refuses what is none', async () => {
  const out = join(folder, 'cases.parquet');
  const { code, out: printed } = await run('table', 'fixtures/evidence/toy.zip', '--out', out, '--json');
  expect(code).toBe(0);
  expect(JSON.parse(printed)).toMatchObject({ experiment: 'toy', bytes: readFileSync(out).length });
  const file = new Uint8Array(readFileSync(out)).buffer;
  const rows = await parquetReadObjects({ file });
  expect(rows.map(({ arm, ordinal }) => `${arm} ${ordinal}`)).toEqual([
    'once 0',
    'once 1',
    'twice 0',
    'twice 1',
  ]);
  expect(parquetMetadata(file).key_value_metadata?.map(({ key }) => key)).toContain('record_digest');

  expect((await run('table', 'package.json', '--out', out)).err).toMatch(/^bundle_foreign: /);
  expect((await run('table', folder, '--out', out)).code).toBe(2);
  expect((await run('table', 'fixtures/evidence/toy.zip', '--out', folder)).err).toMatch(
    /^output_unwritable: /,
  );
});
