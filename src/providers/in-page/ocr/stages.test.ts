import { describe, expect, it } from 'vitest';
import { planes, resampled } from '../picture';
import { alphabetOf, greedyCtc } from './ctc';
import { detectionInput, detectionSize, textBoxes } from './detect';
import { recognitionInput, STRIP_WIDTHS } from './recognise';

/** A picture of one colour a pixel, each value in all three channels. */
function grey(width: number, values: readonly number[]) {
  return {
    width,
    height: values.length / width,
    data: Uint8Array.from(values.flatMap((value) => [value, value, value])),
  };
}

/** A map of zeros with rectangles of one value: x0, y0, x1, y1, value. */
function mapOf(width: number, height: number, boxes: readonly (readonly number[])[]): Float32Array {
  const map = new Float32Array(width * height);
  for (const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, value = 0] of boxes) {
    for (let y = y0; y < y1; y += 1) map.fill(value, y * width + x0, y * width + x1);
  }
  return map;
}

describe('another size of a picture', () => {
  const all = (width: number, height: number) => ({ x0: 0, y0: 0, x1: width, y1: height });

  it('is the same picture at the same size', () => {
    const picture = grey(3, [1, 2, 3, 4, 5, 6]);
    expect(resampled(picture, all(3, 2), 3, 2).data).toEqual(picture.data);
  });

  it('lies between the pixels, and repeats the edges', () => {
    const { data } = resampled(grey(2, [0, 100]), all(2, 1), 4, 1);
    expect([...data].filter((_, index) => index % 3 === 0)).toEqual([0, 25, 75, 100]);
  });

  it('takes the part it is asked for', () => {
    const { data } = resampled(grey(3, [1, 2, 3, 4, 5, 6, 7, 8, 9]), { x0: 1, y0: 1, x1: 3, y1: 3 }, 2, 2);
    expect([...data].filter((_, index) => index % 3 === 0)).toEqual([5, 6, 8, 9]);
  });

  it('becomes planes of blue, green and red, with nothing beyond its columns', () => {
    const picture = { width: 1, height: 1, data: Uint8Array.of(255, 0, 51) };
    const found = [...planes(picture, 2, [0.5, 0.5, 0.5], [0.5, 0.5, 0.5])];
    expect(found.map((value) => Math.round(value * 1000) / 1000)).toEqual([-0.6, 0, -1, 0, 1, 0]);
  });
});

describe('the detector', () => {
  it('looks at sides of a multiple of 32, at most 960 at the longest', () => {
    expect(detectionSize(896, 512)).toEqual([896, 512]);
    expect(detectionSize(1280, 720)).toEqual([960, 544]);
    expect(detectionSize(10, 5)).toEqual([32, 32]);
    expect(detectionSize(9600, 100)).toEqual([960, 32]);
    const { shape, data } = detectionInput(grey(2, [0, 255]));
    expect(shape).toEqual([1, 3, 32, 32]);
    expect(data).toHaveLength(3 * 32 * 32);
    expect(data[0]).toBeCloseTo(-0.485 / 0.229, 5);
  });

  it('grows a box by area * 1.5 / perimeter and puts it on the picture', () => {
    const map = mapOf(64, 32, [[20, 10, 40, 20, 0.9]]);
    // 20 x 10 grows by 200 * 1.5 / 60 = 5 on every side; the picture is twice as large as the map.
    const [found, ...more] = textBoxes(map, [64, 32], { width: 128, height: 64 });
    expect(found?.box).toEqual({ x0: 30, y0: 10, x1: 90, y1: 50 });
    expect(found?.score).toBeCloseTo(0.9, 5);
    expect(more).toEqual([]);
  });

  it('cuts a box at the edges', () => {
    const [found] = textBoxes(mapOf(32, 32, [[0, 0, 20, 10, 0.9]]), [32, 32], { width: 32, height: 32 });
    expect(found?.box).toEqual({ x0: 0, y0: 0, x1: 25, y1: 15 });
  });

  it('takes corners that touch for one box, and leaves out what is small, faint or unsure', () => {
    const picture = { width: 64, height: 64 };
    const touching = [
      [4, 4, 10, 10, 0.9],
      [10, 10, 16, 16, 0.9],
    ];
    expect(textBoxes(mapOf(64, 64, touching), [64, 64], picture)).toHaveLength(1);
    const refused = [
      [4, 4, 30, 6, 0.9],
      [4, 20, 30, 30, 0.3],
      [4, 40, 30, 50, 0.59],
    ];
    expect(textBoxes(mapOf(64, 64, refused), [64, 64], picture)).toEqual([]);
  });

  it('gives lines from the top and boxes of a line from the left', () => {
    const boxes = [
      [40, 4, 60, 14, 0.9],
      [4, 6, 24, 16, 0.8],
      [4, 40, 24, 50, 0.95],
    ];
    const found = textBoxes(mapOf(64, 64, boxes), [64, 64], { width: 64, height: 64 });
    expect(found.map(({ score }) => Math.round(score * 100))).toEqual([80, 90, 95]);
  });
});

describe('the recogniser', () => {
  it('gets strips of a few widths, the last one squeezed', () => {
    const picture = grey(
      200,
      Array.from({ length: 200 * 10 }, () => 255),
    );
    const widths = [10, 30, 60, 100, 190, 200].map(
      (x1) => recognitionInput(picture, { x0: 0, y0: 0, x1, y1: 10 }).shape[3],
    );
    expect(widths).toEqual([96, 160, 320, 640, 960, 960]);
    expect(widths.every((width) => STRIP_WIDTHS.some((each) => each === width))).toBe(true);
  });

  it('sees white as 1 and what pads the strip as 0', () => {
    const { shape, data } = recognitionInput(grey(1, [255]), { x0: 0, y0: 0, x1: 1, y1: 1 });
    expect(shape).toEqual([1, 3, 48, 96]);
    expect([data[0], data[47], data[48]]).toEqual([1, 1, 0]);
  });
});

describe('the text of a strip', () => {
  const alphabet = alphabetOf('a\r\nb\n');

  function rows(...best: readonly (readonly [number, number])[]): Float32Array {
    const out = new Float32Array(best.length * alphabet.length);
    for (const [step, [each, probability]] of best.entries())
      out[step * alphabet.length + each] = probability;
    return out;
  }

  it('has a blank before the dictionary and a space after it', () => {
    expect(alphabet).toEqual(['', 'a', 'b', ' ']);
  });

  it('takes repeats once, unless a blank stands between them', () => {
    const read = rows([1, 0.5], [1, 0.75], [0, 1], [1, 0.75], [2, 1]);
    expect(greedyCtc(read, 5, alphabet)).toEqual({ text: 'aab', confidence: 0.75 });
  });

  it('cuts spaces at the ends and makes runs of them one', () => {
    const read = rows([3, 1], [0, 1], [3, 1], [1, 1], [3, 1], [0, 1], [3, 1], [2, 1], [3, 1]);
    expect(greedyCtc(read, 9, alphabet).text).toBe('a b');
  });

  it('is empty where only blanks are', () => {
    expect(greedyCtc(rows([0, 1], [0, 1]), 2, alphabet)).toEqual({ text: '', confidence: 0 });
    expect(greedyCtc(new Float32Array(0), 0, alphabet)).toEqual({ text: '', confidence: 0 });
  });

  it('refuses an output that does not fit the dictionary', () => {
    expect(() => greedyCtc(new Float32Array(7), 2, alphabet)).toThrowError(
      expect.objectContaining({ code: 'model_form' }),
    );
  });
});
