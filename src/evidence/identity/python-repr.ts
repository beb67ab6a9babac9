import { isPrintable } from './unicode14';

/**
 * Python's `repr` of a string, as rejection reasons quote it: single quotes unless the text has one and no double
 * quote; printable Unicode kept, the rest as `\n`, `\xNN`, `\uNNNN` or `\UNNNNNNNN`.
 * What is printable follows the Unicode 14.0 of the reference's Python 3.11, whatever the JavaScript engine has.
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

function reprCharacter(character: string, quote: string): string {
  if (character === quote || character === '\\') return `\\${character}`;
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  const code = character.codePointAt(0) ?? 0;
  if (isPrintable(code)) return character;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
