import { ByteWriter, parquetWriteRows } from 'hyparquet-writer';
import type { CaseRecord } from '../run';
import { type Cell, type Column, ColumnFinder, type ColumnKind, cellOf } from './columns';

const TYPES = {
  boolean: 'BOOLEAN',
  int32: 'INT32',
  int64: 'INT64',
  double: 'DOUBLE',
  text: 'STRING',
  json: 'JSON',
} as const satisfies Record<ColumnKind, string>;

const KEY_COLUMNS = [
  { name: 'arm', type: 'STRING', nullable: false },
  { name: 'ordinal', type: 'INT32', nullable: false },
  { name: 'outcome', type: 'STRING', nullable: false },
] as const;

/** Rows that are held at once while writing. */
const GROUP = 10_000;

/**
 * The cases of a run as a Parquet file (Snappy), one row a case in plan order: `arm`, `ordinal`, `outcome`, then a column
 * for every value of `evidence` and `detail`. Cases are read twice, once for the columns; the file itself is held.
 * `about` becomes the file's key-value metadata.
 */
export async function parquetTable(
  cases: () => AsyncIterable<CaseRecord>,
  about: Readonly<Record<string, string>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const finder = new ColumnFinder();
  for await (const record of cases()) finder.add(record);
  const columns = finder.columns();
  const writer = new ByteWriter();
  await parquetWriteRows({
    writer,
    rows: rowsOf(cases(), columns),
    columns: [
      ...KEY_COLUMNS,
      ...columns.map(({ name, kind }) => ({ name, type: TYPES[kind], nullable: true })),
    ],
    rowGroupSize: GROUP,
    kvMetadata: Object.entries(about).map(([key, value]) => ({ key, value })),
    createdBy: 'pixelproof',
  });
  return new Uint8Array(writer.getBuffer());
}

async function* rowsOf(
  cases: AsyncIterable<CaseRecord>,
  columns: readonly Column[],
): AsyncIterable<Record<string, Cell>> {
  for await (const record of cases) {
    const row: Record<string, Cell> = {
      arm: record.arm,
      ordinal: record.ordinal,
      outcome: record.outcome,
    };
    for (const column of columns) row[column.name] = cellOf(record, column);
    yield row;
  }
}
