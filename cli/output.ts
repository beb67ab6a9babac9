import { PixelproofError } from '../src/errors';
import { EXIT, type ExitCode } from './exit';

/** One JSON document on standard output. Messages never go there. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Says what went wrong in one line, with its code, and what was expected and got where that is known. */
export function sayError(error: unknown): void {
  if (!(error instanceof PixelproofError)) {
    say(`internal: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return;
  }
  say(`${error.code}: ${error.message}`);
  if (error.expected !== undefined) say(`  expected: ${error.expected}`);
  if (error.got !== undefined) say(`  got:      ${error.got}`);
}

/** Provider codes that are about what was asked for, not about plumbing. */
const USAGE_CODES = ['provider_unknown', 'provider_settings', 'provider_capability'];

/** Which exit code an error means: a provider's failure is infrastructure, everything else is input. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof Error && error.name === 'AbortError') return EXIT.cancelled;
  if (!(error instanceof PixelproofError)) return EXIT.difference;
  const plumbing = error.code.startsWith('provider_') && !USAGE_CODES.includes(error.code);
  return plumbing ? EXIT.infrastructure : EXIT.usage;
}

/** An error as a record: the same fields as on a page. */
export function errorRecord(error: unknown): Record<string, string | null> {
  const known = error instanceof PixelproofError;
  return {
    code: known ? error.code : 'internal',
    message: error instanceof Error ? error.message : String(error),
    expected: known ? (error.expected ?? null) : null,
    got: known ? (error.got ?? null) : null,
  };
}
