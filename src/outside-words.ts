/**
 * Matches one character that acts on a line without being seen in it: controls and line breaks, what turns the direction
 * of text, what has no width, a half of a surrogate pair. Two names that differ in nothing else look the same. The joiners
 * of Persian and of joined emoji and the selectors of a glyph's form belong to honest names. Source of a `u` expression.
 */
export const UNSEEN = String.raw`(?![\p{Join_Control}\p{Variation_Selector}])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]`;

/** First Strong Isolate and its end: what is between them orders itself alone. */
const ISOLATE = '\u2068';
const END = '\u2069';
const SHOWN_FOR_UNSEEN = '\uFFFD';

const RIGHT_TO_LEFT = String.raw`[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]`;
const TURNS = new RegExp(RIGHT_TO_LEFT, 'u');
const EACH_UNSEEN = new RegExp(UNSEEN, 'gu');
const ISOLATED = `${ISOLATE}(?:(?!${UNSEEN})[^])*${END}`;
const ISOLATED_NAME = new RegExp(`^${ISOLATED}$`, 'u');
/** Words of such a script that follow each other, with their marks. */
const TURNING_WORDS = String.raw`${RIGHT_TO_LEFT}(?:[\p{M}\p{Join_Control}\s]*${RIGHT_TO_LEFT})*`;
const IN_SENTENCE = new RegExp(
  String.raw`(?<isolated>${ISOLATED})|(?<unseen>(?![\t\n\r])${UNSEEN})|(?<turning>${TURNING_WORDS})`,
  'gu',
);

/**
 * A name from outside (a file's, a model's) as it may stand in a sentence of ours. Characters that are not seen but act,
 * by turning the direction of text for one, are shown as `\uFFFD`, or they would turn our own words around; a name in a
 * script that is written from right to left is isolated. Any other name is given back as it is, and so is what this gave.
 */
export function outside(name: string): string {
  if (TURNS.test(name) && ISOLATED_NAME.test(name)) return name;
  const shown = name.replace(EACH_UNSEEN, SHOWN_FOR_UNSEEN);
  return TURNS.test(shown) ? `${ISOLATE}${shown}${END}` : shown;
}

/**
 * The same for a sentence in which words from outside stand already: an error's, a server's, a report's. Its line breaks
 * stay, and so do names that `outside` made fit. The parts that are given whole sentences use it themselves.
 */
export function outsideIn(sentence: string): string {
  return sentence.replace(IN_SENTENCE, (found, ...rest) => {
    const { unseen, turning } = rest.at(-1) as { readonly [name: string]: string | undefined };
    if (unseen !== undefined) return SHOWN_FOR_UNSEEN;
    return turning === undefined ? found : `${ISOLATE}${found}${END}`;
  });
}

/** A name that a file is offered under: what is not seen in it is an underscore there, and nothing isolates it. */
export function fileNameOf(name: string): string {
  return name.replace(EACH_UNSEEN, '_');
}
