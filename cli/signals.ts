import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { PixelproofError } from '../src/errors';
import {
  csvColumns,
  csvHeader,
  csvRow,
  type Definition,
  FROZEN,
  readDefinition,
  recordJson,
} from '../src/experiments/image-signals';
import { EXIT, type ExitCode } from './exit';
import { jsonText, say, shownLines } from './output';
import type { Session } from './session';
import { filesOf } from './signals-files';
import { measureAll } from './signals-pool';

export interface SignalsOptions {
  readonly definition?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

/**
 * Measures files and folders and writes one record each through `write`: a JSON array (the default) or CSV. Resolves with
 * exit code 1 when any file could not be decoded; the others are reported all the same.
 */
export async function runSignals(
  paths: readonly string[],
  options: SignalsOptions,
  signal: AbortSignal,
  write: (text: string) => Promise<void>,
): Promise<ExitCode> {
  if (options.json && options.csv) {
    throw new PixelproofError('usage_conflict', 'Choose one of --json and --csv.');
  }
  const definition = options.definition === undefined ? FROZEN : await definitionAt(options.definition);
  const columns = csvColumns(definition);
  let [done, failed] = [0, 0];
  await write(options.csv ? csvHeader(columns) : '[');
  for await (const record of measureAll(filesOf(paths), definition, signal)) {
    if ('error' in record) {
      failed += 1;
      say(`${record.file}: ${record.error.code}: ${record.error.message}`);
    }
    await write(
      options.csv
        ? csvRow(columns, record)
        : `${done === 0 ? '' : ','}\n${jsonText(recordJson(record)).replace(/^/gm, '  ')}`,
    );
    done += 1;
  }
  if (!options.csv) await write(done === 0 ? ']\n' : '\n]\n');
  say(`${done} files, ${failed} could not be measured.`);
  return failed === 0 ? EXIT.complete : EXIT.difference;
}

/** Throws `definition_unreadable` and what `readDefinition` throws. */
async function definitionAt(path: string): Promise<Definition> {
  try {
    return readDefinition(await readFile(path, 'utf8'));
  } catch (cause) {
    if (cause instanceof PixelproofError) throw cause;
    throw new PixelproofError('definition_unreadable', 'The definition file cannot be read.', {
      got: cause instanceof Error ? cause.message : String(cause),
      cause,
    });
  }
}

/** Writes to standard output and waits while the reader is slower. A table is data: only a terminal gets it escaped. */
async function writeOut(text: string): Promise<void> {
  if (process.stdout.write(process.stdout.isTTY ? shownLines(text) : text)) return;
  await new Promise<void>((resolve) => process.stdout.once('drain', resolve));
}

/** `pixelproof signals FILE… [--definition F.json] --json | --csv` */
export function addSignalsCommand(program: Command, session: Session): void {
  program
    .command('signals')
    .description('Colour signals of pictures (PNG, JPEG, WebP), of files and whole folders.')
    .argument('<file...>', 'pictures, or folders of pictures')
    .option('--definition <file>', "a definition of one's own; without it the frozen cell R4S-ATTR-001")
    .option('--json', 'an array of records (the default)')
    .option('--csv', 'one line a picture')
    .action(async (files: string[], options: SignalsOptions) => {
      session.exit(await runSignals(files, options, session.signal, writeOut));
    });
}
