const CONTROLS = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u;
/** First Strong Isolate and its end: what is between them orders itself alone. */
const ISOLATE = '\u2068';
const END = '\u2069';

/**
 * A name from outside (a file's, a model's) as it may stand in a sentence of ours. Characters that control the line or
 * turn the direction of text are shown as `\uFFFD`, or they would turn our own words around; a name in a script that is
 * written from right to left is isolated. Any other name is given back as it is.
 */
export function outside(name: string): string {
  const shown = name.replace(CONTROLS, '\uFFFD');
  return RIGHT_TO_LEFT.test(shown) ? `${ISOLATE}${shown}${END}` : shown;
}
