import { describe, expect, it } from 'vitest';
import { lanczos } from './lanczos';

const grey = (width: number, values: readonly number[]) => ({
  width,
  height: values.length / width,
  data: Uint8Array.from(values.flatMap((value) => [value, value, value])),
});
const reds = ({ data }: { readonly data: Uint8Array }) => [...data].filter((_, index) => index % 3 === 0);

describe('lanczos', () => {
  it('keeps a picture of one colour, larger and smaller', () => {
    const flat = grey(
      7,
      Array.from({ length: 35 }, () => 137),
    );
    for (const [width, height] of [
      [3, 2],
      [20, 31],
    ] as const) {
      expect(new Set(reds(lanczos(flat, width, height)))).toEqual(new Set([137]));
    }
  });

  it('is the same picture at the same size', () => {
    const values = [0, 255, 9, 100, 7, 200];
    expect(reds(lanczos(grey(3, values), 3, 2))).toEqual(values);
  });

  // Image.new('L', size).putdata(values).resize(to, Image.LANCZOS) of Pillow 12.3.0.
  it.each([
    { width: 4, values: [0, 0, 255, 255], to: [8, 1], pillow: [10, 0, 0, 54, 201, 255, 255, 245] },
    { width: 4, values: [0, 0, 255, 255], to: [2, 1], pillow: [18, 237] },
    {
      width: 3,
      values: [10, 200, 30, 255, 0, 90],
      to: [5, 3],
      pillow: [0, 81, 225, 114, 0, 128, 126, 100, 70, 57, 255, 171, 0, 25, 121],
    },
    {
      width: 9,
      values: Array.from({ length: 63 }, (_, index) => (index * 37 + 11) % 256),
      to: [4, 3],
      pillow: [104, 146, 124, 104, 135, 125, 142, 140, 162, 143, 129, 122],
    },
  ])(
    'gives what Pillow gives, $width wide to $to',
    ({ width, values, to: [across = 0, down = 0], pillow }) => {
      expect(reds(lanczos(grey(width, values), across, down))).toEqual(pillow);
    },
  );
});
