/** Decoded pixels: RGB, 8 bits a channel, rows top to bottom without padding, width * height * 3 bytes. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A box in pixels of the whole picture; `x1` and `y1` are the first column and row outside it. */
export interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/**
 * A part of a picture at another size, bilinear with pixel centres at halves and edges repeated, each sample rounded to
 * 8 bits. Whole-number weights of 1/65536, so that every engine gives the same bytes.
 */
export function resampled({ width, data }: Picture, box: Box, toWidth: number, toHeight: number): Picture {
  const columns = taps(box.x0, box.x1, toWidth);
  const rows = taps(box.y0, box.y1, toHeight);
  const out = new Uint8Array(toWidth * toHeight * 3);
  let at = 0;
  for (const [top, bottom, down] of rows) {
    for (const [left, right, across] of columns) {
      for (let channel = 0; channel < 3; channel += 1) {
        const sample = (x: number, y: number) => data[(y * width + x) * 3 + channel] ?? 0;
        const upper = sample(left, top) * (ONE - across) + sample(right, top) * across;
        const lower = sample(left, bottom) * (ONE - across) + sample(right, bottom) * across;
        out[at] = Math.floor((upper * (ONE - down) + lower * down) / (ONE * ONE) + 0.5);
        at += 1;
      }
    }
  }
  return { width: toWidth, height: toHeight, data: out };
}

const ONE = 65_536;

/** For each sample along one axis: the two pixels it lies between, and how far it is from the first. */
function taps(from: number, to: number, count: number): (readonly [number, number, number])[] {
  const scale = (to - from) / count;
  return Array.from({ length: count }, (_, index) => {
    const place = Math.min(Math.max((index + 0.5) * scale - 0.5, 0), to - from - 1);
    const first = Math.floor(place);
    return [
      from + first,
      from + Math.min(first + 1, to - from - 1),
      Math.round((place - first) * ONE),
    ] as const;
  });
}

/**
 * The planes of a picture as a network of this family takes them: blue, green, red, each `(v / 255 - mean) / deviation`,
 * in a tensor of `width` columns. Columns beyond the picture are 0.
 */
export function planes(
  picture: Picture,
  width: number,
  mean: readonly [number, number, number],
  deviation: readonly [number, number, number],
): Float32Array<ArrayBuffer> {
  const size = width * picture.height;
  const out = new Float32Array(size * 3);
  for (let y = 0; y < picture.height; y += 1) {
    for (let x = 0; x < picture.width; x += 1) {
      for (const plane of PLANES) {
        const value = picture.data[(y * picture.width + x) * 3 + (2 - plane)] ?? 0;
        out[plane * size + y * width + x] = (value / 255 - mean[plane]) / deviation[plane];
      }
    }
  }
  return out;
}

const PLANES = [0, 1, 2] as const;
