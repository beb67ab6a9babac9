import type { Surface } from './surface';
import { memoryAt, wasm } from './wasm';

/** Fraction bits of a tap: Pillow's resampler keeps 32 - 8 - 2. */
const PRECISION = 22;

/**
 * Reduces images of one size to luma thumbnails of one size, as Pillow does: `L = (19595 R + 38470 G + 7471 B + 32768)
 * >> 16`, then bicubic (a = -0.5) with an antialiasing support of twice the scale, horizontally to bytes, then
 * vertically.
 */
export class Thumbnailer {
  private readonly out: number;
  private readonly x: Axis;
  private readonly y: Axis;
  private readonly fromWidth: number;
  private readonly fromHeight: number;
  private readonly width: number;
  private readonly height: number;

  constructor(fromWidth: number, fromHeight: number, width: number, height: number) {
    this.fromWidth = fromWidth;
    this.fromHeight = fromHeight;
    this.width = width;
    this.height = height;
    this.x = axis(fromWidth, width);
    this.y = axis(fromHeight, height);
    this.out = wasm.allocate(width * height);
  }

  /** width * height luma bytes, row-major. The surface has the size this was made for. */
  reduce(surface: Surface): Uint8Array<ArrayBuffer> {
    if (configured !== this) {
      load(0, this.x);
      load(3, this.y);
      configured = this;
    }
    wasm.thumbnail(surface.at, this.fromWidth, this.fromHeight, this.width, this.height, this.out);
    return memoryAt(this.out, this.width * this.height).slice();
  }
}

/** Whose taps the module holds now. */
let configured: Thumbnailer | null = null;

interface Axis {
  readonly first: Int32Array;
  readonly count: Int32Array;
  readonly taps: Int32Array;
}

function load(list: number, { first, count, taps }: Axis): void {
  const put = (at: number, values: Int32Array) =>
    new Int32Array(wasm.memory.buffer, at, values.length).set(values);
  put(wasm.configureThumbnail(list), first);
  put(wasm.configureThumbnail(list + 1), count);
  put(wasm.configureThumbnail(list + 2), taps);
}

/** The taps of one axis in double precision, then fixed point, rounded away from zero at the half. */
function axis(from: number, to: number): Axis {
  const scale = from / to;
  const support = 2 * scale;
  const first: number[] = [];
  const count: number[] = [];
  const taps: number[] = [];
  for (let o = 0; o < to; o++) {
    const centre = (o + 0.5) * scale;
    const start = Math.max(0, Math.trunc(centre - support + 0.5));
    const end = Math.min(from, Math.trunc(centre + support + 0.5));
    const weights: number[] = [];
    for (let j = 0; j < end - start; j++) weights.push(bicubic((start + j - centre + 0.5) / scale));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    first.push(start);
    count.push(end - start);
    for (const weight of weights) {
      const w = (weight / sum) * 2 ** PRECISION;
      taps.push(Math.trunc(w < 0 ? w - 0.5 : w + 0.5));
    }
  }
  return { first: Int32Array.from(first), count: Int32Array.from(count), taps: Int32Array.from(taps) };
}

function bicubic(at: number): number {
  const a = -0.5;
  const x = Math.abs(at);
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return (((x - 5) * x + 8) * x - 4) * a;
  return 0;
}
