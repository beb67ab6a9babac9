import { describe, expect, it } from 'vitest';
import { outside } from './outside-words';

describe('a name from outside in a sentence of ours', () => {
  it.each([
    ['run.zip', 'run.zip'],
    ['Läufe – 測試 (2).zip', 'Läufe – 測試 (2).zip'],
    ['invoice\u202Epiz.exe', 'invoice\uFFFDpiz.exe'],
    ['a\u2069\u2066b\u200F\u061C', 'a\uFFFD\uFFFDb\uFFFD\uFFFD'],
    ['line\nnext\u2028\u0000', 'line\uFFFDnext\uFFFD\uFFFD'],
    ['ריצה.zip', '\u2068ריצה.zip\u2069'],
    ['\u202Eריצה', '\u2068\uFFFDריצה\u2069'],
  ])('%j', (name, shown) => expect(outside(name)).toBe(shown));
});
