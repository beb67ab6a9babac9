import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { bundleRun, openBundle } from '../src/evidence/bundle';
import { parquetTable } from '../src/evidence/table/parquet';
import { writing } from './folder';
import { printJson, tell } from './output';
import type { Session } from './session';
import { inputAt } from './verify';

export function addTableCommand(program: Command, session: Session): void {
  program
    .command('table')
    .description('write the cases of a bundle as a Parquet table, for DuckDB, Polars, Spark or pandas')
    .argument('<path>', 'a bundle: zip, JSON or folder; it is not verified here')
    .requiredOption('--out <file>', 'the .parquet file')
    .option('--json', 'print the result as JSON', false)
    .action(async (path: string, { out, json }: { out: string; json: boolean }) => {
      const bundle = await openBundle(await inputAt(path, session.signal));
      const run = await bundleRun(bundle);
      const { experiment, plan_id, root_digest, record_digest, kind } = bundle.manifest;
      const bytes = await parquetTable(() => run.cases(), {
        experiment,
        plan_id,
        root_digest,
        record_digest,
        kind,
      });
      await writing(out, () => writeFile(out, bytes));
      if (json) printJson({ out, bytes: bytes.length, experiment, root_digest });
      else tell(`${out}: ${bytes.length} bytes`);
    });
}
