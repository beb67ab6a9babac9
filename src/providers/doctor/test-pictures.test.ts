import { describe, expect, it } from 'vitest';
import { decodePng } from '../../pixels/decode/png';
import { colourIn, testPicture } from './test-pictures';

describe('a test picture', () => {
  it.each([
    ['red', [220, 20, 30]],
    ['blue', [20, 40, 220]],
  ] as const)('%s is a whole PNG of one colour', (colour, rgb) => {
    const picture = testPicture(colour);
    const image = decodePng(picture);
    expect([image.width, image.height]).toEqual([64, 64]);
    for (let at = 0; at < image.data.length; at += 3)
      expect([...image.data.subarray(at, at + 3)]).toEqual(rgb);
  });
});

describe('a colour in an answer', () => {
  it.each([
    ['Red.', 'red'],
    ['The picture is BLUE', 'blue'],
    ['red or blue', null],
    ['It is not clear, I am bored', null],
    ['', null],
  ])('%s: %s', (answer, colour) => {
    expect(colourIn(answer)).toBe(colour);
  });
});
