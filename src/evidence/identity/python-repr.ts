/**
 * Python's `repr` of a string, as rejection reasons quote it: single quotes unless the text has one and no double
 * quote; printable Unicode kept, the rest as `\n`, `\xNN`, `\uNNNN` or `\UNNNNNNNN`.
 *
 * What is printable follows the Unicode version of the JavaScript engine; a character assigned after the reference's
 * Python was released is printed here and escaped there.
 */
export function pythonRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = quote;
  for (const character of text) out += reprCharacter(character, quote);
  return out + quote;
}

/** Python's `repr` of a list of strings: `['a', 'b']`. */
export function pythonListRepr(texts: readonly string[]): string {
  return `[${texts.map(pythonRepr).join(', ')}]`;
}

const NOT_PRINTABLE = /[\p{C}\p{Z}]/u;

function reprCharacter(character: string, quote: string): string {
  if (character === quote || character === '\\') return `\\${character}`;
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  if (character === ' ' || !NOT_PRINTABLE.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
