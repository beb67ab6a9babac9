import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { strFromU8, unzipSync } from 'fflate';
import { ROCrate } from 'ro-crate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SMOKE_RUNS } from '../src/lab/smoke-runs';
import { labZip } from '../src/lab/testing/smoke-files';
import { run } from './testing/run';

// Programs that others wrote open what a run leaves: the RO-Crate library of its community, and DuckDB for the table.
// What they read is compared with the bundle's own bytes, by Node's SHA-256 and without any reader of ours.

const folder = mkdtempSync(join(tmpdir(), 'pixelproof-readers-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Row = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const recordsIn = (bytes: Uint8Array | undefined): Row[] =>
  strFromU8(bytes ?? new Uint8Array())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe.each(
  SMOKE_RUNS.map(({ request }) => [`${request.experiment}, ${request.provider.id}`, request] as const),
)('%s', (name, request) => {
  const zipFile = join(folder, `${name}.zip`);
  let files: Readonly<Record<string, Uint8Array>> = {};
  beforeAll(async () => {
    const zip = await labZip(request);
    writeFileSync(zipFile, zip);
    files = unzipSync(zip);
  });
  const json = (path: string) => JSON.parse(strFromU8(files[path] ?? new Uint8Array()));

  it('is a crate to the library of RO-Crate: every part is in the ZIP, with its size and digest', () => {
    const crate = new ROCrate(json('ro-crate-metadata.json'), { array: true, link: true });
    const root = crate.rootDataset;
    expect(root['@id']).toBe('./');
    expect(root.identifier).toEqual([json('pixelproof.json').root_digest]);
    const parts: Row[] = root.hasPart;
    for (const part of parts) {
      const path = String(part['@id']);
      const bytes = files[path];
      expect(bytes, path).toBeDefined();
      expect(part['@type'], path).toEqual(['File']);
      expect(part.contentSize, path).toEqual([String(bytes?.length)]);
      expect(part.sha256, path).toEqual([sha256(bytes ?? new Uint8Array())]);
    }
    const companions = ['ro-crate-metadata.json', 'statement.intoto.json'];
    expect(parts.map((part) => part['@id']).sort()).toEqual(
      Object.keys(files)
        .filter((path) => !companions.includes(path))
        .sort(),
    );
    // The run that made it and what it was made with are found by following the links.
    const [made] = root.mentions;
    expect(made['@type']).toEqual(['CreateAction']);
    expect(made.result[0]['@id']).toBe('./');
    expect(made.instrument[0].name).toEqual(['Pixelproof']);
  });

  it('is what its in-toto statement speaks of', () => {
    const { subject, predicate } = json('statement.intoto.json');
    expect(subject).toEqual([
      { name: 'pixelproof.json', digest: { sha256: sha256(files['pixelproof.json'] ?? new Uint8Array()) } },
    ]);
    const { root_digest, record_digest, plan_id } = json('pixelproof.json');
    expect(predicate).toMatchObject({ root_digest, record_digest, plan_id });
  });

  it('is a table to DuckDB, with every value of every case', async () => {
    const table = join(folder, `${name}.parquet`);
    expect((await run('table', zipFile, '--out', table)).code).toBe(0);
    const { rows, columns, about } = await readByDuckDb(table);
    const { experiment, kind, plan_id, root_digest, record_digest } = json('pixelproof.json');
    expect(about).toEqual({ experiment, kind, plan_id, root_digest, record_digest });

    const cases = recordsIn(files['cases.jsonl']);
    const details = recordsIn(files['details.jsonl']);
    expect(rows).toHaveLength(cases.length);
    const met = new Set(['arm', 'ordinal', 'outcome']);
    for (const [at, { arm, ordinal, outcome, evidence }] of cases.entries()) {
      const row = rows[at] ?? {};
      expect([row.arm, row.ordinal, row.outcome]).toEqual([arm, ordinal, outcome]);
      const values = [
        ...valuesOf('evidence', evidence, columns),
        ...valuesOf('detail', details[at]?.detail, columns),
      ];
      for (const [column, value] of values) {
        met.add(column);
        const read = row[column];
        expect(
          columns.get(column) === 'JSON' && read !== null ? JSON.parse(String(read)) : plain(read),
          column,
        ).toEqual(value);
      }
      const told = values.filter(([, value]) => value !== null).length;
      expect(Object.values(row).filter((value) => value !== null)).toHaveLength(told + 3);
    }
    expect([...columns.keys()].sort()).toEqual([...met].sort());
  });
});

/** The values of a record by column, as docs/evidence-format.md names them. */
function valuesOf(name: string, value: unknown, columns: ReadonlyMap<string, string>): [string, unknown][] {
  // An object that is null in a case has no column of its own: all of its parts are null there.
  if (value === null && !columns.has(name)) return [];
  if (!isObject(value)) return [[name, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    valuesOf(`${name}_${key.replaceAll(/[^A-Za-z0-9_]/g, '_')}`, inner, columns),
  );
}

/** A 64 bit integer of a column as the number that JSON has. */
function plain(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

async function readByDuckDb(path: string) {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    const ask = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJS() as Row[];
    const file = `'${path.replaceAll("'", "''")}'`;
    const described = await ask(`DESCRIBE SELECT * FROM read_parquet(${file})`);
    const metadata = await ask(
      `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata(${file})`,
    );
    return {
      rows: await ask(`SELECT * FROM read_parquet(${file})`),
      columns: new Map(described.map((column) => [String(column.column_name), String(column.column_type)])),
      about: Object.fromEntries(metadata.map(({ key, value }) => [key, value])),
    };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
