import { InvalidArgumentError } from 'commander';
import { PixelproofError } from '../src/errors';

/** A number of an option's text, for commander. */
export function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number.');
  return value;
}

/** Limits of asking a server, for every command that asks one. */
export const MAX_IN_FLIGHT = [
  '--max-in-flight <n>',
  'calls under way at once at one server; default 4',
  number,
] as const;
export const MIN_INTERVAL = [
  '--min-interval <ms>',
  'milliseconds between the starts of two calls; default 0',
  number,
] as const;

/** A whole number of an option's text. Throws `option_out_of_range`. */
export function numberOf(option: string, text: string, low: number, high: number): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= low && value <= high) return value;
  throw new PixelproofError('option_out_of_range', `${option} is not possible.`, {
    expected: `an integer from ${low} to ${high}`,
    got: text,
  });
}

/** The parts of a comma list, spaces around them dropped. */
export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
