import { describe, expect, it } from 'vitest';
import { DEMO_PROFILE, PUBLISHED_PROFILE } from '../../experiments/vision-controls/profile';
import { userText } from '../../experiments/vision-controls/prompt';
import { ocrReply, ocrScore, type SeenLine, seenLines, seenText } from './ocr-protocol';

const line = (text: string, confidence = 990): SeenLine => ({ text, confidence, box: [1, 2, 3, 4] });

describe('the record of what was read', () => {
  it('is read back as it was written', () => {
    const lines = [line('Größe "四"\n', 7), line('', 1000)];
    expect(seenLines(seenText(lines))).toEqual(lines);
    expect(seenLines(seenText([]))).toEqual([]);
    expect(seenLines(seenText([], lines), 'footer')).toEqual(lines);
    expect(seenLines(seenText(lines), 'footer')).toBeNull();
  });

  it.each([
    '',
    '[]',
    '{}',
    '{"lines":{}}',
    '{"lines":[7]}',
    '{"lines":[{"text":"a","confidence":0.5,"box":[1,2,3,4]}]}',
    '{"lines":[{"text":"a","confidence":-1,"box":[1,2,3,4]}]}',
    '{"lines":[{"text":"a","confidence":1,"box":[1,2,3]}]}',
    '{"lines":[{"text":1,"confidence":1,"box":[1,2,3,4]}]}',
  ])('is null for %s', (text) => {
    expect(seenLines(text)).toBeNull();
  });
});

describe('the reply about an arcade state', () => {
  it('has the cooldown that is written, and leaves out what is not', () => {
    expect(ocrReply([line('BLOC KED (cooldown 1)', 965), line('四', 466)])).toBe(
      'COOLDOWN: BLOCKED\nCONFIDENCE: 96',
    );
    expect(ocrReply([line('Ready (cooldown 0)', 1000)])).toBe('COOLDOWN: READY\nCONFIDENCE: 100');
  });

  it('has the confidence of the least sure line that says it', () => {
    expect(ocrReply([line('READY', 900), line('ready', 714)])).toBe('COOLDOWN: READY\nCONFIDENCE: 71');
  });

  it.each([['UNBLOCKED'], ['NOT READY'], ['READYING'], ['BLOCK'], ['']])('finds no word in “%s”', (text) => {
    expect(ocrReply([line(text)])).toBe('Nothing in this picture is text that says READY or BLOCKED.');
  });

  it('quotes single digits of the lower edge from left to right, and nothing else that stands there', () => {
    const at = (text: string, x: number): SeenLine => ({ text, confidence: 900, box: [x, 480, x + 9, 492] });
    const footer = [
      at('5', 600),
      at('２', 300),
      at('12', 1),
      at('7', 2),
      at('READY', 3),
      at('x', 4),
      at('', 5),
    ];
    expect(ocrReply([line('READY')], footer)).toBe('COOLDOWN: READY\nLANE_NUMERALS: 2 5\nCONFIDENCE: 99');
    expect(ocrReply([], footer)).toBe(
      'Nothing in this picture is text that says READY or BLOCKED.\nLANE_NUMERALS: 2 5',
    );
    expect(ocrReply([line('3'), line('READY')], [])).toBe('COOLDOWN: READY\nCONFIDENCE: 99');
  });

  it('gives no answer where the text says both', () => {
    expect(ocrReply([line('READY'), line('BLOCKED')])).toBe(
      'The text in this picture says READY and BLOCKED.',
    );
  });
});

describe('the scores of a question', () => {
  const asked = (text: string) => ({
    image: null,
    mediaType: 'image/png',
    prefix: '',
    userText: text,
    controls: ['0', '1'],
  });
  const { state, visual } = DEMO_PROFILE;
  const tide = asked(userText(state, visual));
  const first = (question: typeof tide, ...texts: string[]) =>
    ocrScore(
      question,
      texts.map((text) => line(text)),
    ).map(({ probability }) => probability);

  it('go from 0.01 to 0.99 with the names that were read', () => {
    expect(first(tide, 'TIDE BOARD')).toEqual([0.99, 1 - 0.99]);
    expect(first(tide, 'tide', 'ｂｏａｒｄ')).toEqual([0.99, 1 - 0.99]);
    expect(first(tide, 'the board')).toEqual([0.5, 0.5]);
    expect(first(tide, 'SEED SHOP')).toEqual([0.01, 0.99]);
  });

  it('take whole words only', () => {
    expect(first(tide, 'TIDES', 'BOARDING')).toEqual([0.01, 0.99]);
  });

  it('are equal where nothing was read', () => {
    expect(first(tide)).toEqual([0.5, 0.5]);
    expect(first(tide, '', '—')).toEqual([0.5, 0.5]);
  });

  it('are equal for a question that names nothing, and for one that is no yes/no question', () => {
    for (const question of PUBLISHED_PROFILE.annotation) {
      expect(first(asked(userText('{"task_name": "Open Tide Board"}', question)), 'TIDE')).toEqual([
        0.5, 0.5,
      ]);
    }
    expect(first(asked('Is it Tide Board?'), 'TIDE', 'BOARD')).toEqual([0.5, 0.5]);
  });

  it('look for the names of the published question too', () => {
    const fox = asked(userText(state, PUBLISHED_PROFILE.visual));
    expect(first(fox, 'FOX', 'News')[0]).toBe(0.99);
    expect(first(fox, 'FOX')[0]).toBe(0.5);
  });

  it('are equal for three controls', () => {
    const found = ocrScore({ ...tide, controls: ['0', '1', '2'] }, [line('TIDE')]);
    expect(found.map(({ probability }) => probability)).toEqual([1 / 3, 1 / 3, 1 / 3]);
  });
});
