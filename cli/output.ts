import { PixelproofError } from '../src/errors';
import { EXIT, type ExitCode } from './exit';

/** Controls, line and paragraph separators, and what turns the direction of text. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text of a server, a file or a model as one line that a terminal shows and does not act on: an escape sequence, a
 * line break or a change of direction in it stands there as `\u001b`.
 */
export function shown(text: string): string {
  return text.replace(UNSAFE, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${shown(line)}\n`).join('');
}

/** One JSON document on standard output. Messages never go there. JSON itself leaves C1 and direction as they are. */
export function printJson(value: unknown): void {
  const json = JSON.stringify(value, null, 2);
  process.stdout.write(`${json.replace(UNSAFE, (each) => (each === '\n' ? each : escaped(each)))}\n`);
}

/** A result in plain words on standard output. Each argument is one line, whatever is in it. */
export function tell(...lines: readonly string[]): void {
  process.stdout.write(linesOf(lines));
}

/** Messages on standard error. Each argument is one line, whatever is in it. */
export function say(...lines: readonly string[]): void {
  process.stderr.write(linesOf(lines));
}

/** Says what went wrong in one line, with its code, and what was expected and got where that is known. */
export function sayError(error: unknown): void {
  if (!(error instanceof PixelproofError)) {
    const calls = error instanceof Error ? (error.stack ?? '').split('\n') : [];
    say(`internal: ${String(error)}`, ...calls.filter((line) => line.startsWith('    at ')));
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
