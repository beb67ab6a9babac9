import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Pixels, resize } from './reduce';

/** One channel in all three, so that a picture can be written as a list. */
function grey(width: number, values: readonly number[]): Pixels {
  return { width, height: values.length / width, data: Uint8Array.from(values.flatMap((v) => [v, v, v])) };
}
const firsts = ({ data }: Pixels) => [...data].filter((_, at) => at % 3 === 0);

it('a box is its mean, halves rounded up', () => {
  expect(firsts(resize(grey(4, [0, 1, 10, 11, 0, 1, 10, 12]), 2, 1, 'area'))).toEqual([1, 11]);
});

it('parts of pixels count by their area', () => {
  // Three columns become two: each takes one whole column and half of the middle one.
  expect(firsts(resize(grey(3, [0, 90, 240]), 2, 1, 'area'))).toEqual([30, 190]);
  expect(firsts(resize(grey(2, [0, 90]), 3, 1, 'area'))).toEqual([0, 45, 90]);
});

it('nearest takes the pixel under the centre', () => {
  expect(firsts(resize(grey(4, [1, 2, 3, 4]), 2, 1, 'nearest'))).toEqual([2, 4]);
  expect(firsts(resize(grey(2, [1, 2]), 4, 1, 'nearest'))).toEqual([1, 1, 2, 2]);
});

it('channels stay apart, and a picture of the right size is left as it is', () => {
  const picture: Pixels = { width: 2, height: 1, data: Uint8Array.of(10, 20, 30, 20, 40, 60) };
  expect([...resize(picture, 1, 1, 'area').data]).toEqual([15, 30, 45]);
  expect(resize(picture, 2, 1, 'nearest')).toBe(picture);
});

it('an area stays within what it covers, for any two sizes', () => {
  const side = fc.integer({ min: 1, max: 12 });
  const picture = fc
    .tuple(side, side)
    .chain(([width, height]) =>
      fc
        .uint8Array({ minLength: width * height * 3, maxLength: width * height * 3 })
        .map((data): Pixels => ({ width, height, data })),
    );
  fc.assert(
    fc.property(picture, side, side, (image, width, height) => {
      const { data } = resize(image, width, height, 'area');
      expect(data.length).toBe(width * height * 3);
      expect(Math.max(...data)).toBeLessThanOrEqual(Math.max(...image.data));
      expect(Math.min(...data)).toBeGreaterThanOrEqual(Math.min(...image.data));
    }),
  );
});

it('a size that no model is given is refused', () => {
  for (const side of [0, 2049, 1.5])
    expect(() => resize(grey(1, [0]), side, 1, 'area')).toThrow(
      expect.objectContaining({ code: 'image_size' }),
    );
});
