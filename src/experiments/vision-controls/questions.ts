import { PixelproofError } from '../../errors';
import { BANNED_BLOCK_PHRASES, CATEGORY_LABELS, VISUAL_QUESTION } from './protocol';

/** A yes/no question (`Noul`: control 0 is true, 1 is false) or a choice of labels, as the source names the kinds. */
export interface Question {
  readonly name: string;
  readonly kind: 'Noul' | 'Choice';
  readonly instructions: string;
  readonly labels: readonly string[];
  /** Beside each label, null for none. */
  readonly descriptions: readonly (string | null)[];
}

export const FOX_QUESTION: Question = {
  name: VISUAL_QUESTION,
  kind: 'Noul',
  instructions: 'Is the website in this screenshot Fox News?',
  labels: ['true', 'false'],
  descriptions: ['Fox News site chrome or branding is clearly visible in the screenshot.', 'It is not.'],
};

export const CATEGORY: Question = {
  name: 'category',
  kind: 'Choice',
  instructions: 'Is this a browser task or a computer (desktop) task?',
  labels: CATEGORY_LABELS,
  descriptions: [null, null],
};

export const REQUIRES_LOGIN: Question = {
  name: 'requires_login',
  kind: 'Noul',
  instructions: 'Does the task require the user to be logged in?',
  labels: ['true', 'false'],
  descriptions: [null, null],
};

export const annotationQuestions: readonly Question[] = [CATEGORY, REQUIRES_LOGIN];

/** The control strings of a question: its digits, in the order of its labels. */
export function controlsOf(question: Question): string[] {
  return question.labels.map((_, index) => String(index));
}

/**
 * The block of a question, without a line feed at its end. A native choice shows bare digits; the lead `Control ` comes
 * back for a label that could be taken for a control. Throws `block_phrase` for a phrase that promises an answer.
 */
export function questionBlock(question: Question): string {
  const controls = controlsOf(question);
  const options = question.labels.map((label, index) => {
    const description = question.descriptions[index] ?? null;
    const confusable = /^\d+$/.test(label) || controls.includes(label);
    const lead = question.kind === 'Noul' || confusable ? 'Control ' : '';
    return `${lead}${controls[index]} → ${label}${description === null ? '' : `: ${description}`}`;
  });
  const block = [
    `${question.name}: ${question.instructions}`,
    '',
    'Options:',
    ...options,
    '',
    'Answer with exactly one control string (the digit shown), not the original label text.',
  ].join('\n');
  const lower = block.toLowerCase();
  const phrase = BANNED_BLOCK_PHRASES.find((banned) => lower.includes(banned));
  if (phrase === undefined) return block;
  throw new PixelproofError('block_phrase', 'A question block may not speak of the right answer.', {
    expected: `none of ${BANNED_BLOCK_PHRASES.join(', ')}`,
    got: phrase,
  });
}
