import { PixelproofError } from '../src/errors';
import { UNSEEN } from '../src/outside-words';
import { EXIT, type ExitCode } from './exit';

const EACH_UNSEEN = new RegExp(UNSEEN, 'gu');

/**
 * A text of a server, a file or a model as one line that a terminal shows and does not act on: an escape sequence, a
 * line break, a change of direction or a character without width in it stands there as `\u001b`.
 */
export function shown(text: string): string {
  return text.replace(EACH_UNSEEN, escaped);
}

/** The same for a text of several lines, which stay. */
export function shownLines(text: string): string {
  return text.replace(EACH_UNSEEN, (each) => (/[\r\n]/.test(each) ? each : escaped(each)));
}

/** As JSON writes it: two escapes for a character beyond the first plane. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${shown(line)}\n`).join('');
}

/** A value as JSON that a terminal shows and does not act on. JSON itself leaves C1 and direction as they are. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(EACH_UNSEEN, (each) =>
    each === '\n' ? each : escaped(each),
  );
}

/** One JSON document on standard output. Messages never go there. */
export function printJson(value: unknown): void {
  process.stdout.write(`${jsonText(value)}\n`);
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
