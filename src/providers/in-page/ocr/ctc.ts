import { PixelproofError } from '../../../errors';

/** What a strip says, and the mean probability of the characters in it (0 where there are none). */
export interface Strip {
  readonly text: string;
  readonly confidence: number;
}

/** The alphabet of a dictionary file: one character a line, after the blank, with a space at the end. */
export function alphabetOf(dictionary: string): readonly string[] {
  const lines = dictionary.replaceAll('\r', '').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return ['', ...lines, ' '];
}

/**
 * Reads a CTC output of `steps` rows of one probability a character: the best of each row, repeats taken once, blanks
 * (character 0) dropped, spaces at the ends cut and runs of them made one. Throws `model_form` where the output and the
 * alphabet do not fit.
 */
export function greedyCtc(
  probabilities: ArrayLike<number>,
  steps: number,
  alphabet: readonly string[],
): Strip {
  const classes = alphabet.length;
  if (probabilities.length !== steps * classes) {
    throw new PixelproofError('model_form', 'The recognition output does not fit the dictionary.', {
      expected: `${steps} x ${classes} probabilities`,
      got: probabilities.length,
    });
  }
  let [text, sum, count, last] = ['', 0, 0, 0];
  for (let step = 0; step < steps; step += 1) {
    let best = 0;
    for (let each = 1; each < classes; each += 1) {
      if (at(probabilities, step * classes + each) > at(probabilities, step * classes + best)) best = each;
    }
    if (best !== 0 && best !== last) {
      text += alphabet[best];
      sum += at(probabilities, step * classes + best);
      count += 1;
    }
    last = best;
  }
  return { text: text.trim().replaceAll(/\s+/g, ' '), confidence: count === 0 ? 0 : sum / count };
}

function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? 0;
}
