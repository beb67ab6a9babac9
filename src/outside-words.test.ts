import { describe, expect, it } from 'vitest';
import { outside, outsideIn } from './outside-words';

describe('a name from outside in a sentence of ours', () => {
  it.each([
    ['run.zip', 'run.zip'],
    ['Läufe – 測試 (2).zip', 'Läufe – 測試 (2).zip'],
    ['invoice\u202Epiz.exe', 'invoice\uFFFDpiz.exe'],
    ['a\u2069\u2066b\u200F\u061C', 'a\uFFFD\uFFFDb\uFFFD\uFFFD'],
    ['line\nnext\u2028\u0000', 'line\uFFFDnext\uFFFD\uFFFD'],
    ['zero\u200Bwidth\uFEFF\u2060\u00AD\u3164', 'zero\uFFFDwidth\uFFFD\uFFFD\uFFFD\uFFFD'],
    ['tag\u{E0041}, half \uD800', 'tag\uFFFD, half \uFFFD'],
    ['👩‍🔬 ❤️.png', '👩‍🔬 ❤️.png'],
    ['ריצה.zip', '\u2068ריצה.zip\u2069'],
    ['\u202Eריצה', '\u2068\uFFFDריצה\u2069'],
    ['می‌خواهم', '\u2068می‌خواهم\u2069'],
    ['\u2068plain\u2069', '\uFFFDplain\uFFFD'],
  ])('%j', (name, shown) => {
    expect(outside(name)).toBe(shown);
    expect(outside(shown)).toBe(shown);
  });
});

describe('a sentence with words from outside in it', () => {
  it.each([
    ['The file has 3 rows.\n\tNone fits.', 'The file has 3 rows.\n\tNone fits.'],
    ['no model \u202Eeye\u200B', 'no model \uFFFDeye\uFFFD'],
    ['\u2066a\u2068b\u2069\u2069 and \u2067', '\uFFFDa\u2068b\u2069\uFFFD and \uFFFD'],
    ['\u2068ריצה.zip\u2069 verifies: 3 checks', '\u2068ריצה.zip\u2069 verifies: 3 checks'],
    ['expected ריצה ראשונה, 3 came', 'expected \u2068ריצה ראשונה\u2069, 3 came'],
  ])('%j', (sentence, shown) => {
    expect(outsideIn(sentence)).toBe(shown);
    expect(outsideIn(shown)).toBe(shown);
  });
});
