import { PixelproofError } from '../../errors';
import { parseJson } from '../../evidence/bundle/safe-json';
import { type Definition, parseDefinition } from './definition';

/** The largest definition that the rules allow, written with room to spare, is a tenth of this. Characters. */
const MAX_TEXT = 1024 * 1024;

/**
 * A definition from text that a person or a file gave. Some editors put a byte order mark before it: that is taken off.
 * Throws `definition_too_large`, what is no plain JSON (`json_syntax`, `json_number`, `json_depth`, `json_forbidden_key`,
 * `json_duplicate_key`), and `definition_invalid`.
 */
export function readDefinition(text: string): Definition {
  if (text.length > MAX_TEXT) {
    throw new PixelproofError(
      'definition_too_large',
      'The definition is larger than any that is read here.',
      {
        expected: `at most ${MAX_TEXT} characters`,
        got: text.length,
      },
    );
  }
  return parseDefinition(parseJson(text.replace(/^\uFEFF/, ''), 'The definition'));
}
