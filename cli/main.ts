import { Command, CommanderError } from 'commander';
import { version } from '../package.json';
import { addAtariCommands } from './atari';
import { addCompareCommand } from './compare';
import { addDoctorCommand } from './doctor';
import { EXIT } from './exit';
import { addMergeCommand } from './merge';
import { lendModelsHere } from './models';
import { errorRecord, exitCodeOf, printJson, say, sayError } from './output';
import { addPngCommands } from './png';
import { addPongCommands } from './pong';
import { addProvidersCommand } from './providers';
import { addSelfCheckCommand } from './self-check';
import type { Session } from './session';
import { addSignalsCommand } from './signals';
import { addSmokeCommand } from './smoke';
import { addTableCommand } from './table';
import { addVerifyCommand } from './verify';
import { addVisionCommands } from './vision';

/** Runs one command line (without `node` and the script's name). Resolves with the exit code; never throws. */
export async function main(args: readonly string[]): Promise<number> {
  const cancel = new AbortController();
  const onInterrupt = () => cancel.abort(new DOMException('Cancelled.', 'AbortError'));
  process.once('SIGINT', onInterrupt);
  process.once('SIGTERM', onInterrupt);
  let code: number = EXIT.complete;
  const session: Session = { signal: cancel.signal, exit: (given) => (code = given) };
  lendModelsHere();
  const program = new Command('pixelproof')
    .description('Controlled experiments on what a vision model, a rule or a metric really sees.')
    .version(version, '--version', 'print the version')
    .exitOverride()
    .configureOutput({ writeErr: (text) => say(...text.replace(/\n$/, '').split('\n')) });
  addAtariCommands(program, session);
  addPngCommands(program, session);
  addPongCommands(program, session);
  addMergeCommand(program, session);
  addVerifyCommand(program, session);
  addCompareCommand(program, session);
  addTableCommand(program, session);
  addSignalsCommand(program, session);
  addVisionCommands(program, session);
  addDoctorCommand(program, session);
  addSmokeCommand(program, session);
  addProvidersCommand(program);
  addSelfCheckCommand(program, session);
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.complete : EXIT.usage;
    if (cancel.signal.aborted) {
      say('Cancelled.');
      return EXIT.cancelled;
    }
    sayError(error);
    // With --json there is one document on standard output whatever happens, unless one has begun.
    if (args.includes('--json') && !process.stdout.bytesWritten)
      printJson({ ok: false, error: errorRecord(error) });
    return exitCodeOf(error);
  } finally {
    process.removeListener('SIGINT', onInterrupt);
    process.removeListener('SIGTERM', onInterrupt);
  }
  return code;
}
