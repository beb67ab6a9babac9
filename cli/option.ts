import { PixelproofError } from '../src/errors';

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
