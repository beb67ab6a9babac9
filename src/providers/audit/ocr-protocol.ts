import { canonicalJson } from '../../evidence/identity/canonical';
import type { Json } from '../../evidence/identity/json';
import { isPyObject, pythonCanonical } from '../../evidence/identity/python-json';
import { parsePythonJson } from '../../evidence/identity/python-json-parse';
import type { ChoiceQuestion, ControlScore } from '../provider';

/**
 * Which weights read, and by which rule their text becomes an answer. A change of either is another model: the id is in
 * plans and in provider configurations.
 */
export const OCR_MODEL = 'ppocr-v4+rule-2';

/** A line of text as it was read. Whole numbers, so that the record is the same text everywhere. */
export interface SeenLine {
  readonly text: string;
  /** Mean probability of the characters, in thousandths. */
  readonly confidence: number;
  /** x0, y0, x1, y1 in pixels of the picture; the last two are outside. */
  readonly box: readonly [number, number, number, number];
}

/**
 * What the attempt's metadata holds: all that the rule is given, so that anyone can apply it again. `footer` is what a
 * close look at the picture's lower edge read; null where nobody looked.
 */
export function seenText(lines: readonly SeenLine[], footer: readonly SeenLine[] | null = null): string {
  const kept = (list: readonly SeenLine[]) =>
    list.map(({ text, confidence, box }) => ({ text, confidence, box: [...box] }));
  return pythonCanonical({ ...(footer === null ? {} : { footer: kept(footer) }), lines: kept(lines) });
}

/** The lines of a record's metadata; null where it has none of this form. */
export function seenLines(metadata: string, which: 'lines' | 'footer' = 'lines'): readonly SeenLine[] | null {
  try {
    const value = parsePythonJson(metadata);
    const list: unknown = isPyObject(value) ? value[which] : null;
    if (!Array.isArray(list)) return null;
    const lines = list.map(lineOf);
    return lines.every((line) => line !== null) ? lines : null;
  } catch {
    return null;
  }
}

function lineOf(value: unknown): SeenLine | null {
  if (typeof value !== 'object' || value === null) return null;
  const { text, confidence, box } = value as Record<string, unknown>;
  const sides = Array.isArray(box) ? box.map(wholeOf) : [];
  const [x0, y0, x1, y1] = sides;
  const sure = wholeOf(confidence);
  if (typeof text !== 'string' || sure === null || sides.length !== 4) return null;
  if (x0 == null || y0 == null || x1 == null || y1 == null) return null;
  return { text, confidence: sure, box: [x0, y0, x1, y1] };
}

function wholeOf(value: unknown): number | null {
  const number = typeof value === 'bigint' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** The word, alone: no letter stands before or after it once the spaces of its line are gone. */
const COOLDOWN_WORD = /(?<!\p{L})(READY|BLOCKED)(?!\p{L})/gu;

/** A lane's numeral: that digit and nothing else. */
const LANE_NUMERAL = /^[0-6]$/;

/**
 * The reply about an arcade state, from the text alone. Rule 2: the lines that say READY or BLOCKED, folded to capitals
 * and without spaces, give the cooldown where they agree; the confidence is that of the least sure of them, in whole per
 * cent. Single digits from 0 to 6 at the lower edge are the lanes' numerals, quoted from left to right in a line of their
 * own. Nothing else of a state is written in these pictures: a tank and a target are shapes, so the reply leaves their
 * lines out and the case is a rejection. It never guesses.
 */
export function ocrReply(lines: readonly SeenLine[], footer: readonly SeenLine[] = []): string {
  const numerals = footer
    .filter(({ text }) => LANE_NUMERAL.test(folded(text)))
    .toSorted((a, b) => a.box[0] - b.box[0])
    .map(({ text }) => folded(text));
  const quoted = numerals.length === 0 ? '' : `\nLANE_NUMERALS: ${numerals.join(' ')}`;
  const said = lines.flatMap(({ text, confidence }) =>
    Array.from(folded(text).replaceAll(' ', '').matchAll(COOLDOWN_WORD), ([, word = '']) => ({
      word,
      confidence,
    })),
  );
  const words = new Set(said.map(({ word }) => word));
  const [word] = words;
  if (word === undefined) return `Nothing in this picture is text that says READY or BLOCKED.${quoted}`;
  if (words.size > 1) return `The text in this picture says READY and BLOCKED.${quoted}`;
  const least = Math.min(...said.map(({ confidence }) => confidence));
  return `COOLDOWN: ${word}${quoted}\nCONFIDENCE: ${Math.floor(least / 10)}`;
}

/** The question's own sentence: after its name, before its options. */
const SENTENCE = /(?:^|\n)[^\n:]+: ([^\n]+)\n\nOptions:\nControl 0 → true\b[^\n]*\nControl 1 → false\b/;
/** Probability of `true` where no name of the question was read, and where every one was. */
const [NONE_SEEN, ALL_SEEN] = [0.01, 0.99] as const;

/**
 * The scores of a question, from the text alone. Rule 1: for a yes/no question, the names in its sentence (words with a
 * capital first, the sentence's own first word left out) are looked for among the words that were read; the probability
 * of `true` goes in equal steps from 0.01 (none) to 0.99 (all). Without a name, without a picture and without any word
 * read, and for every other question, all controls are equal: nothing was seen that bears on it.
 */
export function ocrScore({ controls, userText }: ChoiceQuestion, lines: readonly SeenLine[]): ControlScore[] {
  const names = namesIn(userText);
  const seen = new Set(lines.flatMap(({ text }) => wordsOf(folded(text))));
  const undecided = controls.length !== 2 || names.length === 0 || seen.size === 0;
  const found = names.filter((name) => seen.has(name)).length;
  const first = NONE_SEEN + (ALL_SEEN - NONE_SEEN) * (found / names.length);
  return controls.map((control, index) => ({
    control,
    token_id: null,
    logprob: null,
    at_most: null,
    probability: undecided ? 1 / controls.length : index === 0 ? first : 1 - first,
  }));
}

/** Folded, each once. */
function namesIn(userText: string): readonly string[] {
  const sentence = SENTENCE.exec(userText)?.[1] ?? '';
  const names = wordsOf(sentence.normalize('NFKC'))
    .slice(1)
    .filter((word) => /^\p{Lu}/u.test(word));
  return [...new Set(names.map(folded))];
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function folded(text: string): string {
  return text.normalize('NFKC').toUpperCase();
}

/**
 * What `reply_text` holds after a scored question. Credit level D: a written rule over recognised text has no
 * log-probabilities and no prompt tokens, so it demonstrates that pixels move an answer and may never pass the gate.
 */
export function ocrScoredText(question: ChoiceQuestion, lines: readonly SeenLine[]): string {
  return canonicalJson({
    level: 'D',
    controls: ocrScore(question, lines) as unknown as Json,
    tokens_evaluated: null,
    listed: null,
    complete: false,
    off_option_mass: null,
  });
}
