import { PixelproofError } from '../../errors';

/** RGB, 8 bits a channel, rows from the top without padding. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export type ResizeRule = 'area' | 'nearest';

/** The largest picture that a model is given, a side. */
const MAX_SIDE = 2048;

/**
 * A picture in another size, in whole numbers only, so that every machine gives the same bytes.
 *
 * `area`: each new pixel is the mean of what it covers, parts of pixels weighted by their area, halves rounded up; where
 * the sides divide, that is the plain average of a box. `nearest`: the pixel under the new pixel's centre, the one after
 * where the centre lies between two. Throws `image_size` for sides outside 1..2048.
 */
export function resize(image: Pixels, width: number, height: number, rule: ResizeRule): Pixels {
  if (![width, height].every((side) => Number.isInteger(side) && side >= 1 && side <= MAX_SIDE)) {
    throw new PixelproofError('image_size', 'A model is given a picture of another size than is possible.', {
      expected: `sides of 1 to ${MAX_SIDE} pixels`,
      got: `${width} x ${height}`,
    });
  }
  if (width === image.width && height === image.height) return image;
  if (rule === 'nearest') return nearest(image, width, height);
  const whole = image.width % width === 0 && image.height % height === 0;
  return whole ? boxes(image, width, height) : areas(image, width, height);
}

function nearest(image: Pixels, width: number, height: number): Pixels {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor(((2 * y + 1) * image.height) / (2 * height)) * image.width;
    for (let x = 0; x < width; x += 1) {
      const from = (row + Math.floor(((2 * x + 1) * image.width) / (2 * width))) * 3;
      data.set(image.data.subarray(from, from + 3), (y * width + x) * 3);
    }
  }
  return { width, height, data };
}

/** The whole-numbered case of `areas`, which is that of the arcade pictures. */
function boxes(image: Pixels, width: number, height: number): Pixels {
  const across = image.width / width;
  const down = image.height / height;
  const count = across * down;
  const data = new Uint8Array(width * height * 3);
  const sums = new Uint32Array(width * 3);
  let from = 0;
  for (let y = 0; y < height; y += 1) {
    sums.fill(0);
    for (let row = 0; row < down; row += 1) {
      for (let x = 0; x < sums.length; x += 3) {
        let [r, g, b] = [0, 0, 0];
        for (let column = 0; column < across; column += 1) {
          r += image.data[from++] as number;
          g += image.data[from++] as number;
          b += image.data[from++] as number;
        }
        (sums[x] as number) += r;
        (sums[x + 1] as number) += g;
        (sums[x + 2] as number) += b;
      }
    }
    const to = y * sums.length;
    for (let x = 0; x < sums.length; x += 1)
      data[to + x] = Math.floor((2 * (sums[x] as number) + count) / (2 * count));
  }
  return { width, height, data };
}

/** Old pixel i spans i*new .. (i+1)*new and new pixel o spans o*old .. (o+1)*old, so that every overlap is whole. */
function areas(image: Pixels, width: number, height: number): Pixels {
  const columns = spans(image.width, width);
  const rows = spans(image.height, height);
  const total = image.width * image.height;
  const data = new Uint8Array(width * height * 3);
  for (const [y, vertical] of rows.entries()) {
    for (const [x, horizontal] of columns.entries()) {
      let [r, g, b] = [0, 0, 0];
      for (const [row, high] of vertical) {
        for (const [column, wide] of horizontal) {
          const from = (row * image.width + column) * 3;
          const area = high * wide;
          r += area * (image.data[from] as number);
          g += area * (image.data[from + 1] as number);
          b += area * (image.data[from + 2] as number);
        }
      }
      const means = [r, g, b].map((sum) => Math.floor((2 * sum + total) / (2 * total)));
      data.set(means, (y * width + x) * 3);
    }
  }
  return { width, height, data };
}

function spans(old: number, fresh: number): (readonly [index: number, length: number])[][] {
  return Array.from({ length: fresh }, (_, o) => {
    const [start, end] = [o * old, (o + 1) * old];
    const found: (readonly [number, number])[] = [];
    for (let i = Math.floor(start / fresh); i * fresh < end; i += 1)
      found.push([i, Math.min(end, (i + 1) * fresh) - Math.max(start, i * fresh)]);
    return found;
  });
}
